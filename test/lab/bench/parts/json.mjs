import { readJson } from 'plant-store-contract/validation';
import { measurePairs } from '../pairs.mjs';
import { repeated } from '../repeat.mjs';
import { timesAsLong } from '../rows.mjs';

/** The first is read by `JSON.parse` after a look at its bytes. `JSON.parse` would get the others wrong. */
const TEXTS = [
  { what: 'a plant', text: '{"name":"Aloe","id":7,"tag":"succulent"}', atMost: 1.5 },
  { what: 'an id beyond 2^53', text: '{"name":"Aloe","id":9007199254740993,"tag":"succulent"}' },
  {
    what: 'escapes',
    text: String.raw`{"name":"\u0041lo\u00eb \ud83c\udf35\n","id":7,"tag":"\"succulent\""}`,
  },
  { what: 'duplicate keys', text: '{"name":"Aloe","id":7,"tag":"succulent","name":"Ivy"}' },
];
const TURNS = 20_000;
const SLICES = 20;
const WARM_UP_SLICES = 20;

/** Reading bytes with every digit of a number and every key, over reading them as most servers do. */
export async function json() {
  const rows = [];
  for (const { what, text, atMost } of TEXTS) {
    const bytes = Buffer.from(text);
    const usual = repeated(() => JSON.parse(bytes.toString()), TURNS);
    const exact = repeated(() => readJson(bytes), TURNS);
    for (let i = 0; i < WARM_UP_SLICES; i++) usual() + exact();
    const pairs = await measurePairs(usual, exact, SLICES);
    rows.push(timesAsLong(`json: readJson(bytes) / JSON.parse(bytes.toString()), ${what}`, pairs, atMost));
  }
  return rows;
}

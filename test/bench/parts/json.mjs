import { readJson } from 'plant-store-contract/validation';
import { measurePairs } from '../pairs.mjs';
import { repeated } from '../repeat.mjs';
import { timesAsLong } from '../rows.mjs';

const BYTES = Buffer.from('{"name":"Aloe","id":7,"tag":"succulent"}');
const TURNS = 20_000;
const SLICES = 20;
const WARM_UP_SLICES = 20;

/** Reading bytes with every digit of a number, over reading them as most servers do. */
export async function json() {
  const usual = repeated(() => JSON.parse(BYTES.toString()), TURNS);
  const exact = repeated(() => readJson(BYTES), TURNS);
  for (let i = 0; i < WARM_UP_SLICES; i++) usual() + exact();
  const pairs = await measurePairs(usual, exact, SLICES);
  return [timesAsLong('json: readJson(bytes) / JSON.parse(bytes.toString())', pairs, 1.5)];
}

import type * as FastCheck from 'fast-check';
import { classify } from '../../oracle.js';
import type { DrawnRow } from '../../row.js';
import { drawString } from '../strings/draws.js';
import { HOSTILE_STRINGS } from './rows.js';

/** Requests that must be rejected, with a string in them as JSON. The string may be in several places. */
const MISTAKES: readonly ((json: string) => string)[] = [
  (json) => `{"name":${json}}`,
  (json) => `{"name":${json},"id":null}`,
  (json) => `{"name":"<NAME>","id":${json}}`,
  (json) => `{"name":"<NAME>","id":<ID>,"tag":[${json}]}`,
  (json) => `{"name":{${json}:${json}},"id":<ID>}`,
  (json) => `{${json}:1,"id":<ID>}`,
  (json) => `{"id":<ID>,"tag":${json}}`,
  (json) => `[${json}]`,
  (json) => json,
  (json) => `{"name":${json},"id":<ID>`,
  (json) => `{"name":${json},"id":<ID>}${json}`,
  (json) => `{"name":<ID>,"id":<ID>,${json.slice(1)}:1}`,
  // The string as it is, without quotes and escapes.
  (json) => `{"name":${JSON.parse(json)}`,
];

/** So long that the string fits into 64 KiB twice, even if each of its units is written as an escape. */
const MOST_UNITS = 5_000;

/** Draws requests that must be rejected, with long and hostile strings in them. */
export function drawRejections(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  const half = fc.constantFrom('\ud800', '\udfff', 'a\ud83c', '\udf35b');
  const text = fc.oneof(
    { weight: 6, arbitrary: drawString(fc) },
    { weight: 2, arbitrary: fc.constantFrom(...HOSTILE_STRINGS.map(([, , hostile]) => hostile)) },
    { weight: 1, arbitrary: half },
  );
  return fc
    .record({ text, mistake: fc.constantFrom(...MISTAKES), times: fc.constantFrom(1, 2, 30, 300) })
    .map(({ text: one, mistake, times }) => {
      const count = Math.max(1, Math.min(times, Math.floor(MOST_UNITS / one.length)));
      const json = JSON.stringify(one.slice(0, MOST_UNITS).repeat(count));
      const body = mistake(json);
      return {
        name: 'rejections/drawn',
        title: 'a request with a hostile string',
        rules: [...classify(body).rules, 'failure/text-stays-in-the-body'],
        requests: [{ body }],
      };
    });
}

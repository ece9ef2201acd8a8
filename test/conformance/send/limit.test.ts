// Goes with `send/limit.ts`.
import { expect, test } from 'vitest';
import { retryAfterMs } from '../../../src/conformance/send/limit.js';
import { response } from '../recorded.js';

const NOW = Date.parse('Sun, 06 Nov 1994 08:49:37 GMT');
const LATER = 'Sun, 06 Nov 1994 08:49:39 GMT';

test.each([
  [429, [['Retry-After', '1']], 1_000],
  [503, [['Retry-After', ' 0 ']], 0],
  [429, [['Retry-After', LATER]], 2_000],
  // Clocks differ, so the one that made the date counts.
  [
    429,
    [
      ['Retry-After', LATER],
      ['Date', 'Sun, 06 Nov 1994 08:49:38 GMT'],
    ],
    1_000,
  ],
  [429, [['Retry-After', 'Sun, 06 Nov 1994 08:49:30 GMT']], 0],
  [429, [], undefined],
  [429, [['Retry-After', '-1']], undefined],
  [400, [['Retry-After', '1']], undefined],
] as const)('a %i with %j asks for %s ms', (status, headers, ms) => {
  expect(retryAfterMs({ response: response(status, headers) }, NOW)).toBe(ms);
});

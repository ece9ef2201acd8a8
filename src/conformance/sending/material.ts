import { randomBytes, randomInt } from 'node:crypto';
import type { ProbeMaterial } from '../probe.js';

const IDS_BELOW = 2 ** 31;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const NAME_LETTERS = 6;

/** What the probes of a run are made of: fresh and random for every run, so that runs do not meet. */
export function freshMaterial(token: string): ProbeMaterial {
  const used = new Set<number | bigint | string>();
  const fresh = <T extends number | bigint | string>(make: () => T): T => {
    let value = make();
    while (used.has(value)) value = make();
    used.add(value);
    return value;
  };
  return {
    token,
    // Letters that a decoder of base64 cannot take for padding, and of a length that tokens have.
    wrongToken: `wrong${randomBytes(15).toString('hex')}`,
    freshId: () => fresh(() => randomInt(1, IDS_BELOW)),
    freshIdBetween: (low, high) => fresh(() => low + (randomBytes(9).readBigUInt64BE(1) % (high - low + 1n))),
    freshName: () =>
      fresh(() => `Aloe${Array.from({ length: NAME_LETTERS }, () => LETTERS[randomInt(26)]).join('')}`),
  };
}

import { randomBytes, randomInt } from 'node:crypto';
import type { ProbeValues } from '../probe.js';

const IDS_BELOW = 2 ** 31;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const NAME_LETTERS = 6;

/** Every fresh name in a text. */
export const FRESH_NAME: RegExp = new RegExp(`Aloe[a-z]{${NAME_LETTERS}}`, 'g');

/**
 * Values for the probes of one run. They are random, so that runs do not collide.
 *
 * @param token the token, or where it is read each time: it may be renewed
 */
export function freshValues(token: string | { readonly current: string }): ProbeValues {
  const used = new Set<number | bigint | string>();
  const fresh = <T extends number | bigint | string>(make: () => T): T => {
    let value = make();
    while (used.has(value)) value = make();
    used.add(value);
    return value;
  };
  return {
    get token() {
      return typeof token === 'string' ? token : token.current;
    },
    // A usual length, and no character that a base64 decoder could read as padding.
    wrongToken: `wrong${randomBytes(15).toString('hex')}`,
    freshId: () => fresh(() => randomInt(1, IDS_BELOW)),
    freshIdBetween: (low, high) => fresh(() => low + (randomBytes(9).readBigUInt64BE(1) % (high - low + 1n))),
    freshName: () =>
      fresh(() => `Aloe${Array.from({ length: NAME_LETTERS }, () => LETTERS[randomInt(26)]).join('')}`),
  };
}

import { timingSafeEqual } from 'node:crypto';
import type { Eventually } from './exchange.js';
import type { Settings } from './options.js';

/** The decision on a token: the function of the options, or a comparison that takes the same time for all. */
export function tokenVerifier({ tokens, verify }: Settings): (token: string) => Eventually<boolean> {
  if (verify !== undefined) {
    return (token) => {
      const accepted = verify(token);
      // A promise of another realm, or of a library, is one as well.
      return typeof accepted === 'boolean' ? accepted : Promise.resolve(accepted);
    };
  }
  const accepted = tokens.map((token) => Buffer.from(token));
  return (token) => {
    const presented = Buffer.from(token);
    let found = false;
    // Every token is compared, whichever matches. Only the length of a token can show in the time.
    for (const candidate of accepted) {
      if (candidate.length === presented.length && timingSafeEqual(candidate, presented)) found = true;
    }
    return found;
  };
}

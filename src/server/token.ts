import { timingSafeEqual } from 'node:crypto';
import type { Eventually } from './exchange.js';
import type { Settings } from './options.js';

/** The decision on a token: the function of the options, or a comparison that takes the same time for all. */
export function tokenVerifier({ tokens, verify }: Settings): (token: string) => Eventually<boolean> {
  if (verify !== undefined) return verify;
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

/** Shorter tokens are too likely to be words of an ordinary text to be taken out of it. */
const SHORTEST_REDACTED = 8;

/** Takes the accepted tokens, and what is called `access_token` (RFC 6750 section 2), out of a text. */
export function tokenRedactor({ tokens }: Settings): (text: string) => string {
  const secrets = tokens
    .filter((token) => token.length >= SHORTEST_REDACTED)
    .flatMap((token) => [token, encodeURIComponent(token)]);
  return (text) =>
    secrets
      .reduce((redacted, secret) => redacted.replaceAll(secret, '[token]'), text)
      .replace(/(access_token["']?\s*[=:]\s*["']?)[^&\s"']+/g, '$1[token]');
}

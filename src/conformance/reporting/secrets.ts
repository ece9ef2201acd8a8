import type { Secret } from '../../output/redaction.js';
import { headerSecrets, requestSecrets } from '../curl.js';
import type { Fields, ProbeRequest } from '../exchange.js';

/** A part of a short token that is no longer than this is too common to be hidden. */
const LONGEST_COMMON = 3;

/** The secrets of a check, and what the report shows instead: all tokens, what was made of them, and header values. */
export function secretsOfCheck(
  requests: readonly ProbeRequest[],
  tokens: Iterable<string>,
  headers: Fields,
): Secret[] {
  const whole = new Set(tokens);
  const made = requestSecrets(requests, whole).filter(
    ({ value }) => whole.has(value) || value.length > LONGEST_COMMON,
  );
  return [...headerSecrets(headers), ...made];
}

import type { Secret } from '../../output/redaction.js';
import { headerSecrets, requestSecrets } from '../curl-words.js';
import type { Fields, ProbeRequest } from '../exchange.js';

/** A part of a short token that is no longer than this is too common to be hidden. */
const LONGEST_COMMON = 3;

/** The secrets of a check, and what the report shows instead: the token, what was made of it, and header values. */
export function secretsOfCheck(requests: readonly ProbeRequest[], token: string, headers: Fields): Secret[] {
  const made = requestSecrets(requests, token).filter(
    ({ value }) => value === token || value.length > LONGEST_COMMON,
  );
  return [...headerSecrets(headers), ...made];
}

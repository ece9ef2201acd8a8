import { type HeaderFields, headerValues } from '../http/fields.js';
import { Redactor } from '../report/redaction.js';
import type { MaybePromise } from './exchange.js';
import type { Settings } from './options.js';

/** Decides on a token: with the function of the options, or by a comparison in constant time. */
export function tokenVerifier({
  tokens,
  verify,
}: Pick<Settings, 'tokens' | 'verify'>): (token: string) => MaybePromise<boolean> {
  if (verify !== undefined) {
    return (token) => {
      const accepted = verify(token);
      // It may be a promise of another realm or of a library.
      return typeof accepted === 'boolean' ? accepted : Promise.resolve(accepted);
    };
  }
  return (token) => {
    let found = false;
    // All tokens are compared, whichever matches: the time depends on the lengths only.
    for (const candidate of tokens) {
      if (candidate.length === token.length && equalInConstantTime(candidate, token)) found = true;
    }
    return found;
  };
}

/**
 * Compares every character of two texts of one length. `timingSafeEqual` does the same for bytes, but loading node:crypto
 * takes a tenth of the start of a server.
 */
function equalInConstantTime(a: string, b: string): boolean {
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

/** The value of `access_token` is a token too (RFC 6750, section 2). */
const ACCESS_TOKEN = /(access_token["']?\s*[=:]\s*["']?)[^&\s"']+/g;

/**
 * Takes tokens out of what the server shows: its log, `received()`, and what a function of the user threw. An unknown token is
 * taken out too, since it may be valid elsewhere, and so is what is called `access_token`.
 */
export class TokenRedactor {
  private readonly redactor: Redactor;

  constructor(tokens: readonly string[]) {
    this.redactor = new Redactor(tokens.map((value) => ({ value })));
  }

  /** Redacts the texts of one request, and remembers its credentials. */
  forRequest(headers: HeaderFields): (text: string) => string {
    const credentials = headerValues(headers, 'authorization').filter((value) => value.length >= LONG_TOKEN);
    this.redactor.see(credentials.map((value) => ['authorization', value]));
    return (text) => this.redactor.message(text).replace(ACCESS_TOKEN, '$1[redacted]');
  }
}

/** `Bearer` and a token that is no word of an ordinary text. */
const LONG_TOKEN = 'Bearer 12345678'.length;

import { type HeaderFields, headerValues, secretsOf } from '../http/fields.js';
import { createRedactor, type Redactor, type Secret } from '../report/redaction.js';
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

/** A text without the values that are called `access_token`. */
export function withoutAccessTokens(text: string): string {
  return text.includes('access_token') ? text.replace(ACCESS_TOKEN, '$1[token]') : text;
}

/** Takes tokens out of what the server shows: its log, `received()`, and what a function of the user threw. */
export class TokenRedactor {
  private readonly own: Redactor;
  /** For the credentials of the last request: most requests have the same. */
  private last: { readonly credentials: readonly string[]; readonly redact: (text: string) => string };

  constructor(private readonly tokens: readonly string[]) {
    this.own = createRedactor(asSecrets(tokens));
    this.last = { credentials: [], redact: this.redactorFor([]) };
  }

  /**
   * Redacts the texts of one request: the tokens of the server, short ones as whole words; the credentials of the
   * request if they are long, since an unknown token may be valid elsewhere; what is called `access_token`.
   */
  forRequest(headers: HeaderFields): (text: string) => string {
    const credentials = headerValues(headers, 'authorization');
    if (!areEqual(credentials, this.last.credentials))
      this.last = { credentials, redact: this.redactorFor(credentials) };
    return this.last.redact;
  }

  private redactorFor(credentials: readonly string[]): (text: string) => string {
    const secrets = secretsOf(credentials.map((value) => ['authorization', value])).filter(
      (secret) => !this.tokens.includes(secret),
    );
    const sent = createRedactor(asSecrets(secrets));
    return (text) => withoutAccessTokens(sent.data(this.own.message(text)));
  }
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, at) => text === b[at]);
}

function asSecrets(values: readonly string[]): Secret[] {
  return values.map((value) => ({ value, shown: '[token]' }));
}

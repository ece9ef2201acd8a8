import { type HeaderFields, headerValues, secretsOf } from '../http/fields.js';
import { createRedactor, type Redactor, type Secret } from '../output/redaction.js';
import type { Eventually } from './exchange.js';
import type { Settings } from './options.js';

/** Decides on a token: with the function of the options, or by a comparison in constant time. */
export function tokenVerifier({
  tokens,
  verify,
}: Pick<Settings, 'tokens' | 'verify'>): (token: string) => Eventually<boolean> {
  if (verify !== undefined) {
    return (token) => {
      const accepted = verify(token);
      // It may be a promise of another realm or of a library.
      return typeof accepted === 'boolean' ? accepted : Promise.resolve(accepted);
    };
  }
  const accepted = tokens.map((token) => Buffer.from(token));
  return (token) => {
    const presented = Buffer.from(token);
    let found = false;
    // All tokens are compared, whichever matches: the time depends on the lengths only.
    for (const candidate of accepted) {
      if (candidate.length === presented.length && equalInConstantTime(candidate, presented)) found = true;
    }
    return found;
  };
}

/**
 * Compares every byte of two texts of one length. `timingSafeEqual` does the same, but loading node:crypto takes a tenth
 * of the start of a server.
 */
function equalInConstantTime(a: Uint8Array, b: Uint8Array): boolean {
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= (a[i] as number) ^ (b[i] as number);
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
  /** Texts without a token of the server: most headers are the same in every request. */
  private readonly harmless = new Set<string>();
  /** For the credentials of the last request: most requests have the same. */
  private last = { credentials: '', redactor: createRedactor([]) };

  constructor(private readonly tokens: readonly string[]) {
    this.own = createRedactor(asSecrets(tokens));
  }

  /**
   * Redacts the texts of one request: the tokens of the server, short ones as whole words; the credentials of the
   * request if they are long, since an unknown token may be valid elsewhere; what is called `access_token`.
   */
  forRequest(headers: HeaderFields): (text: string) => string {
    const sent = this.redactorFor(headerValues(headers, 'authorization'));
    return (text) => {
      const own = this.withoutOwn(text);
      return withoutAccessTokens(sent === undefined ? own : sent.data(own));
    };
  }

  private withoutOwn(text: string): string {
    if (this.harmless.has(text)) return text;
    const redacted = this.own.message(text);
    if (redacted === text && text.length <= 200 && this.harmless.size < 1_000) this.harmless.add(text);
    return redacted;
  }

  /** Left out if the request has only tokens of the server. */
  private redactorFor(values: readonly string[]): Redactor | undefined {
    const secrets = secretsOf(values.map((value) => ['authorization', value])).filter(
      (secret) => !this.tokens.some((token) => secret === token || secret === `Bearer ${token}`),
    );
    if (secrets.length === 0) return undefined;
    const credentials = secrets.join();
    if (credentials !== this.last.credentials)
      this.last = { credentials, redactor: createRedactor(asSecrets(secrets)) };
    return this.last.redactor;
  }
}

function asSecrets(values: readonly string[]): Secret[] {
  return values.map((value) => ({ value, shown: '[token]' }));
}

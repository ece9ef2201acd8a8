import { type HeaderFields, headerValues } from '../http/fields.js';
import { Redactor } from '../report/redaction.js';
import type { Settings } from './options.js';

/** Decides on a token: with the function of the options, or by a comparison. */
export function tokenVerifier({
  tokens,
  verify,
}: Pick<Settings, 'tokens' | 'verify'>): (token: string) => boolean | Promise<boolean> {
  const accepted = new Set(tokens);
  return verify ?? ((token) => accepted.has(token));
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

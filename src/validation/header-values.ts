/** The bearer token of an `Authorization` value, or why there is none. */
export type BearerCredentials =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly reason: string };

// RFC 6750 section 2.1: credentials = "Bearer" 1*SP b64token. RFC 9110 section 11.1: the scheme in any case. Providers also issue
// tokens with | and : (Laravel Sanctum, JetBrains Hub), and their clients have to send these.
const BEARER = /^bearer +([A-Za-z0-9\-._~+/|:]+=*)$/i;

/**
 * Reads `Authorization: Bearer <token>` by the grammar of RFC 6750, section 2.1, with `|` and `:` besides. No reason contains the
 * value.
 *
 * @param value the field value without white space at its ends, as HTTP libraries give it
 */
export function parseBearer(value: string): BearerCredentials {
  const token = BEARER.exec(value)?.[1];
  if (token !== undefined) return { ok: true, token };
  if (value === '') return { ok: false, reason: 'the Authorization header is empty' };
  if (!/^bearer(?: |$)/i.test(value))
    return { ok: false, reason: 'the scheme of the Authorization header is not Bearer' };
  if (/^bearer *$/i.test(value)) return { ok: false, reason: 'the Authorization header has no token' };
  return { ok: false, reason: 'the token after Bearer has characters that RFC 6750 does not allow' };
}

/** A `Content-Type` value, RFC 9110 section 8.3.1. */
export interface MediaType {
  /** `type/subtype` in lower case. */
  readonly essence: string;
  /** Parameter names in lower case, values unquoted. */
  readonly parameters: ReadonlyMap<string, string>;
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const ESSENCE = new RegExp(`^[ \\t]*(${TOKEN}/${TOKEN})[ \\t]*(?=;|$)`);
// White space is on one side of each alternative only, so no text matches in two ways.
const PARAMETER = new RegExp(`;[ \\t]*(?:(${TOKEN})=(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)"))?[ \\t]*`, 'y');

/**
 * Reads a media type with its parameters.
 *
 * @returns undefined if the value is not one media type; several values with commas are not
 */
export function parseMediaType(value: string): MediaType | undefined {
  const essence = ESSENCE.exec(value);
  if (essence?.[1] === undefined) return undefined;
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = essence[0].length;
  while (PARAMETER.lastIndex < value.length) {
    const match = PARAMETER.exec(value);
    if (match === null) return undefined;
    const [, name, token, string] = match;
    if (name !== undefined)
      parameters.set(name.toLowerCase(), token ?? string?.replace(/\\(.)/g, '$1') ?? '');
  }
  return { essence: essence[1].toLowerCase(), parameters };
}

/** Whether a `Content-Type` value is `application/json`, in any case and with any parameters. */
export function isJsonMediaType(value: string): boolean {
  // As most clients write it.
  return value === 'application/json' || parseMediaType(value)?.essence === 'application/json';
}

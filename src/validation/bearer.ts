/** The bearer token of an `Authorization` value, or why there is none. */
export type BearerCredentials =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly reason: string };

// RFC 6750 section 2.1: credentials = "Bearer" 1*SP b64token. RFC 9110 section 11.1: the scheme in any case.
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * Reads `Authorization: Bearer <token>` by the grammar of RFC 6750, section 2.1. No reason contains the value.
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

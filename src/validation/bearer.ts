/** What an `Authorization` value holds: a bearer token, or why it holds none. */
export type BearerCredentials =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly reason: string };

// RFC 6750 section 2.1: credentials = "Bearer" 1*SP b64token. RFC 9110 section 11.1: the scheme in any case.
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * Reads `Authorization: Bearer <token>` by the grammar of RFC 6750, section 2.1. The reasons never hold the value.
 *
 * @param value the field value, surrounding white space removed, as every HTTP library gives it
 */
export function parseBearer(value: string): BearerCredentials {
  const token = BEARER.exec(value)?.[1];
  if (token !== undefined) return { ok: true, token };
  if (value === '') return { ok: false, reason: 'the Authorization header is empty' };
  if (!/^bearer(?: |$)/i.test(value))
    return { ok: false, reason: 'the Authorization header has another scheme than Bearer' };
  if (/^bearer *$/i.test(value))
    return { ok: false, reason: 'the Authorization header has no token after Bearer' };
  return { ok: false, reason: 'what follows Bearer is not one token of the characters that RFC 6750 allows' };
}

import { parseBearer } from './bearer.js';
import { judgeBody, judgeMediaType } from './body.js';
import { bytesOf, headerValues, isFetchMessage, type PlainRequest, rereadable } from './message.js';
import { quoted, type Violation } from './violation.js';

/**
 * Judges a whole request against the interface: `POST …/plants`, one `Authorization: Bearer <token>`,
 * `Content-Type: application/json`, and a NewPlant as body (interface: Endpoints, Authentication).
 *
 * @param request a fetch `Request` (read through a clone, so it can still be read), or plain data
 * @returns the violations: at once for plain data, as a promise for a `Request`
 * @example
 * import assert from 'node:assert/strict';
 * import { validateRequest } from 'plant-store-contract/validation';
 *
 * const headers = { authorization: 'Bearer abc', 'content-type': 'application/json' };
 * assert.deepEqual(validateRequest({ headers, body: '{"name":"Aloe","id":7}' }), []);
 * const request = new Request('http://localhost/plants', { method: 'POST', body: '{"id":7}', headers });
 * assert.equal((await validateRequest(request))[0]?.pointer, '/name');
 */
export function validateRequest(request: Request): Promise<Violation[]>;
export function validateRequest(request: PlainRequest): Violation[];
export function validateRequest(request: Request | PlainRequest): Promise<Violation[]> | Violation[];
export function validateRequest(request: Request | PlainRequest): Promise<Violation[]> | Violation[] {
  if (isFetchMessage(request)) {
    const { method, url, headers } = request;
    return bytesOf(request).then((body) => judge({ method, url, headers, body }));
  }
  return judge(request);
}

function judge({ method, url, headers: given, body }: PlainRequest): Violation[] {
  const headers = rereadable(given);
  return [
    ...methodViolations(method),
    ...pathViolations(url),
    ...authorizationViolations(headerValues(headers, 'authorization')),
    ...judgeMediaType(headerValues(headers, 'content-type')),
    ...judgeBody('NewPlant', body).violations,
  ];
}

function methodViolations(method: string | undefined): Violation[] {
  if (method === undefined || method === 'POST') return [];
  const actual = quoted(method);
  const message = `the method must be POST, the only one of the interface; got ${actual}`;
  return [{ part: 'method', pointer: '', keyword: 'method', message, expected: 'POST', actual }];
}

function pathViolations(url: string | undefined): Violation[] {
  const path = url?.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  if (path === undefined || path.endsWith('/plants')) return [];
  const actual = quoted(path);
  const message = `the path must end with /plants; got ${actual}`;
  return [{ part: 'path', pointer: '', keyword: 'path', message, expected: '…/plants', actual }];
}

function authorizationViolations(values: string[]): Violation[] {
  const [value, ...more] = values;
  if (value === undefined) return [bearerViolation('the Authorization header is missing', 'nothing')];
  if (more.length > 0) {
    return [bearerViolation('there is more than one Authorization header', `${values.length} headers`)];
  }
  const credentials = parseBearer(withoutOuterSpace(value));
  // The value may be a credential of some other kind: it is never shown.
  return credentials.ok ? [] : [bearerViolation(credentials.reason, 'a value that is not shown')];
}

function bearerViolation(reason: string, actual: string): Violation {
  const expected = 'Authorization: Bearer <ACCESS_TOKEN>';
  return { part: 'header', pointer: '/authorization', keyword: 'bearer', message: reason, expected, actual };
}

/** RFC 9110 section 5.5: spaces and tabs around a field value are no part of it; other white space is. */
function withoutOuterSpace(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isSpace(value, start)) start++;
  while (end > start && isSpace(value, end - 1)) end--;
  return value.slice(start, end);
}

function isSpace(value: string, at: number): boolean {
  return value[at] === ' ' || value[at] === '\t';
}

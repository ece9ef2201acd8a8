import { headerValues, rereadable, withoutOuterSpace } from '../http/fields.js';
import { isOperationPath, operation, pathOf } from '../spec/operation.js';
import { parseBearer } from './header-values.js';
import { bytesOf, isFetchMessage, judgeBody, judgeMediaType, type PlainRequest } from './message.js';
import { errorIn, quoted, type Violation } from './violation.js';

/**
 * Judges a whole request against the interface: `POST …/plants`, one `Authorization: Bearer <token>`,
 * `Content-Type: application/json`, and a NewPlant as body (openapi.yaml#/paths and #/security). Every violation is an error:
 * the interface states each of these demands outright, and a provider that keeps to it may reject such a request.
 *
 * @param request a fetch `Request`, which can still be read afterwards, or plain data
 * @returns the violations; for a `Request`, a promise
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
  if (method === undefined || method === operation.method) return [];
  const actual = quoted(method);
  const expected = operation.method;
  const message = `the method must be ${expected}; got ${actual}`;
  return [errorIn('method', '', 'method', { message, expected, actual })];
}

function pathViolations(url: string | undefined): Violation[] {
  const path = url === undefined ? undefined : pathOf(url);
  if (path === undefined || isOperationPath(path)) return [];
  const actual = quoted(path);
  const message = `the path must end with ${operation.path}; got ${actual}`;
  return [errorIn('path', '', 'path', { message, expected: `…${operation.path}`, actual })];
}

/** What is wrong with the Authorization fields of a request. */
export function authorizationViolations(values: readonly string[]): Violation[] {
  const [value, ...more] = values;
  if (value === undefined) return [bearerViolation('the Authorization header is missing', 'nothing')];
  if (more.length > 0) {
    return [bearerViolation('there is more than one Authorization header', `${values.length} headers`)];
  }
  const credentials = parseBearer(withoutOuterSpace(value));
  // The value may be a credential of another kind: never report it.
  return credentials.ok ? [] : [bearerViolation(credentials.reason, 'a redacted value')];
}

function bearerViolation(reason: string, actual: string): Violation {
  const expected = 'Authorization: Bearer <ACCESS_TOKEN>';
  return errorIn('header', '/authorization', 'bearer', { message: reason, expected, actual });
}

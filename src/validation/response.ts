import { headerValues } from '../http/fields.js';
import { isObject, type JsonRead } from './json-value.js';
import {
  bytesOf,
  isEmpty,
  isFetchMessage,
  judgeBody,
  judgeMediaType,
  type PlainResponse,
} from './message.js';
import { plantFields } from './schema.generated.js';
import { severityOf } from './severity.js';
import { describe, errorIn, quoted, type Severity, shortPointer, type Violation } from './violation.js';

/** How {@link validateResponse} judges. */
export interface ResponseOptions {
  /** Whether every violation is an error. Default false. */
  readonly strict?: boolean | undefined;
}

/**
 * Judges a whole response against the interface: a 200 is a Plant with no other field, a 400 is an Error, and so is the body of
 * another 4xx if it has one, all as `application/json`; any other status is undocumented
 * (openapi.yaml#/paths/~1plants/post/responses). The body that comes with a limit (408, 413, 414, 429, 431) or with what an HTTP
 * server cannot receive (411, 417) is not judged: limits are not shown. Violations in the body of another 4xx are warnings: only a
 * client that broke the interface gets one. All others are errors. Duplicate keys are not judged, nor whether the response fits its
 * request. Of many unknown fields, the first 10 are listed.
 *
 * @param response a fetch `Response`, which can still be read afterwards, or plain data
 * @returns the violations; for a `Response`, a promise
 * @example
 * import assert from 'node:assert/strict';
 * import { validateResponse } from 'plant-store-contract/validation';
 *
 * const response = Response.json({ name: 'Aloe', id: 7 });
 * const [violation] = await validateResponse(response);
 * assert.equal(violation?.pointer, '/id');
 * assert.equal(violation?.message, 'a Plant has no field "id"; got 7');
 *
 * const headers = { 'content-type': 'application/json' };
 * assert.deepEqual(validateResponse({ status: 200, headers, body: '{"name":"Aloe"}' }), []);
 */
export function validateResponse(response: Response, options?: ResponseOptions): Promise<Violation[]>;
export function validateResponse(response: PlainResponse, options?: ResponseOptions): Violation[];
export function validateResponse(
  response: Response | PlainResponse,
  options?: ResponseOptions,
): Promise<Violation[]> | Violation[];
export function validateResponse(
  response: Response | PlainResponse,
  options: ResponseOptions = {},
): Promise<Violation[]> | Violation[] {
  if (isFetchMessage(response)) {
    const { status, headers } = response as Response;
    return bytesOf(response).then((body) => judge({ status, headers, body }, options));
  }
  return judge(response, options);
}

/**
 * Judges a response whose body nobody can read: its status and its header fields.
 *
 * @param response with the body as it came, which shows whether there is one
 */
export function validateUnreadable(response: PlainResponse): Violation[] {
  return judge(response, {}, () => ({ violations: [] }));
}

function judge(
  response: PlainResponse,
  { strict }: ResponseOptions,
  judgeContent: typeof judgeBody = judgeBody,
): Violation[] {
  const { status, headers, body } = response;
  const violations = judgeStatus(status);
  const isError = mustBeError(response);
  if (status !== 200 && !isError) return violations;
  const judged = judgeContent(isError ? 'Error' : 'Plant', body);
  const found = [...judgeMediaType(headerValues(headers, 'content-type')), ...judged.violations];
  if (!isError) found.push(...unknownFields(judged.read));
  const severity = strict === true ? 'error' : severityOfBody(status);
  return [...violations, ...found.map((violation) => ({ ...violation, severity }))];
}

/**
 * Statuses with which a framework, a gateway or the HTTP server responds before the provider does: to what is too much (408,
 * 413, 414, 429, 431), and to a message that it cannot receive (411, 417). Limits are not shown, so their bodies are not judged.
 */
const OF_LIMITS: ReadonlySet<number> = new Set([408, 411, 413, 414, 417, 429, 431]);

/** Whether a status is that of a limit. The interface does not show its body. */
export function isOfLimit(status: number): boolean {
  return OF_LIMITS.has(status);
}

/**
 * Whether the body of a response must be an Error. A 400 has one. Another 4xx may have no body: there is no error response body
 * then. A 5xx says that the provider failed, and no provider can promise how.
 */
function mustBeError({ status, body }: PlainResponse): boolean {
  return status === 400 || (status > 400 && status < 500 && !isOfLimit(status) && !isEmpty(body));
}

/**
 * How much it matters that a body is wrong. The interface states outright what a 200 and a 400 have. Another 4xx is for a
 * client that broke the interface, and nobody else gets its body.
 */
function severityOfBody(status: number): Severity {
  return status > 400 && status < 500 ? severityOf('failure/other-4xx-is-an-error') : 'error';
}

/**
 * A body that its Content-Encoding does not decode.
 *
 * @param problem what is wrong with it
 * @param status of the response; `undefined` for a request
 */
export function undecodable(problem: string, status: number | undefined): Violation {
  const severity = status === undefined ? 'error' : severityOfBody(status);
  const expected = 'a body that its Content-Encoding decodes';
  const message = `nobody can decode the body: ${problem}`;
  return { ...errorIn('body', '', 'content-encoding', { message, expected, actual: problem }), severity };
}

/** The interface does not show which other 4xx a failure may have. */
function judgeStatus(status: number): Violation[] {
  if (status === 200 || (status >= 400 && status < 500)) return [];
  const expected = '200, 400 or another 4xx';
  const message = `the status ${status} is not documented; expected ${expected}`;
  return [errorIn('status', '', 'status', { message, expected, actual: String(status) })];
}

/** The successful response has only the fields of Plant (openapi.yaml#/components/schemas/Plant). */
function unknownFields(read: JsonRead | undefined): Violation[] {
  const value = read?.ok === true ? read.value : undefined;
  if (!isObject(value)) return [];
  const unknown = Object.keys(value).filter((key) => !plantFields.includes(key));
  return unknown.slice(0, MOST_UNKNOWN).map((key) => {
    const actual = describe(value[key]);
    const message = `a Plant has no field ${quoted(key)}; got ${actual}`;
    const expected = 'only the fields "name" and "tag"';
    return errorIn('body', shortPointer(key), 'additionalProperties', { message, expected, actual });
  });
}

/** A body of the limit may have a million unknown fields. */
const MOST_UNKNOWN = 10;

import { judgeBody, judgeMediaType } from './body.js';
import { JsonNumber } from './json-number.js';
import { pointer } from './json-parser.js';
import { bytesOf, headerValues, isFetchMessage, type PlainResponse } from './message.js';
import { plantFields } from './schema.generated.js';
import { describe, type Violation } from './violation.js';

/** How {@link validateResponse} judges. */
export interface ResponseOptions {
  /**
   * `any-4xx` (default): a refusal may have any 4xx status, since which one it is, is not shown; its body must
   * be an Error all the same. `documented`: every status but 200 and 400 is a violation.
   */
  readonly statuses?: 'any-4xx' | 'documented';
}

/**
 * Judges a whole response against the interface: a 200 is a Plant with no other field, a failure is an Error,
 * both as `application/json`; any other status is undocumented (interface: Endpoints, Errors). A key that
 * occurs twice is not judged, nor is what was asked for: a response does not tell its request.
 *
 * @param response a fetch `Response` (read through a clone, so it can still be read), or plain data
 * @returns the violations: at once for plain data, as a promise for a `Response`
 * @example
 * import assert from 'node:assert/strict';
 * import { validateResponse } from 'plant-store-contract/validation';
 *
 * const response = Response.json({ name: 'Aloe', id: 7 });
 * const [violation] = await validateResponse(response);
 * assert.equal(violation?.pointer, '/id');
 * assert.equal(violation?.message, 'a 200 carries the fields of Plant only; got "id" as well (7)');
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
  { statuses = 'any-4xx' }: ResponseOptions = {},
): Promise<Violation[]> | Violation[] {
  if (isFetchMessage(response)) {
    const { status, headers } = response as Response;
    return bytesOf(response).then((body) => judge({ status, headers, body }, statuses));
  }
  return judge(response, statuses);
}

function judge({ status, headers, body }: PlainResponse, statuses: ResponseOptions['statuses']): Violation[] {
  const violations = judgeStatus(status, statuses);
  const schema = schemaOf(status);
  if (schema === undefined) return violations;
  violations.push(...judgeMediaType(headerValues(headers, 'content-type')));
  const judged = judgeBody(schema, body);
  violations.push(...judged.violations);
  if (schema === 'Plant') judgeFields(judged.value, violations);
  return violations;
}

/** What the body of a status has to be; nothing is said of 1xx, 3xx and other 2xx. */
function schemaOf(status: number): 'Plant' | 'Error' | undefined {
  if (status === 200) return 'Plant';
  return status >= 400 ? 'Error' : undefined;
}

function judgeStatus(status: number, statuses: ResponseOptions['statuses']): Violation[] {
  if (status === 200 || status === 400) return [];
  if (statuses === 'any-4xx' && status > 400 && status < 500) return [];
  const expected = statuses === 'documented' ? '200 or 400' : '200, 400 or another 4xx';
  const message = `the status ${status} is not documented; expected ${expected}`;
  return [{ part: 'status', pointer: '', keyword: 'status', message, expected, actual: String(status) }];
}

/** Interface, Resources, rule 1: the successful response carries the fields of Plant only. */
function judgeFields(value: unknown, violations: Violation[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof JsonNumber)
    return;
  for (const key in value) {
    if (plantFields.includes(key)) continue;
    const actual = describe((value as Record<string, unknown>)[key]);
    violations.push({
      part: 'body',
      pointer: pointer([key]),
      keyword: 'additionalProperties',
      message: `a 200 carries the fields of Plant only; got ${JSON.stringify(key)} as well (${actual})`,
      expected: 'the fields "name" and, when present, "tag"',
      actual,
    });
  }
}

/**
 * Matchers for `expect`, of Vitest, Jest or any runner that has `expect.extend`: this module imports none of them.
 * It exports the matchers and nothing else, so that all of it can be handed over:
 * `expect.extend(await import('plant-store-contract/matchers'))`.
 * @module
 */
import { judgeBody, judgeMediaType } from '../validation/body.js';
import { headerValues } from '../validation/message.js';
import { type ResponseOptions, validateResponse } from '../validation/response.js';
import { describe, type Violation } from '../validation/violation.js';
import { type Received, read } from './message.js';
import type { Subject } from './picture.js';
import { judged, type MatcherContext, type MatcherResult, unreadable } from './result.js';

export type { MatcherContext, MatcherResult };

/**
 * The matchers as `expect` has them. `./vitest` tells Vitest of them; Jest is told in a file of your own:
 *
 * ```
 * import type { PlantStoreMatchers } from 'plant-store-contract/matchers';
 * // With @jest/globals …
 * declare module 'expect' {
 *   interface Matchers<R extends void | Promise<void>> extends PlantStoreMatchers<R> {}
 * }
 * // … or with @types/jest:
 * declare global {
 *   namespace jest {
 *     interface Matchers<R> extends PlantStoreMatchers<R> {}
 *   }
 * }
 * ```
 */
export interface PlantStoreMatchers<R = void> {
  /** That a response is as the interface says. Await it where the response is one of fetch or of `undici.request`. */
  toConformToPlantStore(options?: ResponseOptions): R;
  /** That a value is a Plant, or a response a 200 with one. */
  toBePlant(): R;
  /** That a value, or the body of a request, is a NewPlant. */
  toBeNewPlant(): R;
  /** That a value is an Error, or a response a 4xx with one. */
  toBePlantStoreError(): R;
}

type Result = MatcherResult | Promise<MatcherResult>;

/**
 * Whether a response is as the interface says: status, media type and body (interface: Endpoints, Errors).
 *
 * Any response will do that has `status` or `statusCode`, `headers`, and `body`, `data`, `text` or `payload`: of any
 * fetch, undici, axios, supertest, light-my-request, Playwright and others, or made by hand. It can still be read
 * afterwards. Where there is a choice, the bytes are judged, and then the text. Of a body that a client has parsed, as
 * axios does, nobody can see how it was written: numbers that were rounded, keys that occurred twice, a byte-order mark.
 * A JSON string with JSON in it, which a server sends that encodes its body twice, is told then by its Content-Length;
 * without one, or where the body may have been packed, it is taken for the body. What is no response at all, and a body
 * that was read before, fails with `.not` as well.
 *
 * @param options how it is judged; `{ statuses: 'documented' }` allows 200 and 400 only
 * @returns a promise for a response of fetch, `undici.request` or a browser, whose body has to be read: **await the
 *   assertion**. A test that does not, passes before anything is known: if the response is wrong, Vitest fails the run
 *   for an unhandled rejection, and Jest may never tell. As an asymmetric matcher it fails for these
 * @example
 * import * as matchers from 'plant-store-contract/matchers';
 * import { createPlantStore } from 'plant-store-contract/server';
 * import { expect } from 'vitest';
 *
 * expect.extend(matchers);
 * const store = createPlantStore({ token: 'secret' });
 * const response = await store.fetch(new Request('http://localhost/plants', { method: 'POST' }));
 *
 * await expect(response).toConformToPlantStore();
 * expect((await response.json()).message).toBe('the Authorization header is missing');
 *
 * const headers = { 'content-type': 'application/json' };
 * expect({ status: 200, headers, body: { name: 'Aloe', id: 7 } }).not.toConformToPlantStore();
 */
export function toConformToPlantStore(
  this: MatcherContext,
  received: unknown,
  options?: ResponseOptions,
): Result {
  const { statuses = 'any-4xx' } = options ?? {};
  if (statuses !== 'any-4xx' && statuses !== 'documented')
    return unreadable(
      this,
      A_RESPONSE,
      `"statuses" is neither "any-4xx" nor "documented": ${describe(statuses)}`,
    );
  return match(this, received, A_RESPONSE, (message) =>
    message.kind === 'response'
      ? validateResponse(message, { statuses })
      : 'it is no response; one has a status, headers and a body',
  );
}

/**
 * Whether a value is a Plant as a 200 carries it, `name` and perhaps `tag` and nothing else, or a response is a 200 with
 * one (interface: Resources, "Plant" and rule 1). A text, and bytes, are read as JSON; of a value that has `toJSON`,
 * what that gives is judged, since it is what would be sent.
 *
 * @returns a promise where `toConformToPlantStore` gives one
 * @example
 * import * as matchers from 'plant-store-contract/matchers';
 * import { expect } from 'vitest';
 *
 * expect.extend(matchers);
 * expect({ name: 'Aloe', tag: 'succulent' }).toBePlant();
 * expect({ name: 'Aloe', id: 7 }).not.toBePlant();
 * expect('{"name":"Aloe","tag":null}').not.toBePlant();
 */
export function toBePlant(this: MatcherContext, received: unknown): Result {
  return match(this, received, 'a Plant', (message) => {
    if (message.kind === 'request') return 'it is a request, and a Plant is the body of a response';
    if (message.kind === 'value') return validateResponse({ ...OF_JSON, status: 200, body: message.body });
    return message.status === 200 ? validateResponse(message) : [otherStatus('200', message.status)];
  });
}

/**
 * Whether a value is a NewPlant: `name`, an `id` in the range of int64 (`number` or `bigint`), and perhaps `tag`; or the
 * body of a request is one, as `application/json` (interface: Resources, "NewPlant"). Further fields are not judged.
 *
 * @returns a promise for a `Request` of fetch: await the assertion then
 * @example
 * import * as matchers from 'plant-store-contract/matchers';
 * import { expect } from 'vitest';
 *
 * expect.extend(matchers);
 * expect({ name: 'Aloe', id: 9223372036854775807n }).toBeNewPlant();
 * // Read from text, no id is rounded: this one is past the end of int64.
 * expect('{"name":"Aloe","id":9223372036854775808}').not.toBeNewPlant();
 */
export function toBeNewPlant(this: MatcherContext, received: unknown): Result {
  return match(this, received, 'a NewPlant', (message) => {
    if (message.kind === 'response') return 'it is a response, and a NewPlant is the body of a request';
    const { violations } = judgeBody('NewPlant', message.body);
    return message.kind === 'value'
      ? violations
      : [...judgeMediaType(headerValues(message.headers, 'content-type')), ...violations];
  });
}

/**
 * Whether a value is an Error: `error`, an int32, and `message`; or a response is a 4xx with one (interface: Errors,
 * rule 1). Further fields are not judged.
 *
 * @returns a promise where `toConformToPlantStore` gives one
 * @example
 * import * as matchers from 'plant-store-contract/matchers';
 * import { expect } from 'vitest';
 *
 * expect.extend(matchers);
 * expect({ error: 31, message: '"name" is missing' }).toBePlantStoreError();
 * expect({ error: 'E31', message: '"name" is missing' }).not.toBePlantStoreError();
 * await expect(Response.json({ error: 40, message: 'taken' }, { status: 409 })).toBePlantStoreError();
 */
export function toBePlantStoreError(this: MatcherContext, received: unknown): Result {
  return match(this, received, 'an Error of the plant store', (message) => {
    if (message.kind === 'request') return 'it is a request, and an Error is the body of a response';
    if (message.kind === 'value') return validateResponse({ ...OF_JSON, status: 400, body: message.body });
    return message.status >= 400
      ? validateResponse(message)
      : [otherStatus('400 or another 4xx', message.status)];
  });
}

const A_RESPONSE = 'a response of the plant store';

const OF_JSON = { headers: { 'content-type': 'application/json' } };

type Readable = Exclude<Received, { kind: 'unreadable' }>;

/** @param judge gives the violations, or why there is nothing to judge */
function match(
  context: MatcherContext,
  received: unknown,
  wanted: string,
  judge: (message: Readable) => readonly Violation[] | string,
): Result {
  const settle = (message: Received): MatcherResult => {
    if (message.kind === 'unreadable') return unreadable(context, wanted, message.problem);
    const found = judge(message);
    return typeof found === 'string'
      ? unreadable(context, wanted, found)
      : judged(context, wanted, subjectOf(message), found.filter(isThere));
  };
  const message = read(received);
  if (!(message instanceof Promise)) return settle(message);
  // Asymmetric matchers wait for nothing: they would take a promise for a result whose `pass` is not there.
  return Object.assign(message.then(settle), unreadable(context, wanted, TO_BE_READ));
}

const TO_BE_READ =
  'its body has still to be read, which no asymmetric matcher does; write await expect(response)';

/** A member that is `undefined` is none in JSON. */
function isThere({ keyword, actual }: Violation): boolean {
  return keyword !== 'additionalProperties' || actual !== 'nothing';
}

function subjectOf(message: Readable): Subject {
  return {
    ...(message.kind === 'response' && { status: message.status }),
    contentType: message.kind === 'value' ? [] : headerValues(message.headers, 'content-type'),
    body: message.body,
  };
}

function otherStatus(expected: string, status: number): Violation {
  const message = `the status must be ${expected}; got ${status}`;
  return { part: 'status', pointer: '', keyword: 'status', message, expected, actual: String(status) };
}

/**
 * Matchers for `expect` of Vitest, Jest and every runner that has `expect.extend`. This module imports no runner. It
 * exports the matchers and nothing else, so it can be passed as it is:
 * `expect.extend(await import('plant-store-contract/matchers'))`.
 * @module
 */
import { visibleInLine } from '../../report/escape.js';
import { validateRequest } from '../../validation/request.js';
import { type ResponseOptions, validateResponse } from '../../validation/response.js';
import { errorIn, type Violation } from '../../validation/violation.js';
import { type Received, read } from './message.js';

/** What Vitest, Jest and others expect from a matcher. */
export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** What a runner passes as `this` to a matcher. */
export interface MatcherContext {
  readonly isNot?: boolean | undefined;
}

/**
 * The types of the matchers, as members of `expect(…)`. `plant-store-contract/vitest` declares them for Vitest. For Jest, the
 * README of the matchers shows the declaration.
 */
export interface PlantStoreMatchers<R = void> {
  /** Expects a response that conforms to the interface. Await it for a response of fetch. */
  toConformToPlantStore(options?: ResponseOptions): R;
  /** Expects a Plant, or a 200 with one. */
  toBePlant(): R;
  /** Expects a NewPlant, or a request with one. */
  toBeNewPlant(): R;
  /** Expects an Error, or a 4xx with one. */
  toBePlantStoreError(): R;
}

/**
 * Expects a response that conforms to the interface: status, media type and body (openapi.yaml#/paths/~1plants/post/responses).
 *
 * A response is that of fetch, or any object with `status` or `statusCode`, `headers`, and `body` or `data`: of axios,
 * supertest or light-my-request, or made by hand. A response of fetch can still be read afterwards.
 *
 * Text and bytes are judged exactly. A parsed value, as axios gives it, no longer shows rounded numbers, duplicate keys or a
 * byte-order mark. What is not a response, and a response whose body was read before, fails with `.not` as well.
 *
 * A response with warnings alone conforms: see `Severity`.
 *
 * @param options `{ strict: true }` counts warnings as errors
 * @returns a promise for a response of fetch: **await the assertion**. Without `await` the test passes before the result is
 *   known; Vitest then reports an unhandled rejection, and Jest may report nothing. Asymmetric matchers
 *   (`expect.toBePlant()`) cannot wait, so they fail for such a response
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
): MatcherResult | Promise<MatcherResult> {
  return match(this, received, 'a conforming response', (message) =>
    message.kind === 'response'
      ? validateResponse(message, options)
      : 'it is not a response; a response has a status, headers and a body',
  );
}

/**
 * Expects a Plant as a 200 carries it, or a 200 with one: `name`, perhaps `tag`, and no other field
 * (openapi.yaml#/components/schemas/Plant). A string and bytes are read as JSON.
 *
 * @returns a promise for a response of fetch: await the assertion
 * @example
 * import * as matchers from 'plant-store-contract/matchers';
 * import { expect } from 'vitest';
 *
 * expect.extend(matchers);
 * expect({ name: 'Aloe', tag: 'succulent' }).toBePlant();
 * expect({ name: 'Aloe', id: 7 }).not.toBePlant();
 * expect('{"name":"Aloe","tag":null}').not.toBePlant();
 */
export function toBePlant(this: MatcherContext, received: unknown): MatcherResult | Promise<MatcherResult> {
  return match(this, received, 'a Plant', (message) => {
    if (message.kind === 'request') return 'it is a request; a Plant is the body of a response';
    if (message.kind === 'value') return validateResponse({ ...OF_JSON, status: 200, body: message.body });
    return message.status === 200 ? validateResponse(message) : [statusViolation('200', message.status)];
  });
}

/**
 * Expects a NewPlant, or a request with one as `application/json`: `name`, an `id` in the range of int64 (`number` or
 * `bigint`), and perhaps `tag` (openapi.yaml#/components/schemas/NewPlant). Other fields are not judged.
 *
 * @returns a promise for a fetch `Request`: await the assertion
 * @example
 * import * as matchers from 'plant-store-contract/matchers';
 * import { expect } from 'vitest';
 *
 * expect.extend(matchers);
 * expect({ name: 'Aloe', id: 9223372036854775807n }).toBeNewPlant();
 * // In text, no id is rounded: this one is past the end of int64.
 * expect('{"name":"Aloe","id":9223372036854775808}').not.toBeNewPlant();
 */
export function toBeNewPlant(
  this: MatcherContext,
  received: unknown,
): MatcherResult | Promise<MatcherResult> {
  return match(this, received, 'a NewPlant', (message) => {
    if (message.kind === 'response') return 'it is a response; a NewPlant is the body of a request';
    const { headers } = message.kind === 'value' ? OF_JSON : message;
    return validateRequest({ headers, body: message.body }).filter(({ keyword }) => keyword !== 'bearer');
  });
}

/**
 * Expects an Error, or a 4xx with one: `error`, an int32, and `message` (openapi.yaml#/components/schemas/Error). Other fields are
 * not judged.
 *
 * @returns a promise for a response of fetch: await the assertion
 * @example
 * import * as matchers from 'plant-store-contract/matchers';
 * import { expect } from 'vitest';
 *
 * expect.extend(matchers);
 * expect({ error: 31, message: '"name" is missing' }).toBePlantStoreError();
 * expect({ error: 'E31', message: '"name" is missing' }).not.toBePlantStoreError();
 * await expect(Response.json({ error: 40, message: 'duplicate id' }, { status: 409 })).toBePlantStoreError();
 */
export function toBePlantStoreError(
  this: MatcherContext,
  received: unknown,
): MatcherResult | Promise<MatcherResult> {
  return match(this, received, 'a plant store Error', (message) => {
    if (message.kind === 'request') return 'it is a request; an Error is the body of a response';
    if (message.kind === 'value') return validateResponse({ ...OF_JSON, status: 400, body: message.body });
    return message.status >= 400 && message.status < 500
      ? validateResponse({ ...message, status: 400 })
      : [statusViolation('400 or another 4xx', message.status)];
  });
}

const OF_JSON = { headers: { 'content-type': 'application/json' } };

type Readable = Exclude<Received, { kind: 'unreadable' }>;

/** @param judge returns the violations, or why it cannot judge */
function match(
  context: MatcherContext,
  received: unknown,
  wanted: string,
  judge: (message: Readable) => readonly Violation[] | string,
): MatcherResult | Promise<MatcherResult> {
  const settle = (message: Received): MatcherResult => {
    if (message.kind === 'unreadable') return unreadable(context, wanted, message.problem);
    const found = judge(message);
    if (typeof found === 'string') return unreadable(context, wanted, found);
    const status = message.kind === 'response' ? ` (status ${message.status})` : '';
    // JSON leaves out a member that is `undefined`.
    const all = found.filter(
      ({ keyword, actual }) => keyword !== 'additionalProperties' || actual !== 'nothing',
    );
    const sentences = all.map(sentenceOf);
    return all.every(({ severity }) => severity === 'warning')
      ? { pass: true, message: () => `expected anything but ${wanted}; this is one${status}` }
      : { pass: false, message: () => [`this is not ${wanted}${status}:`, ...sentences].join('\n') };
  };
  const message = read(received);
  if (!(message instanceof Promise)) return settle(message);
  // An asymmetric matcher does not wait: it would read `pass` of the promise.
  const why =
    'its body has to be read first, and an asymmetric matcher cannot wait; write await expect(response)';
  return Object.assign(message.then(settle), unreadable(context, wanted, why));
}

/** What cannot be judged is neither right nor wrong: the assertion fails, with `.not` as well. */
function unreadable({ isNot }: MatcherContext, wanted: string, problem: string): MatcherResult {
  return {
    pass: isNot === true,
    message: () => visibleInLine(`this cannot be judged as ${wanted}: ${problem}`),
  };
}

function sentenceOf({ severity, part, pointer, message }: Violation): string {
  const place = pointer === '' ? '' : `${part} ${pointer}: `;
  return visibleInLine(`  ${severity === 'warning' ? 'warning: ' : ''}${place}${message}`);
}

function statusViolation(expected: string, status: number): Violation {
  const message = `the status must be ${expected}; got ${status}`;
  return errorIn('status', '', 'status', { message, expected, actual: String(status) });
}

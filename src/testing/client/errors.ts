import type { Violation } from '../../validation/violation.js';

/**
 * The plant store rejected the request: a response of 400 or above with an Error (openapi.yaml#/components/schemas/Error), or another
 * rejection that conforms to the interface, such as a 401 without a body.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { createPlantClient, PlantStoreError } from 'plant-store-contract/client';
 * import { createPlantStore } from 'plant-store-contract/server';
 *
 * const { fetch } = createPlantStore({ token: 'secret' });
 * const client = createPlantClient({ baseUrl: 'http://localhost', token: 'another', fetch });
 * await assert.rejects(client.createPlant({ name: 'Aloe', id: 7 }), (error) => {
 *   assert.ok(error instanceof PlantStoreError);
 *   assert.deepEqual([error.status, error.error], [400, 13]);
 *   assert.equal(error.message, 'the token is unknown');
 *   return true;
 * });
 */
export class PlantStoreError extends Error {
  override readonly name = 'PlantStoreError';

  /**
   * @param status the status of the response, 400 or above
   * @param error the code in the Error; its meaning is not shown. `undefined` if the response has no Error
   * @param message the message in the Error, or that there is none; the token is redacted
   */
  constructor(
    readonly status: number,
    readonly error: number | undefined,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The response does not conform to the interface: another status, a redirect, or a body that is not the Plant or the Error
 * that the status requires.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { createPlantClient, UnexpectedResponseError } from 'plant-store-contract/client';
 *
 * const fetch = async () => Response.json({ name: 'Aloe', tag: null });
 * const client = createPlantClient({ baseUrl: 'http://localhost', token: 'secret', fetch });
 * await assert.rejects(client.createPlant({ name: 'Aloe', id: 7 }), (error) => {
 *   assert.ok(error instanceof UnexpectedResponseError);
 *   assert.equal(error.violations[0]?.pointer, '/tag');
 *   assert.equal(error.message, 'the response 200 does not conform: "tag" must be a string; got null');
 *   return true;
 * });
 */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';

  /**
   * @param status the status of the response
   * @param violations all violations, at least one; the token is redacted
   */
  constructor(
    readonly status: number,
    readonly violations: readonly Violation[],
  ) {
    const [first, ...more] = violations.map(({ message }) => message);
    const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
    super(`the response ${status} does not conform: ${first}${others}`);
  }
}

/**
 * There was no complete response: nothing listens, the connection was reset, the host is unknown. The error of `fetch` is
 * its `cause`.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { createPlantClient, NoResponseError } from 'plant-store-contract/client';
 * import { startPlantStore } from 'plant-store-contract/server';
 *
 * const store = await startPlantStore();
 * const client = createPlantClient({ baseUrl: store.url, token: store.token });
 * await store.close();
 * await assert.rejects(client.createPlant({ name: 'Aloe', id: 7 }), NoResponseError);
 */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
}

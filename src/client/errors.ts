import type { PlantStoreError as ErrorBody } from '../spec/types.js';
import type { Violation } from '../validation/violation.js';

/**
 * The plant store refused: an answer of 400 or above that is an Error of the interface (Resources, "Error").
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
 *   assert.equal(error.message, 'the token is not one that this server accepts');
 *   return true;
 * });
 */
export class PlantStoreError extends Error implements ErrorBody {
  override readonly name = 'PlantStoreError';

  /**
   * @param status the status of the answer, 400 or above
   * @param error the number in the Error; what it means is not shown
   * @param message the message in the Error, the token taken out of it
   */
  constructor(
    readonly status: number,
    readonly error: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * What answered does not keep to the interface: another status, a redirect, a body that is no JSON, or that is neither
 * a Plant nor an Error where one is due.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { createPlantClient, UnexpectedAnswerError } from 'plant-store-contract/client';
 *
 * const fetch = async () => Response.json({ name: 'Aloe', tag: null });
 * const client = createPlantClient({ baseUrl: 'http://localhost', token: 'secret', fetch });
 * await assert.rejects(client.createPlant({ name: 'Aloe', id: 7 }), (error) => {
 *   assert.ok(error instanceof UnexpectedAnswerError);
 *   assert.equal(error.violations[0]?.pointer, '/tag');
 *   assert.equal(error.message, 'the answer 200 is not what the interface shows: "tag" must be a string; got null');
 *   return true;
 * });
 */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';

  /**
   * @param status the status of the answer
   * @param violations all that is wrong with it, at least one; no token is in them
   */
  constructor(
    readonly status: number,
    readonly violations: readonly Violation[],
  ) {
    const [first, ...more] = violations.map(({ message }) => message);
    const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
    super(`the answer ${status} is not what the interface shows: ${first}${others}`);
  }
}

/**
 * No answer came, or it broke off: nothing listens, the connection was reset, the name is not known. What `fetch` said
 * is its `cause`.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { createPlantClient, NoAnswerError } from 'plant-store-contract/client';
 * import { startPlantStore } from 'plant-store-contract/server';
 *
 * const store = await startPlantStore();
 * const client = createPlantClient({ baseUrl: store.url, token: store.token });
 * await store.close();
 * await assert.rejects(client.createPlant({ name: 'Aloe', id: 7 }), NoAnswerError);
 */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

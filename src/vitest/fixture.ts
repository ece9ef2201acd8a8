import { type TestAPI, test } from 'vitest';
import type { RunningPlantStore } from '../server/listen.js';
import type { ListenOptions } from '../server/options.js';

/** What {@link plantStoreTest} gives to a test. What a test does not name is not started. */
export interface PlantStoreFixtures {
  /** A reference server of the test's own, on a free port; closed when the test has ended, however it ended. */
  readonly plantStore: RunningPlantStore;
  /** The options of `plantStore`. Default: none. */
  readonly plantStoreOptions: ListenOptions;
  /**
   * A reference server that the tests of a worker share, closed when the worker ends. What one test leaves in it the
   * next one finds, unless it calls `reset()`. In Vitest before 3.2, where no fixture is a worker's, each test has one.
   */
  readonly workerPlantStore: RunningPlantStore;
  /** The options of `workerPlantStore`. Default: none. */
  readonly workerPlantStoreOptions: ListenOptions;
}

type Use<T> = (value: T) => Promise<void>;

async function serve(options: ListenOptions, use: Use<RunningPlantStore>): Promise<void> {
  // Who imports this module for its matchers needs no server.
  const { startPlantStore } = await import('../server/listen.js');
  const store = await startPlantStore(options);
  // Not `await using`: where Vitest runs tests in a context of node:vm, Node 20 has no `Symbol.asyncDispose`.
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

/**
 * Vitest's `test` with a reference server for each test: `plantStore`. Tests may run side by side in any number of
 * workers, for each server has a port and plants of its own.
 *
 * ```
 * plantStoreTest('refuses an id that exists', async ({ plantStore }) => {
 *   plantStore.seed({ name: 'Aloe', id: 7 });
 *   // …
 * });
 * ```
 *
 * In Vitest 4 and 5 its options are overridden as below, those of a worker without saying once more that they are a
 * worker's, which Vitest 4 takes amiss in the pools `vmThreads` and `vmForks`. In Vitest 3, where that reaches no fixture
 * that was there before, by `plantStoreTest.scoped({ plantStoreOptions })` in a group of tests.
 *
 * A server that cannot start fails the test with a ToolkitError: `invalid-option`, `port-in-use` or `cannot-listen`.
 *
 * @example
 * import { plantStoreTest } from 'plant-store-contract/vitest';
 *
 * // With options of its own, for the tests of a file or of a project:
 * export const test = plantStoreTest.extend({
 *   plantStoreOptions: { token: 'secret', repeatedId: 'replace' },
 *   workerPlantStoreOptions: { token: 'secret' },
 * });
 */
export const plantStoreTest: TestAPI<PlantStoreFixtures> = test.extend<PlantStoreFixtures>({
  plantStoreOptions: {},
  plantStore: ({ plantStoreOptions }, use) => serve(plantStoreOptions, use),
  workerPlantStoreOptions: [{}, { scope: 'worker' }],
  workerPlantStore: [
    ({ workerPlantStoreOptions }, use) => serve(workerPlantStoreOptions, use),
    { scope: 'worker' },
  ],
});

import { type TestAPI, test } from 'vitest';
import type { RunningPlantStore } from '../server/listen.js';
import type { ListenOptions } from '../server/options.js';

/** The fixtures of {@link plantStoreTest}. A test starts only the servers that it names. */
export interface PlantStoreFixtures {
  /** A reference server for this test, on a free port. It closes when the test ends, whether it passes or fails. */
  readonly plantStore: RunningPlantStore;
  /** The options of `plantStore`. Default: none. */
  readonly plantStoreOptions: ListenOptions;
  /**
   * A reference server for all tests of a worker; it closes when the worker ends. A test finds the plants of the tests
   * before it, unless it calls `reset()`. Vitest before 3.2 has no worker fixtures; there each test has its own.
   */
  readonly workerPlantStore: RunningPlantStore;
  /** The options of `workerPlantStore`. Default: none. */
  readonly workerPlantStoreOptions: ListenOptions;
}

type Use<T> = (value: T) => Promise<void>;

async function serve(options: ListenOptions, use: Use<RunningPlantStore>): Promise<void> {
  // Tests that use the matchers only need no server.
  const { startPlantStore } = await import('../server/listen.js');
  const store = await startPlantStore(options);
  // Not `await using`: in the pools vmThreads and vmForks, Node 20 has no `Symbol.asyncDispose`.
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

/**
 * Vitest's `test` with a reference server for each test: `plantStore`. Every server has its own port and its own plants,
 * so tests may run in parallel in any number of workers.
 *
 * ```
 * plantStoreTest('rejects a duplicate id', async ({ plantStore }) => {
 *   plantStore.seed({ name: 'Aloe', id: 7 });
 *   // …
 * });
 * ```
 *
 * Set its options with `extend` in Vitest 4 and 5, and with `plantStoreTest.scoped({ plantStoreOptions })` in Vitest 3. Do
 * not repeat the scope of a worker's options: Vitest 4 rejects that in the pools `vmThreads` and `vmForks`.
 *
 * If a server cannot start, the test fails with a ToolkitError: `invalid-option`, `port-in-use` or `cannot-listen`.
 *
 * @example
 * import { plantStoreTest } from 'plant-store-contract/vitest';
 *
 * // For the tests of a file or of a project:
 * export const test = plantStoreTest.extend({
 *   plantStoreOptions: { token: 'secret', duplicateId: 'replace' },
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

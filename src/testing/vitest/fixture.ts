import { type TestAPI, test } from 'vitest';
import type { RunningPlantStore } from '../../server/listen.js';
import type { ListenOptions } from '../../server/options.js';

/** The fixture of {@link plantStoreTest}, and its options. */
export interface PlantStoreFixtures {
  /** A reference server for this test, on a free port. It closes when the test ends, whether it passes or fails. */
  readonly plantStore: RunningPlantStore;
  /** The options of `plantStore`. Default: none. */
  readonly plantStoreOptions: ListenOptions;
}

/**
 * Vitest's `test` with a reference server for each test that names it: `plantStore`. Every server has its own port and its own
 * plants, so tests may run in parallel in any number of workers.
 *
 * ```
 * plantStoreTest('rejects a duplicate id', async ({ plantStore }) => {
 *   plantStore.seed({ name: 'Aloe', id: 7 });
 *   // …
 * });
 * ```
 *
 * Set its options with `extend` in Vitest 4 and 5, and with `plantStoreTest.scoped({ plantStoreOptions })` in Vitest 3.
 *
 * If a server cannot start, the test fails with a ToolkitError: `invalid-option`, `port-in-use` or `cannot-listen`.
 *
 * @example
 * import { plantStoreTest } from 'plant-store-contract/vitest';
 *
 * // For the tests of a file or of a project:
 * export const test = plantStoreTest.extend({
 *   plantStoreOptions: { token: 'secret', duplicateId: 'replace' },
 * });
 */
export const plantStoreTest: TestAPI<PlantStoreFixtures> = test.extend<PlantStoreFixtures>({
  plantStoreOptions: {},
  async plantStore({ plantStoreOptions }, use) {
    // Tests that use the matchers only need no server.
    const { startPlantStore } = await import('../../server/listen.js');
    const store = await startPlantStore(plantStoreOptions);
    // Not `await using`: in the pools vmThreads and vmForks, Node 20 has no `Symbol.asyncDispose`.
    try {
      await use(store);
    } finally {
      await store.close();
    }
  },
});

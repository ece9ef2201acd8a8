import { type TestAPI, test } from 'vitest';
import type { RunningPlantStore } from '../../server/listen.js';
import type { ListenOptions } from '../../server/options.js';

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
  /**
   * What happens if a test passes, and set failures that no request met (`unused()` of its stores): it fails, or nothing.
   * Default `fail`.
   */
  readonly unusedFailures: 'fail' | 'ignore';
  /** Does what `unusedFailures` says for `workerPlantStore`. No test needs to name it. */
  readonly workerFailuresCheck: undefined;
}

/**
 * `extend` of Vitest takes a value of any type for a fixture. For a wrong setting, this one comes first. It returns what is no
 * test, so that a test with that setting does not compile.
 */
interface SettingsCheck {
  extend<const Given extends Record<string, unknown>>(
    fixtures: false extends AreRight<Given> ? Given : never,
  ): WrongPlantStoreSetting;
}

/** What `extend` returns if a setting of the fixture has a name or a value that does not exist. */
interface WrongPlantStoreSetting {
  readonly settings: Pick<PlantStoreFixtures, Setting>;
}

type Setting = 'plantStoreOptions' | 'workerPlantStoreOptions' | 'unusedFailures';

type AreRight<Given> = {
  [Name in keyof Given]: Name extends Setting
    ? IsRight<ValueOf<Given[Name]>, PlantStoreFixtures[Name]>
    : true;
}[keyof Given];

type IsRight<Value, Wanted> = Value extends Wanted
  ? Value extends object
    ? [Exclude<keyof Value, keyof Wanted>] extends [never]
      ? true
      : false
    : true
  : false;

/** A fixture may be a value, a function that makes it, or a list of either and its scope. */
type ValueOf<Fixture> = Fixture extends readonly [infer First, ...unknown[]]
  ? ValueOf<First>
  : Fixture extends (...args: never[]) => unknown
    ? never
    : Fixture;

type Use<T> = (value: T) => Promise<void>;

/** @param atEnd what is done with the failures that were not used, as text; it may throw */
async function serve(
  options: ListenOptions,
  use: Use<RunningPlantStore>,
  atEnd: (unused: readonly string[]) => void,
): Promise<void> {
  // Tests that use the matchers only need no server.
  const { startPlantStore } = await import('../../server/listen.js');
  const { failureText } = await import('../../server/failures/check-failure.js');
  const store = await startPlantStore(options);
  // Not `await using`: in the pools vmThreads and vmForks, Node 20 has no `Symbol.asyncDispose`.
  try {
    await use(store);
    atEnd(store.unused().map(failureText));
  } finally {
    await store.close();
  }
}

function expectNone(unused: readonly string[]): void {
  if (unused.length === 0) return;
  const what = unused.length === 1 ? 'a failure' : 'failures';
  throw new Error(
    `the test set ${what} that no request met:\n  ${unused.join('\n  ')}\n` +
      "Remove what is not needed, or set unusedFailures to 'ignore'.",
  );
}

/** The failures of the store of this worker that were not used, as text. It has none before it starts. */
let unusedInWorker: () => readonly string[] = () => [];

async function serveWorker(options: ListenOptions, use: Use<RunningPlantStore>): Promise<void> {
  const { failureText } = await import('../../server/failures/check-failure.js');
  const shared: Use<RunningPlantStore> = async (store) => {
    unusedInWorker = () => store.unused().map(failureText);
    await use(store);
    unusedInWorker = () => [];
  };
  await serve(options, shared, () => {});
}

/** What is in a list and not in the list before it. An item may be there several times, and with fewer `times` than before. */
function added(list: readonly string[], before: readonly string[]): string[] {
  const withoutTimes = (text: string): string => text.replace(/,times=\d+/, '');
  const old = before.map(withoutTimes);
  return list.filter((text) => {
    const at = old.indexOf(withoutTimes(text));
    if (at !== -1) old.splice(at, 1);
    return at === -1;
  });
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
 * A test fails if it sets failures that no request meets (`unused()` of its stores), unless `unusedFailures` is `'ignore'`.
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
export const plantStoreTest = test.extend<PlantStoreFixtures>({
  plantStoreOptions: {},
  unusedFailures: 'fail',
  plantStore: ({ task, plantStoreOptions, unusedFailures }, use) =>
    serve(plantStoreOptions, use, (unused) => {
      // A test that fails did not get to the requests that it wanted to send.
      if (unusedFailures === 'fail' && task.result?.state !== 'fail') expectNone(unused);
    }),
  workerPlantStoreOptions: [{}, { scope: 'worker' }],
  workerPlantStore: [
    ({ workerPlantStoreOptions }, use) => serveWorker(workerPlantStoreOptions, use),
    { scope: 'worker' },
  ],
  // After each test: Vitest does not wait for what a worker does at its end.
  workerFailuresCheck: [
    async ({ task, unusedFailures }, use) => {
      if (unusedFailures !== 'fail' && unusedFailures !== 'ignore')
        throw new Error(`unusedFailures must be 'fail' or 'ignore'; got ${JSON.stringify(unusedFailures)}`);
      const before = unusedInWorker();
      await use(undefined);
      if (unusedFailures === 'fail' && task.result?.state !== 'fail')
        expectNone(added(unusedInWorker(), before));
    },
    { auto: true },
  ],
}) as SettingsCheck & TestAPI<PlantStoreFixtures>;

import type { NewPlant } from '../spec/types.js';
import { invalidOption } from '../toolkit-error.js';
import { Engine } from './engine.js';
import { checkFailure } from './failures/check-failure.js';
import type { Failure, SetFailure } from './failures/failure.js';
import type { Fault, FaultName } from './faults/names.js';
import { respondToFetch } from './fetch.js';
import { type PlantStoreOptions, type RuntimeOptions, type Settings, settingsFrom } from './options.js';
import type { ReceivedRequest } from './store.js';

/** A plant store, with what a test can see and set. The control interface does the same over HTTP. */
export interface PlantStore {
  /** A web-standard handler, for Hono, MSW and other runtimes. Needs no port. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** An accepted token; empty if a function decides. */
  readonly token: string;
  /** The stored plants, in the order in which their ids were first used. */
  plants(): NewPlant[];
  /** The last requests, oldest first. Tokens are redacted. */
  received(): ReceivedRequest[];
  /**
   * Stores plants without a request. A stored plant with the same id is replaced.
   *
   * @throws ToolkitError `invalid-option` if one is not a NewPlant or has another field, or if two have one id; then none
   *   is stored
   */
  seed(...plants: readonly NewPlant[]): void;
  /**
   * Makes the next valid, authorised creations fail: one, or a number of them. With `when` or `every`, the next of those.
   *
   * @throws ToolkitError `invalid-option` if it is not a failure
   */
  next(failure: SetFailure): void;
  next(times: number, failure: SetFailure): void;
  /**
   * Makes every valid, authorised creation fail, after those of `next`. The latest one that matches applies.
   *
   * @throws ToolkitError `invalid-option` if it is not a failure
   */
  always(failure: SetFailure): void;
  /** Removes all failures. */
  clear(): void;
  /** The failures that were set and not used, or not as often as `times` says. `times` is what is left of it. */
  unused(): Failure[];
  /** The names of the faults that are set. */
  faults(): string[];
  /**
   * Replaces the faults that are set.
   *
   * @throws ToolkitError `invalid-option` if one is unknown; then nothing changes
   */
  setFaults(...faults: readonly (FaultName | Fault)[]): void;
  /** The options that can be changed, with their values. */
  options(): RuntimeOptions;
  /**
   * Changes options, and keeps the others.
   *
   * @throws ToolkitError `invalid-option`, naming the option; then nothing changes
   */
  change(options: RuntimeOptions): void;
  /** As at the start: no requests, and the plants, failures, options and faults of then. */
  reset(): void;
}

/**
 * Creates a plant store without a port: call its `fetch`.
 *
 * @param options see {@link PlantStoreOptions} for the defaults
 * @throws ToolkitError `invalid-option`, naming the option
 * @example
 * import assert from 'node:assert/strict';
 * import { createPlantStore } from 'plant-store-contract/server';
 *
 * const store = createPlantStore({ token: 'secret' });
 * const response = await store.fetch(
 *   new Request('http://localhost/plants', {
 *     method: 'POST',
 *     headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
 *     body: '{"name":"Aloe","id":9223372036854775807}',
 *   }),
 * );
 * assert.deepEqual([response.status, await response.json()], [200, { name: 'Aloe' }]);
 * assert.deepEqual(store.plants(), [{ name: 'Aloe', id: 9223372036854775807n }]);
 */
export function createPlantStore(options: PlantStoreOptions = {}): PlantStore {
  const settings = settingsFrom(options);
  return storeOf(new Engine(settings), settings);
}

/** A store as a test sees it. */
export function storeOf(engine: Engine, { tokens, bodyBytes }: Settings): PlantStore {
  const { plants, received, failures } = engine;
  return {
    fetch: (request) => respondToFetch(request, engine.pipeline, bodyBytes),
    token: tokens[0] ?? '',
    plants: () => plants.list(),
    received: () => received.list(),
    seed: (...seeds) => engine.seed(seeds),
    next: (...given: [SetFailure] | [number, SetFailure]) => {
      const [times, failure] = given.length === 1 ? [1, given[0]] : given;
      failures.add({ ...withoutTimes(failure), times });
    },
    always: (failure) => void failures.add(withoutTimes(failure)),
    clear: () => engine.clear('failures'),
    unused: () => failures.unused(),
    faults: () => engine.faults(),
    setFaults: (...faults) => engine.setFaults(faults),
    options: () => engine.options(),
    change: (changes) => engine.change(changes),
    reset: () => engine.reset(),
  };
}

/** @throws ToolkitError `invalid-option` if it has `times`: next(times, failure) says how often */
function withoutTimes(failure: Failure): Failure {
  checkFailure(failure);
  if (failure.times === undefined) return failure;
  throw invalidOption(
    'write how often a failure applies as next(times, failure); always(failure) has no "times"',
  );
}

import { definedOnly } from '../defined-only.js';
import type { NewPlant } from '../spec/types.js';
import { didYouMean } from '../suggestion.js';
import { invalidOption, reasonOf } from '../toolkit-error.js';
import { newPlantFields } from '../validation/schema.generated.js';
import { validateNewPlant } from '../validation/schema.js';
import { type Answer, type Answering, Waits } from './answering.js';
import type { RuntimeOptions } from './behaviour.js';
import { originFields, originIn } from './cors.js';
import { type Delivery, deliveryOf, type IncomingRequest, type OutgoingResponse } from './exchange.js';
import { checkFailure } from './failures/check-failure.js';
import type { Failure, SetFailure } from './failures/failure.js';
import { FailureQueue } from './failures/failure-queue.js';
import type { Fault } from './faults/fault.js';
import { type FaultName, faultNamed } from './faults/index.js';
import { respondToFetch } from './fetch.js';
import { type Entry, Journal, type ReceivedRequest } from './journal.js';
import type { PlantStoreOptions, Settings } from './options.js';
import { Pipeline } from './pipeline.js';
import { PlantMap } from './plants.js';
import { checkChanges, checkOptions, runtimeOptionsOf, settingsFrom } from './settings.js';
import { correctSteps } from './steps.js';

/** A plant store, with what a test can see and set. The control interface does the same over HTTP. */
export interface PlantStore {
  /** A web-standard handler, for Hono, MSW and other runtimes. Needs no port. */
  readonly fetch: (request: Request | string | URL, init?: RequestInit) => Promise<Response>;
  /** An accepted token; empty if a function decides. */
  readonly token: string;
  /** The stored plants, in the order in which their ids were first used. */
  plants(): NewPlant[];
  /**
   * The last requests, in the order in which they arrived, from the moment of their arrival: one without a response so far has
   * the status 0. Tokens are redacted.
   */
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

/** The plant store behind every entry point. What is not in {@link PlantStore} is for the transports and the control interface. */
export class Store implements PlantStore, Answering {
  readonly token: string;
  readonly bodyBytes: number;
  readonly basePath: string;
  readonly journal: Journal;
  readonly failures: FailureQueue;
  readonly waits = new Waits();
  private readonly plantMap = new PlantMap();
  private settings: Settings;
  private pipeline: Pipeline;

  /** @throws ToolkitError `invalid-option` if a plant or a failure of the start is wrong */
  constructor(private readonly initial: Settings) {
    this.settings = initial;
    this.token = initial.tokens[0] ?? '';
    this.bodyBytes = initial.bodyBytes;
    this.basePath = initial.basePath;
    this.journal = new Journal(initial.tokens);
    this.failures = new FailureQueue(initial.failures);
    this.pipeline = this.build();
    this.seed(...initial.plants);
  }

  readonly fetch: PlantStore['fetch'] = (input, init) => respondToFetch(input, init, this);

  readonly plants = (): NewPlant[] => this.plantMap.list();

  readonly received = (): ReceivedRequest[] =>
    Array.from(this.journal.entries(), (entry) => this.journal.shown(entry));

  readonly seed = (...seeds: readonly NewPlant[]): void => {
    const ids = new Set<bigint>();
    for (const [at, seed] of seeds.entries()) {
      checkSeed(seed, `plant ${at + 1} to seed`);
      const id = BigInt(seed.id);
      if (ids.has(id)) throw invalidOption(`plant ${at + 1} to seed has the id ${id} of a plant before it`);
      ids.add(id);
    }
    for (const { name, id, tag } of seeds)
      this.plantMap.set(tag === undefined ? { name, id } : { name, id, tag });
  };

  readonly next = (...given: [SetFailure] | [number, SetFailure]): void => {
    const [times, failure] = given.length === 1 ? [1, given[0]] : given;
    this.failures.add({ ...withoutTimes(failure), times });
  };

  readonly always = (failure: SetFailure): void => void this.failures.add(withoutTimes(failure));

  readonly clear = (): void => this.failures.clear();

  readonly unused = (): Failure[] => this.failures.unused();

  readonly faults = (): string[] =>
    this.settings.faults.map((fault) => (typeof fault === 'string' ? fault : fault.name));

  readonly setFaults = (...faults: readonly (FaultName | Fault)[]): void => {
    checkOptions({ faults });
    this.settings = { ...this.settings, faults: [...new Set(faults)] };
    this.pipeline = this.build();
  };

  readonly options = (): RuntimeOptions => runtimeOptionsOf(this.settings);

  readonly change = (changes: RuntimeOptions): void => {
    this.settings = { ...this.settings, ...definedOnly(checkChanges(changes)) };
    this.pipeline = this.build();
  };

  readonly reset = (): void => {
    this.clearPlants();
    this.journal.clear();
    this.failures.reset();
    this.seed(...this.initial.plants);
    this.settings = this.initial;
    this.pipeline = this.build();
  };

  clearPlants(): void {
    this.plantMap.clear();
  }

  /** Answers a request. It is in the journal from now on, and {@link sent} says how it ended. */
  async answer(request: IncomingRequest): Promise<Answer> {
    const entry = this.journal.add(request);
    // What is changed while it is answered is for later requests.
    const { pipeline, settings } = this;
    let response: OutgoingResponse;
    try {
      response = await pipeline.respond(request, entry);
    } catch (cause) {
      // A function of the user failed, and its message may contain the token.
      const message = this.journal.redactorFor(request.headers)(reasonOf(cause));
      response = pipeline.failed(request, entry, message);
    }
    const delayMs = settings.delayMs + (response.delayMs ?? 0);
    return { delivery: deliveryOf(response, request.method), delayMs, entry };
  }

  /**
   * Says how a request ended, immediately before its response is sent.
   *
   * @param response left out if none is sent
   */
  sent(entry: Entry, response?: Pick<Delivery, 'status' | 'headers' | 'body'>): void {
    if (response !== undefined) entry.respond(response);
    const { logger } = this.settings;
    if (logger !== undefined) log(logger, this.journal.shown(entry));
  }

  /** The fields of every response that no step made, to a request with these fields. */
  fieldsFor(headers: readonly string[]): string[] {
    return this.settings.cors ? originFields(originIn(headers)) : [];
  }

  private build(): Pipeline {
    const tools = { settings: this.settings, plants: this.plantMap };
    let steps = correctSteps(tools.settings, tools.plants);
    for (const fault of new Set(this.settings.faults))
      steps = { ...steps, ...(typeof fault === 'string' ? faultNamed(fault) : fault).replace(steps, tools) };
    return new Pipeline(steps, this.settings, this.failures);
  }
}

/** A logger that throws must not change the response. */
function log(logger: (entry: ReceivedRequest) => void, entry: ReceivedRequest): void {
  try {
    logger(entry);
  } catch (cause) {
    process.emitWarning(`the logger of the plant store threw: ${String(cause)}`);
  }
}

/**
 * Checks a plant that is stored without a request. A member that a NewPlant does not have would be lost: it is a slip.
 *
 * @param which of those that are stored
 * @throws ToolkitError `invalid-option`
 */
function checkSeed(seed: unknown, which: string): asserts seed is NewPlant {
  const [violation] = validateNewPlant(seed);
  if (violation !== undefined) throw invalidOption(`${which} is not a NewPlant: ${violation.message}`);
  const unknown = Object.keys(seed as NewPlant).find((name) => !newPlantFields.includes(name));
  if (unknown === undefined) return;
  throw invalidOption(
    `${which} has the unknown field ${JSON.stringify(unknown)}${didYouMean(unknown, newPlantFields)}`,
  );
}

/** @throws ToolkitError `invalid-option` if it has `times`: next(times, failure) says how often */
function withoutTimes(failure: Failure): Failure {
  checkFailure(failure);
  if (failure.times === undefined) return failure;
  throw invalidOption(
    'write how often a failure applies as next(times, failure); always(failure) has no "times"',
  );
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
  return new Store(settingsFrom(options));
}

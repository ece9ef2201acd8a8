import { EventEmitter } from 'node:events';
import { definedOnly } from '../defined-only.js';
import type { NewPlant } from '../spec/types.js';
import { didYouMean } from '../suggestion.js';
import { invalidOption } from '../toolkit-error.js';
import { newPlantFields } from '../validation/schema.generated.js';
import { validateNewPlant } from '../validation/schema.js';
import type { Pipeline } from './exchange.js';
import { FailureQueue } from './failures/failure-queue.js';
import { faults } from './faults/index.js';
import type { Fault, FaultName } from './faults/names.js';
import {
  checkChanges,
  checkOptions,
  type RuntimeOptions,
  runtimeOptionsOf,
  type Settings,
} from './options.js';
import { createPipeline } from './pipeline.js';
import { PlantMap, ReceivedLog, type ReceivedRequest } from './store.js';
import { TokenRedactor } from './token.js';

/** What runs behind every entry point: the pipeline, with what it works on. It can be changed while it runs. */
export class Engine {
  /** Says each request that was received. */
  readonly events = new EventEmitter<{ received: [ReceivedRequest] }>().setMaxListeners(0);
  readonly plants: PlantMap;
  readonly received: ReceivedLog;
  readonly failures: FailureQueue;
  private readonly redactor: TokenRedactor;
  private settings: Settings;
  private faultList: readonly (FaultName | Fault)[];
  private current: Pipeline;

  constructor(private readonly initial: Settings) {
    this.settings = initial;
    this.plants = new PlantMap();
    this.redactor = new TokenRedactor(initial.tokens);
    this.received = new ReceivedLog(this.redactor);
    this.failures = new FailureQueue(initial.failures);
    this.faultList = initial.faults;
    this.current = this.build();
    this.seed(initial.plants);
  }

  /** Responds to a request. */
  readonly pipeline: Pipeline = (request) => this.current(request);

  options(): RuntimeOptions {
    return runtimeOptionsOf(this.settings);
  }

  /** @throws ToolkitError `invalid-option`, naming the option; then nothing changes */
  change(changes: unknown): void {
    this.settings = { ...this.settings, ...definedOnly(checkChanges(changes)) };
    this.current = this.build();
  }

  faults(): string[] {
    return this.faultList.map((fault) => (typeof fault === 'string' ? fault : fault.name));
  }

  /** @throws ToolkitError `invalid-option` if one is unknown; then nothing changes */
  setFaults(given: unknown): void {
    const checked = given as (FaultName | Fault)[];
    checkOptions({ faults: checked });
    this.faultList = [...new Set(checked)];
    this.current = this.build();
  }

  /** @throws ToolkitError `invalid-option` if one is wrong, or two have one id; then none is stored */
  seed(seeds: readonly unknown[]): void {
    const ids = new Set<bigint>();
    for (const [at, seed] of seeds.entries()) {
      checkSeed(seed, `plant ${at + 1} to seed`);
      const id = BigInt(seed.id);
      if (ids.has(id)) throw invalidOption(`plant ${at + 1} to seed has the id ${id} of a plant before it`);
      ids.add(id);
    }
    for (const { name, id, tag } of seeds as readonly NewPlant[])
      this.plants.set(tag === undefined ? { name, id } : { name, id, tag });
  }

  clear(what: 'plants' | 'requests' | 'failures'): void {
    const kept = { plants: this.plants, requests: this.received, failures: this.failures };
    kept[what].clear();
  }

  /** As at the start: no requests, and the plants, failures, options and faults of then. */
  reset(): void {
    for (const what of ['plants', 'requests', 'failures'] as const) this.clear(what);
    this.seed(this.initial.plants);
    this.failures.reset();
    this.settings = this.initial;
    this.faultList = this.initial.faults;
    this.current = this.build();
  }

  private build(): Pipeline {
    const { settings, plants, received, redactor, failures, events, faultList } = this;
    const replacing = [...new Set(faultList)].map((fault) =>
      typeof fault === 'string' ? { name: fault, ...faults[fault] } : fault,
    );
    return createPipeline({ settings, plants, received, redactor, failures, events }, replacing);
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

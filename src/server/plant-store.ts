import type { NewPlant } from '../spec/types.js';
import { ToolkitError } from '../toolkit-error.js';
import { validateNewPlant } from '../validation/schema.js';
import type { Answer, Pipeline } from './exchange.js';
import type { Fault } from './faults/fault.js';
import { type FaultName, loadFaults } from './faults/names.js';
import { type PlantStoreOptions, type Settings, settingsFrom } from './options.js';
import { createPipeline } from './pipeline.js';
import { PlantMap, ReceivedLog, type ReceivedRequest } from './store.js';
import { redactor } from './token.js';

/** A plant store: what it answers, and what the test that owns it can see and set. */
export interface PlantStore {
  /** Answers a web-standard request; what Hono, MSW and other runtimes call. Needs no port. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** A token that is accepted; empty where a function decides. */
  readonly token: string;
  /** The plants that are stored, in the order in which their ids came. */
  plants(): NewPlant[];
  /** The last requests, oldest first, without tokens. */
  received(): ReceivedRequest[];
  /**
   * Stores plants without a request.
   *
   * @throws ToolkitError `invalid-option` where one is no NewPlant; then none is stored
   */
  seed(...plants: readonly NewPlant[]): void;
  /** Forgets all plants and all requests. */
  reset(): void;
}

/**
 * Makes a plant store with no port: call its `fetch`.
 *
 * @param options every default is in {@link PlantStoreOptions}
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
  return assemble(settingsFrom(options)).store;
}

/** A store, and the pipeline behind it. */
export function assemble(settings: Settings): { store: PlantStore; pipeline: Pipeline } {
  const plants = new PlantMap();
  const received = new ReceivedLog(settings.receivedRequests, redactor(settings.tokens));
  const build = (faults: readonly Fault[]): Pipeline => createPipeline(settings, plants, received, faults);
  const pipeline = settings.faults.length === 0 ? build([]) : withFaults(settings.faults, build);
  const store: PlantStore = {
    fetch: (request) => answerFetch(request, pipeline, settings.limits.bodyBytes),
    token: settings.tokens[0] ?? '',
    plants: () => plants.list(),
    received: () => received.list(),
    seed(...seeds) {
      for (const seed of seeds) refuseWrongSeed(seed);
      for (const seed of seeds) plants.set({ ...seed });
    },
    reset() {
      plants.clear();
      received.clear();
    },
  };
  return { store, pipeline };
}

/** A pipeline whose first request waits until the faults are loaded. */
function withFaults(names: readonly FaultName[], build: (faults: readonly Fault[]) => Pipeline): Pipeline {
  const ready = loadFaults().then((faults) => build(faults.filter(({ name }) => names.includes(name))));
  return async (request) => (await ready)(request);
}

function refuseWrongSeed(seed: NewPlant): void {
  const [violation] = validateNewPlant(seed);
  if (violation !== undefined)
    throw new ToolkitError('invalid-option', `a plant to seed is wrong: ${violation.message}`);
}

/** Where a `fetch` handler has no connections, each request is its own. */
async function answerFetch(request: Request, pipeline: Pipeline, limit: number): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const answer = await pipeline({
    method: request.method,
    target: pathname + search,
    headers: [...request.headers].flat(),
    body: await readWithin(request, limit),
    connection: request,
  });
  return toResponse(answer, request.method);
}

/** The body, or undefined where it is larger than the limit; the rest is not read then. */
async function readWithin(request: Request, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toResponse(
  { status, headers, body, delivery }: Answer,
  method: string,
): Response | Promise<Response> {
  if (delivery === 'hang') return new Promise(() => {});
  // What fetch itself says of a connection that is reset.
  if (delivery === 'reset') throw new TypeError('fetch failed: the connection was reset');
  const pairs: [string, string][] = [];
  for (let i = 0; i < headers.length; i += 2) pairs.push([headers[i] as string, headers[i + 1] as string]);
  const empty = body.length === 0 || method === 'HEAD' || status === 204;
  // Of a body that is longer than it is said to be, a client sees the beginning.
  const bytes = Buffer.from(body as string).subarray(
    0,
    delivery === 'short-length' ? body.length : undefined,
  );
  return new Response(empty ? null : delivery === 'truncated' ? brokenOff(bytes) : bytes, {
    status,
    headers: pairs,
  });
}

/** Half of the bytes, then an error. */
function brokenOff(bytes: Buffer): ReadableStream {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent) controller.error(new TypeError('terminated: the connection ended inside the body'));
      else controller.enqueue(bytes.subarray(0, bytes.length >> 1));
      sent = true;
    },
  });
}

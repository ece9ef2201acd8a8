import { fieldsFrom } from '../http/fields.js';
import type { NewPlant } from '../spec/types.js';
import { invalidOption } from '../toolkit-error.js';
import { validateNewPlant } from '../validation/schema.js';
import type { OutgoingResponse, Pipeline } from './exchange.js';
import { type Fault, type FaultName, loadFaults } from './faults/names.js';
import { type PlantStoreOptions, type Settings, settingsFrom } from './options.js';
import { createPipeline } from './pipeline.js';
import { PlantMap, ReceivedLog, type ReceivedRequest } from './store.js';
import { TokenRedactor } from './token.js';

/** A plant store, with what a test can see and set. */
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
   * Stores plants without a request.
   *
   * @throws ToolkitError `invalid-option` if one is not a NewPlant; then none is stored
   */
  seed(...plants: readonly NewPlant[]): void;
  /** Removes all plants and all requests. */
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
  return assemble(settingsFrom(options)).store;
}

/** Creates a store and its pipeline. */
export function assemble(settings: Settings): { store: PlantStore; pipeline: Pipeline } {
  const plants = new PlantMap();
  const redactor = new TokenRedactor(settings.tokens);
  const received = new ReceivedLog(settings.receivedRequests, redactor);
  const build = (faults: readonly Fault[]): Pipeline =>
    createPipeline(settings, plants, received, redactor, faults);
  const pipeline = settings.faults.length === 0 ? build([]) : withFaults(settings.faults, build);
  const store: PlantStore = {
    fetch: (request) => respondToFetch(request, pipeline, settings.limits.bodyBytes),
    token: settings.tokens[0] ?? '',
    plants: () => plants.list(),
    received: () => received.list(),
    seed(...seeds) {
      for (const seed of seeds) checkSeed(seed);
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

function checkSeed(seed: NewPlant): void {
  const [violation] = validateNewPlant(seed);
  if (violation !== undefined) throw invalidOption(`a plant to seed is not a NewPlant: ${violation.message}`);
}

/** A fetch handler has no connections: each request is its own. */
async function respondToFetch(request: Request, pipeline: Pipeline, limit: number): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const outgoing = await pipeline({
    method: request.method,
    target: pathname + search,
    headers: [...request.headers].flat(),
    body: await readWithin(request, limit),
    connection: request,
  });
  return toResponse(outgoing, request.method);
}

/** The body, or undefined if it is larger than the limit; then the rest is not read. */
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
  { status, headers, body, delivery }: OutgoingResponse,
  method: string,
): Response | Promise<Response> {
  if (delivery === 'hang') return new Promise(() => {});
  // As fetch does for a reset connection.
  if (delivery === 'reset') throw new TypeError('fetch failed: the connection was reset');
  const empty = body.length === 0 || method === 'HEAD' || status === 204;
  // With a too short Content-Length, a client receives the beginning of the body.
  const bytes = Buffer.from(body as string).subarray(
    0,
    delivery === 'short-length' ? body.length : undefined,
  );
  return new Response(empty ? null : delivery === 'truncated' ? halfOf(bytes) : bytes, {
    status,
    headers: fieldsFrom(headers).map(([name, value]) => [name, value]),
  });
}

/** Half of the bytes, then an error. */
function halfOf(bytes: Buffer): ReadableStream {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent) controller.error(new TypeError('terminated: the connection ended inside the body'));
      else controller.enqueue(bytes.subarray(0, bytes.length >> 1));
      sent = true;
    },
  });
}

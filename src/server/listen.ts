import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listen } from '../http/address.js';
import { headerValues } from '../http/fields.js';
import { Connections, respondToConnect, respondToMalformed, type ServerSocket } from './connections.js';
import { Engine } from './engine.js';
import { andThen, type Pipeline } from './exchange.js';
import { type ListenOptions, type Settings, settingsFrom } from './options.js';
import { type PlantStore, storeOf } from './plant-store.js';
import { send } from './send.js';

/** A plant store that listens. */
export interface RunningPlantStore extends PlantStore, AsyncDisposable {
  /** The base URL: `http://127.0.0.1:12345`. Plants are created at `/plants` below it. */
  readonly url: string;
  readonly port: number;
  /** Stops listening, waits up to 5 s for requests in progress, and closes every connection. */
  close(): Promise<void>;
}

/**
 * Starts a plant store on a port. Default: a free port of 127.0.0.1.
 *
 * @param options see {@link ListenOptions} for the defaults
 * @throws ToolkitError `invalid-option`, `port-in-use` or `cannot-listen`
 * @example
 * import assert from 'node:assert/strict';
 * import { startPlantStore } from 'plant-store-contract/server';
 *
 * await using store = await startPlantStore({ token: 'secret' });
 * const response = await fetch(`${store.url}/plants`, {
 *   method: 'POST',
 *   headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
 *   body: JSON.stringify({ name: 'Aloe', id: 7, tag: 'succulent' }),
 * });
 * assert.deepEqual(await response.json(), { name: 'Aloe', tag: 'succulent' });
 * assert.equal(store.received()[0]?.status, 200);
 */
export async function startPlantStore(options: ListenOptions = {}): Promise<RunningPlantStore> {
  return (await startWithEngine(options)).store;
}

/** Starts a plant store, and returns also what runs behind it. */
export async function startWithEngine(
  options: ListenOptions,
): Promise<{ readonly store: RunningPlantStore; readonly engine: Engine }> {
  const settings = settingsFrom(options);
  const engine = new Engine(settings);
  const server = httpServer(settings, engine.pipeline);
  const connections = new Connections(server);
  const where = await listen(server, settings.host, settings.port);
  const close = (): Promise<void> => connections.close();
  const store = { ...storeOf(engine, settings), ...where, close, [Symbol.asyncDispose]: close };
  return { store, engine };
}

/** Time for the header section of a request to arrive. */
const HEADERS_TIMEOUT_MS = 10_000;

function httpServer({ bodyBytes, requestTimeoutMs }: Settings, pipeline: Pipeline): Server {
  const respond = (request: IncomingMessage, response: ServerResponse): void =>
    readAndRespond(request, response, pipeline, bodyBytes, server);
  const server = createServer(
    {
      // Node rejects a headers timeout that is longer than the request timeout.
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      // Node would respond to a request without Host with an empty 400; the pipeline sends an Error.
      requireHostHeader: false,
      // How often Node looks for slow requests.
      connectionsCheckingInterval: Math.min(1_000, requestTimeoutMs),
    },
    respond,
  );
  // Node would drop header fields after the 2,000th. Their total size is limited anyway.
  server.maxHeadersCount = 0;
  // An unknown expectation is ignored, as RFC 9110, section 10.1.1 allows.
  server.on('checkExpectation', respond);
  server.on('clientError', respondToMalformed);
  server.on('connect', respondToConnect);
  return server;
}

/** So many pieces of a body are kept as they came. */
const MOST_PIECES = 1_000;

function readAndRespond(
  request: IncomingMessage,
  response: ServerResponse,
  pipeline: Pipeline,
  limit: number,
  server: Server,
): void {
  const { method = '', url = '', rawHeaders, httpVersion, socket } = request;
  const connection: ServerSocket = socket;
  connection.previous = connection.latest;
  connection.latest = response;
  const malformed = hostProblem(request);
  let chunks: Buffer[] = [];
  let length = 0;
  let responded = false;
  const respond = (body: Buffer | undefined): void => {
    responded = true;
    const received = {
      method,
      target: url,
      headers: rawHeaders,
      body,
      pieces: chunks,
      httpVersion,
      connection: socket,
      malformed,
    };
    andThen(pipeline(received), (delivery) => send(delivery, response, server));
  };
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= limit) {
      // Chunks of a byte would take hundreds of times their length.
      if (chunks.length === MOST_PIECES) chunks = [Buffer.concat(chunks)];
      chunks.push(chunk);
    } else if (!responded) {
      // The rest is read and dropped, so a client that sends everything before it reads gets the response too.
      chunks = [];
      respond(undefined);
    }
  });
  request.on('end', () => {
    if (!responded) respond(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length));
  });
  // The client is gone.
  request.on('error', ignore);
}

function ignore(): void {}

/** RFC 9112, section 3.2: an HTTP/1.1 request must have one Host. */
function hostProblem({ rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  const hosts = headerValues(rawHeaders, 'host').length;
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return undefined;
  return hosts === 0 ? 'the Host header is missing' : 'there is more than one Host header';
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { clearTimeout, setTimeout } from 'node:timers';
import { type Listening, listen } from '../http/address.js';
import { headerValues } from '../http/fields.js';
import { Engine } from './engine.js';
import { errorCodes } from './error-codes.js';
import type { Delivery, Pipeline } from './exchange.js';
import { type ListenOptions, type Settings, settingsFrom } from './options.js';
import { type PlantStore, storeOf } from './plant-store.js';

/** A plant store that listens on a port. */
export interface RunningPlantStore extends PlantStore, Listening, AsyncDisposable {
  /** Stops listening, waits up to 5 s for requests in progress, and closes every connection. */
  close(): Promise<void>;
}

/**
 * Starts a plant store on a port, with `node:http`.
 *
 * @param options see {@link ListenOptions} for the defaults; the default port is a free one of 127.0.0.1
 * @throws ToolkitError `invalid-option`, `port-in-use` or `cannot-listen`
 * @example
 * import assert from 'node:assert/strict';
 * import { startPlantStore } from 'plant-store-contract/server';
 *
 * await using store = await startPlantStore({ token: 'secret' });
 * const response = await fetch(`${store.url}/plants`, {
 *   method: 'POST',
 *   headers: { Authorization: 'Bearer secret', 'Content-Type': 'application/json' },
 *   body: '{"name":"Aloe","id":7,"tag":"succulent"}',
 * });
 * assert.deepEqual(await response.json(), { name: 'Aloe', tag: 'succulent' });
 * assert.deepEqual(store.plants(), [{ name: 'Aloe', id: 7, tag: 'succulent' }]);
 */
export async function startPlantStore(options: ListenOptions = {}): Promise<RunningPlantStore> {
  return (await startWithEngine(options)).store;
}

/** The same with its engine, for what the package itself shows of a server. */
export async function startWithEngine(
  options: ListenOptions = {},
): Promise<{ readonly store: RunningPlantStore; readonly engine: Engine }> {
  const settings = settingsFrom(options);
  const engine = new Engine(settings);
  const server = httpServer(settings, engine.pipeline);
  const close = closer(server);
  const where = await listen(server, settings.host, settings.port);
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
      // Clients end unused connections themselves. A server that ends one may break the next request, and no client may send
      // a POST again by itself.
      keepAliveTimeout: 0,
    },
    respond,
  );
  // Node would drop header fields after the 2,000th. Their total size is limited anyway.
  server.maxHeadersCount = 0;
  // An unknown expectation is ignored, as RFC 9110, section 10.1.1 allows.
  server.on('checkExpectation', respond);
  server.on('clientError', respondToMalformed);
  return server;
}

/** A connection, the response to its last request, and whether a request is left without a response. */
type ServerSocket = Duplex & {
  readonly bytesRead?: number;
  latest?: ServerResponse;
  hanging?: boolean;
};

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
  (socket as ServerSocket).latest = response;
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  let chunks: Buffer[] = [];
  let length = 0;
  let responded = false;
  const respond = async (body: Buffer | undefined): Promise<void> => {
    responded = true;
    const delivery = await pipeline({
      method,
      target: url,
      headers: rawHeaders,
      body,
      pieces: chunks,
      httpVersion,
      connection: socket,
      malformed: hostProblem(request),
      signal: gone.signal,
    });
    send(delivery, response, server);
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
      void respond(undefined);
    }
  });
  request.on('end', () => {
    if (!responded) void respond(Buffer.concat(chunks));
  });
  // The client is gone.
  request.on('error', () => {});
}

/** Sends a response on its connection. */
export function send(delivery: Delivery, response: ServerResponse, server: Pick<Server, 'listening'>): void {
  // Not the socket of the response, which has none while an earlier response is unfinished.
  const { socket } = response.req;
  if (socket.destroyed) return;
  const { status, headers, body, contentLength, end } = delivery;
  if (end === 'never') {
    (socket as ServerSocket).hanging = true;
    return;
  }
  if (end === 'reset') {
    socket.resetAndDestroy();
    return;
  }
  // While the server closes, connections are not kept.
  if (!server.listening) response.shouldKeepAlive = false;
  const length = contentLength === undefined ? [] : ['content-length', String(contentLength)];
  response.writeHead(status, [...headers, ...length]);
  if (end === 'close') response.write(body, () => socket.destroySoon());
  // Node writes a text together with the head, and bytes apart. Latin-1 preserves every byte.
  else response.end(Buffer.from(body).toString('latin1'), 'latin1');
}

/** RFC 9112, section 3.2: an HTTP/1.1 request must have one Host. */
function hostProblem({ rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  const hosts = headerValues(rawHeaders, 'host').length;
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return undefined;
  return hosts === 0 ? 'the Host header is missing' : 'there is more than one Host header';
}

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the request line and headers are larger than 16 KiB',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'the chunk extensions are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
};

/** How long a client that still sends has to read the response. */
const LINGER_MS = 1_000;

/**
 * Responds to what `node:http` rejects before there is a request: broken framing, too large header sections, too slow
 * requests. It gets one 400 with an Error, and then the connection ends.
 */
function respondToMalformed(
  cause: NodeJS.ErrnoException & { readonly reason?: string },
  socket: ServerSocket,
): void {
  // Node reports every further part of the same malformed request.
  if (socket.writableEnded) return;
  const { latest } = socket;
  // The client is gone, or got its response before it sent the whole request.
  if (!socket.writable || cause.code === 'ECONNRESET' || (latest?.headersSent && !latest.req.complete)) {
    socket.destroy();
    return;
  }
  const message =
    REASONS[cause.code ?? ''] ?? `the request is not well-formed HTTP: ${cause.reason ?? cause.message}`;
  const body = JSON.stringify({ error: errorCodes['malformed-http'], message });
  const head = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close`;
  socket.end(`HTTP/1.1 400 Bad Request\r\n${head}\r\n\r\n${body}`);
  // Read and drop what the client still sends for a while: a reset could destroy the response on its way.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** How long `close` waits for requests in progress. */
const CLOSE_GRACE_MS = 5_000;

/** A function that stops listening, waits a while for requests in progress, and closes every connection. */
function closer(server: Server): () => Promise<void> {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  let closed: Promise<void> | undefined;
  return () => {
    closed ??= new Promise((resolve) => {
      const giveUp = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
      server.close(() => {
        clearTimeout(giveUp);
        resolve();
      });
      server.closeIdleConnections();
      // Node takes a connection without any request for a busy one.
      for (const socket of open)
        if (socket.bytesRead === 0 || (socket as ServerSocket).hanging === true) socket.destroy();
    });
    return closed;
  };
}

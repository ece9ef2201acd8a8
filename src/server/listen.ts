import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clearTimeout, setTimeout } from 'node:timers';
import { type Listening, listen } from '../http/address.js';
import { fieldsFrom, headerValues } from '../http/fields.js';
import { errorCodes } from './error-codes.js';
import type { Delivery } from './exchange.js';
import type { ListenOptions } from './options.js';
import { type PlantStore, Store } from './plant-store.js';
import { settingsFrom } from './settings.js';

/** A plant store that listens on a port. Its URL has the base path, if there is one. */
export interface RunningPlantStore extends PlantStore, Listening, AsyncDisposable {
  /**
   * Stops listening, and closes every connection. It waits up to 5 s for requests that are being answered, and 0.5 s for those that
   * are still arriving. What is only delayed, or hangs, ends at once.
   */
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
  return await startStore(options);
}

/** The same, with all that the control interface needs. */
export async function startStore(options: ListenOptions = {}): Promise<Store & RunningPlantStore> {
  const settings = settingsFrom(options);
  const store = new Store(settings);
  const server = httpServer(store, settings.requestTimeoutMs);
  const close = closer(server, store);
  const { url, port } = await listen(server, settings.host, settings.port);
  return Object.assign(store, { url: url + settings.basePath, port, close, [Symbol.asyncDispose]: close });
}

/** Time for the header section of a request to arrive. */
const HEADERS_TIMEOUT_MS = 10_000;

function httpServer(store: Store, requestTimeoutMs: number): Server {
  const receive = (request: IncomingMessage, response: ServerResponse): void =>
    receiveRequest(request, response, store, server);
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
    receive,
  );
  // Node would drop header fields after the 2,000th. Their total size is limited anyway.
  server.maxHeadersCount = 0;
  // An unknown expectation is ignored, as RFC 9110, section 10.1.1 allows.
  server.on('checkExpectation', receive);
  server.on('clientError', (cause: ClientError, socket) =>
    respondToMalformed(cause, socket as ServerSocket, store),
  );
  return server;
}

/** A connection, the response to its last request, and how many of its requests are being answered. */
type ServerSocket = Socket & { latest?: ServerResponse; underWay?: number };

/** How many pieces of a body are kept as they came. */
const MOST_PIECES = 1_000;

/** Reads a request, and answers it once it is there. */
function receiveRequest(
  request: IncomingMessage,
  response: ServerResponse,
  store: Store,
  server: Server,
): void {
  (request.socket as ServerSocket).latest = response;
  let pieces: Buffer[] = [];
  let length = 0;
  let isAnswered = false;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= store.bodyBytes) {
      // Chunks of a byte would take hundreds of times their length.
      if (pieces.length === MOST_PIECES) pieces = [Buffer.concat(pieces)];
      pieces.push(chunk);
    } else if (!isAnswered) {
      // The rest is read and dropped, so a client that sends everything before it reads gets the response too.
      pieces = [];
      isAnswered = true;
      void respond(request, response, undefined, pieces, store, server);
    }
  });
  request.on('end', () => {
    if (isAnswered) return;
    const [first, ...more] = pieces;
    const body = first !== undefined && more.length === 0 ? first : Buffer.concat(pieces);
    void respond(request, response, body, pieces, store, server);
  });
  // The client is gone.
  request.on('error', ignore);
}

function ignore(): void {}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer | undefined,
  pieces: readonly Buffer[],
  store: Store,
  server: Server,
): Promise<void> {
  const { method = '', url: target = '', rawHeaders: headers, httpVersion } = request;
  const socket = request.socket as ServerSocket;
  const malformed = hostProblem(request);
  socket.underWay = (socket.underWay ?? 0) + 1;
  const answer = await store.answer({
    ...{ method, target, headers, body, pieces, httpVersion, connection: socket, malformed },
  });
  socket.underWay--;
  const { delivery, delayMs, entry } = answer;
  const wait = (milliseconds: number): Promise<boolean> =>
    store.waits.wait(milliseconds, (cut) => response.once('close', cut));
  const isDue = delayMs === 0 || (await wait(delayMs));
  if (!isDue) socket.destroy();
  const isSent = !socket.destroyed && (delivery.end === 'complete' || delivery.end === 'close');
  store.sent(entry, isSent ? delivery : undefined);
  if (delivery.end === 'never' && !socket.destroyed) {
    await wait(Number.POSITIVE_INFINITY);
    socket.destroy();
  } else send(delivery, response, server);
}

/** Sends a response on its connection. */
export function send(delivery: Delivery, response: ServerResponse, server: Pick<Server, 'listening'>): void {
  // Not the socket of the response, which has none while an earlier response is unfinished.
  const { socket } = response.req;
  const { status, headers, body, contentLength, end } = delivery;
  if (socket.destroyed || end === 'never') return;
  if (end === 'reset') {
    socket.resetAndDestroy();
    return;
  }
  // While the server closes, connections are not kept.
  if (!server.listening) response.shouldKeepAlive = false;
  response.writeHead(
    status,
    contentLength === undefined ? [...headers] : [...headers, 'content-length', String(contentLength)],
  );
  // Node writes a text together with the head.
  if (end === 'close') response.write(body, 'latin1', () => socket.destroySoon());
  else response.end(body, 'latin1');
}

/** RFC 9112, section 3.2: an HTTP/1.1 request must have one Host. */
function hostProblem({ rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  const hosts = headerValues(rawHeaders, 'host').length;
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return undefined;
  return hosts === 0 ? 'the Host header is missing' : 'there is more than one Host header';
}

/** An error of Node about a request that it could not read, with the bytes in which it found it. */
type ClientError = NodeJS.ErrnoException & { readonly reason?: string; readonly rawPacket?: Buffer };

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the request line and headers are larger than 16 KiB',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'the chunk extensions are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
};

/** What is no HTTP/1.1 at all, by its first bytes. */
const OTHER_PROTOCOLS: Readonly<Record<string, string>> = {
  // A record of TLS.
  '\x16\x03': 'it is TLS, and this server has none; write http:// instead of https://',
  'PRI * HTTP/2': 'it is HTTP/2, and this server speaks HTTP/1.1',
};

/** How long a client that still sends has to read the response. */
const LINGER_MS = 1_000;

/**
 * Responds to what `node:http` rejects before there is a request: broken framing, too large header sections, too slow
 * requests. It gets one 400 with an Error, and then the connection ends.
 */
function respondToMalformed(cause: ClientError, socket: ServerSocket, store: Store): void {
  const { latest } = socket;
  // Node reports every further part of the same malformed request.
  if (socket.writableEnded) return;
  // Who has asked nothing gets no response: it would count as that to the first request. The connection stays usable.
  if (cause.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0) return;
  // The client is gone, or got its response before it sent the whole request.
  if (!socket.writable || cause.code === 'ECONNRESET' || (latest?.headersSent && !latest.req.complete)) {
    socket.destroy();
    return;
  }
  const request = latest?.req.complete === false ? latest.req : undefined;
  const packet = cause.rawPacket?.toString('latin1') ?? '';
  const [, protocol] = Object.entries(OTHER_PROTOCOLS).find(([start]) => packet.startsWith(start)) ?? [];
  const why = protocol ?? cause.reason ?? cause.message;
  const message = REASONS[cause.code ?? ''] ?? `the request is not well-formed HTTP: ${why}`;
  const headers = request?.rawHeaders ?? originOf(packet);
  const body = JSON.stringify({ error: errorCodes['malformed-http'], message });
  const fields = [
    ...['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(body))],
    ...['Connection', 'close', ...store.fieldsFor(headers)],
  ];
  const lines = fieldsFrom(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const { method = '', url: target = '', rawHeaders = [] } = request ?? {};
  const entry = store.journal.add({ method, target, headers: rawHeaders, body: undefined });
  entry.rejection = message;
  store.sent(entry, { status: 400, headers: fields, body });
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`, 'latin1');
  // Read and drop what the client still sends for a while: a reset could destroy the response on its way.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** The origin in the part of a request that could not be read, as a field. */
function originOf(packet: string): string[] {
  const origin = /\r\norigin:[ \t]*([\x21-\x7e]{1,300})[ \t]*\r\n/i.exec(packet)?.[1];
  return origin === undefined ? [] : ['Origin', origin];
}

/** How long `close` waits for requests that are being answered. */
const ANSWER_GRACE_MS = 5_000;
/** And for those that are still arriving: their client may have given up. */
const ARRIVAL_GRACE_MS = 500;

/** A function that stops listening, waits a while for requests in progress, and closes every connection. */
function closer(server: Server, store: Store): () => Promise<void> {
  const open = new Set<ServerSocket>();
  server.on('connection', (socket: ServerSocket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  let closed: Promise<void> | undefined;
  return () => {
    closed ??= new Promise((resolve) => {
      const destroy = (isLeft: (socket: ServerSocket) => boolean): void => {
        for (const socket of open) if (isLeft(socket)) socket.destroy();
      };
      const timers = [
        setTimeout(() => destroy(({ underWay = 0 }) => underWay === 0), ARRIVAL_GRACE_MS),
        setTimeout(() => destroy(() => true), ANSWER_GRACE_MS),
      ];
      server.close(() => {
        for (const timer of timers) clearTimeout(timer);
        resolve();
      });
      store.waits.end();
      server.closeIdleConnections();
      // Node takes a connection without any request for a busy one.
      destroy(({ bytesRead }) => bytesRead === 0);
    });
    return closed;
  };
}

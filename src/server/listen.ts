import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { listen } from '../listening.js';
import { type Answer, fieldValues, type Pipeline } from './exchange.js';
import { type AnsweringSocket, answerRefusedByNode, answerTunnel } from './malformed-http.js';
import { type ListenOptions, type Settings, settingsFrom } from './options.js';
import { assemble, type PlantStore } from './plant-store.js';

/** A plant store that listens. */
export interface RunningPlantStore extends PlantStore, AsyncDisposable {
  /** The base URL: `http://127.0.0.1:12345`. Plants are created at `/plants` below it. */
  readonly url: string;
  readonly port: number;
  /** Stops listening, lets requests under way be answered for at most 5 s, and closes every connection. */
  close(): Promise<void>;
}

/** How long requests that are under way are waited for. */
const CLOSE_GRACE_MS = 5_000;

/**
 * Starts a plant store on a port, a free one unless told otherwise.
 *
 * @param options every default is in {@link ListenOptions}
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
  const settings = settingsFrom(options);
  const { store, pipeline } = assemble(settings);
  const server = httpServer(settings, pipeline);
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const where = await listen(server, settings.host, settings.port);
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= closing(server, open);
    return closed;
  };
  return { ...store, ...where, close, [Symbol.asyncDispose]: close };
}

function httpServer({ limits }: Settings, pipeline: Pipeline): Server {
  const answer = (request: IncomingMessage, response: ServerResponse): void =>
    readAndAnswer(request, response, pipeline, limits.bodyBytes, server);
  const server = createServer(
    {
      // Node wants the headers to be due no later than the whole request.
      headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
      requestTimeout: limits.requestTimeoutMs,
      // Node would answer a request without Host by an empty 400; the pipeline answers with an Error.
      requireHostHeader: false,
      // Node looks for requests that are too slow only this often.
      connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs, limits.requestTimeoutMs),
    },
    answer,
  );
  // Node would drop fields after the 2,000th; their size is limited already.
  server.maxHeadersCount = 0;
  // An expectation that is not understood is ignored, as RFC 9110 section 10.1.1 allows.
  server.on('checkExpectation', answer);
  server.on('clientError', answerRefusedByNode);
  server.on('connect', answerTunnel);
  return server;
}

function readAndAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  pipeline: Pipeline,
  limit: number,
  server: Server,
): void {
  const { method = '', url = '', rawHeaders, socket } = request;
  (socket as AnsweringSocket).latest = response;
  const malformed = hostProblem(request);
  let chunks: Buffer[] = [];
  let length = 0;
  let answered = false;
  const answerWith = (body: Buffer | undefined): void => {
    answered = true;
    const answer = pipeline({
      method,
      target: url,
      headers: rawHeaders,
      body,
      connection: socket,
      malformed,
    });
    if (answer instanceof Promise) answer.then((settled) => send(settled, response, server));
    else send(answer, response, server);
  };
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= limit) {
      chunks.push(chunk);
    } else if (!answered) {
      // The rest is read and dropped: a client that sends first and reads afterwards gets its answer as well.
      chunks = [];
      answerWith(undefined);
    }
  });
  request.on('end', () => {
    if (!answered) answerWith(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length));
  });
  // A client that stops halfway: nobody is left to answer.
  request.on('error', () => {});
}

/** RFC 9112 section 3.2: an HTTP/1.1 request has one Host, and is answered with 400 otherwise. */
function hostProblem({ rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  const hosts = fieldValues(rawHeaders, 'host').length;
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return undefined;
  return hosts === 0 ? 'the Host header is missing' : 'there is more than one Host header';
}

function send({ status, headers, body, delivery }: Answer, response: ServerResponse, server: Server): void {
  // The socket of the request: the response has none yet where an answer before it is still to come.
  const { socket } = response.req;
  if (socket.destroyed) return;
  if (delivery === 'hang') {
    (socket as AnsweringSocket).hanging = true;
    return;
  }
  if (delivery === 'reset') {
    socket.resetAndDestroy();
    return;
  }
  // While the server closes, no connection waits for another request.
  if (!server.listening) response.shouldKeepAlive = false;
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  const length = delivery === 'short-length' ? String(body).length : bytes;
  response.writeHead(status, status === 204 ? [...headers] : [...headers, 'content-length', String(length)]);
  if (delivery === 'truncated') {
    response.write(Buffer.from(body as string).subarray(0, bytes >> 1), () => socket.destroySoon());
  } else {
    // An ASCII body is the same in Latin-1, which node writes out faster; it shows in requests a second.
    response.end(body, bytes === body.length ? 'latin1' : 'utf8');
  }
}

function closing(server: Server, open: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    const giveUp = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
    server.close(() => {
      clearTimeout(giveUp);
      resolve();
    });
    server.closeIdleConnections();
    // Node takes a connection on which nothing was ever sent for one that is busy.
    for (const socket of open) {
      if (socket.bytesRead === 0 || (socket as AnsweringSocket).hanging === true) socket.destroy();
    }
  });
}

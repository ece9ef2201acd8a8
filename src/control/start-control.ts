import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Listening, listen } from '../http/listen.js';
import type { Engine } from '../server/engine.js';
import { invalidOption, reasonOf, ToolkitError } from '../toolkit-error.js';
import { writeJson } from '../validation/json-writer.js';
import { problem, type Reply } from './call.js';
import { type Guard, guardFor, isLoopback } from './guard.js';
import { OPEN_PATHS, routes } from './routes.js';

/** Where the control interface listens, and who may use it. */
export interface ControlOptions {
  /** 0 for a free port. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Needed if `host` is not of this machine only. */
  readonly token?: string;
}

/** A control interface that listens. */
export interface RunningControl extends Listening {
  close(): Promise<void>;
}

/** The largest body: plants to seed. */
const MOST_BODY_BYTES = 16 * 2 ** 20;
/** More connections are not accepted. */
const MOST_CONNECTIONS = 256;

/**
 * Starts the control interface of a server.
 *
 * @throws ToolkitError `invalid-option`, `port-in-use` or `cannot-listen`
 */
export async function startControl(
  engine: Engine,
  { port, host = '127.0.0.1', token }: ControlOptions,
): Promise<RunningControl> {
  if (token !== undefined && !/^[A-Za-z0-9\-._~+/]+=*$/.test(token))
    throw invalidOption(
      'the control token may have the characters A-Z a-z 0-9 - . _ ~ + / (and = at its end)',
    );
  if (token === undefined && !isLoopback(host))
    throw invalidOption(
      `the control interface needs a token of its own on ${host}: pass --control-token, or set PLANT_STORE_CONTROL_TOKEN`,
    );
  const guard = guardFor(host, token);
  const underWay = new Set<AbortController>();
  const server = createServer((request, response) => {
    const controller = new AbortController();
    underWay.add(controller);
    response.once('close', () => {
      underWay.delete(controller);
      controller.abort();
    });
    void answer(request, response, engine, guard, controller.signal);
  });
  server.maxConnections = MOST_CONNECTIONS;
  const where = await listen(server, host, port);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      for (const controller of underWay) controller.abort();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { ...where, close };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  engine: Engine,
  guard: Guard,
  signal: AbortSignal,
): Promise<void> {
  const reply = await replyTo(request, response, engine, guard, signal);
  if (reply === 'streaming' || response.destroyed) return;
  const body = reply.body === undefined ? '' : writeJson(reply.body);
  response.writeHead(reply.status, {
    ...(body !== '' && { 'content-type': 'application/json' }),
    ...(reply.status !== 204 && { 'content-length': Buffer.byteLength(body) }),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(!request.complete && { connection: 'close' }),
    ...reply.headers,
  });
  response.end(body);
}

async function replyTo(
  request: IncomingMessage,
  response: ServerResponse,
  engine: Engine,
  guard: Guard,
  signal: AbortSignal,
): Promise<Reply | 'streaming'> {
  const { method = '', url = '/' } = request;
  const [path = '', ...query] = url.split('?');
  const refused = guard(request, !OPEN_PATHS.has(path));
  if (refused !== undefined) return refused;
  const methods = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (methods === undefined) return problem(404, `unknown path ${JSON.stringify(path)}`);
  const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (handler === undefined) {
    const allow = Object.keys(methods).join(', ');
    return problem(405, `${path} accepts ${allow}`, { allow });
  }
  try {
    const body = await readWithin(request);
    if (body === undefined) return problem(413, `a body may have ${MOST_BODY_BYTES} bytes`);
    return await handler({ engine, query: new URLSearchParams(query.join('?')), body, signal, response });
  } catch (cause) {
    if (cause instanceof ToolkitError) return problem(400, cause.message);
    return problem(500, `the control interface failed: ${reasonOf(cause)}`);
  }
}

/** The body; `undefined` if it is too large. The rest is dropped, so that the client can read the response. */
function readWithin(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MOST_BODY_BYTES) {
        chunks.push(chunk);
      } else {
        chunks = [];
        resolve(undefined);
      }
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
  });
}

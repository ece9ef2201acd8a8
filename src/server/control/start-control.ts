import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isLoopback, type Listening, listen } from '../../http/address.js';
import { CollectedBytes } from '../../http/collected-bytes.js';
import { headerValues } from '../../http/fields.js';
import { SharedLimit } from '../../http/limits.js';
import { invalidOption, reasonOf, ToolkitError } from '../../toolkit-error.js';
import { isJsonMediaType, parseBearer } from '../../validation/header-values.js';
import { writeJson } from '../../validation/json.js';
import { tokenVerifier } from '../token.js';
import {
  type FoundRoute,
  findRoute,
  type Handler,
  ok,
  problem,
  type Reply,
  type Routes,
} from './control-request.js';

/** Where the control interface listens, and who may use it. */
export interface ControlOptions {
  /** 0 for a free port. */
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Needed if `host` is not of this machine only. */
  readonly token?: string;
  /** The paths that need no token, besides health: what they show is no secret. */
  readonly openPaths?: ReadonlySet<string>;
}

/** A control interface that listens. */
export interface RunningControl extends Listening {
  close(): Promise<void>;
}

/** The largest body: plants to seed. */
const MOST_BODY_BYTES = 16 * 2 ** 20;
/** The same for all bodies that are being received, and for all responses that are being sent. */
const MOST_RECEIVED_BYTES = 32 * 2 ** 20;
const MOST_UNSENT_BYTES = 128 * 2 ** 20;
/** More connections are not accepted. */
const MOST_CONNECTIONS = 256;

/** Whether the server is alive: it needs no token and has no state. */
const health: Handler = () => ok({ status: 'ok' });

/** What every control interface has. */
export const healthRoutes: Routes = { '/health': { GET: health }, '/ready': { GET: health } };

/**
 * Starts a control interface.
 *
 * @param given what it does, besides health
 *
 * @throws ToolkitError `invalid-option`, `port-in-use` or `cannot-listen`
 */
export async function startControl(
  given: Routes,
  { port, host = '127.0.0.1', token, openPaths = new Set() }: ControlOptions,
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
  const routes = { ...healthRoutes, ...given };
  const isOpen = (template: string): boolean =>
    Object.hasOwn(healthRoutes, template) || openPaths.has(template);
  const underWay = new Set<AbortController>();
  const bodies: Bodies = new SharedLimit(MOST_RECEIVED_BYTES, (letGo) => letGo());
  const unsent: Unsent = new SharedLimit(MOST_UNSENT_BYTES, (response) => response.destroy());
  const server = createServer((request, response) => {
    const controller = new AbortController();
    underWay.add(controller);
    response.once('close', () => {
      underWay.delete(controller);
      controller.abort();
    });
    const { url = '/' } = request;
    const [path = '', ...query] = url.split('?');
    const found = findRoute(routes, path);
    const refused = guard(request, found === undefined || !isOpen(found.template));
    const reply =
      refused ?? replyTo({ request, response, found, query: query.join('?'), controller, bodies });
    void Promise.resolve(reply).then((sent) => send(sent, request, response, unsent));
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

/** What each body that is being received takes, by the function that frees it. */
type Bodies = SharedLimit<() => void>;
type Unsent = SharedLimit<ServerResponse>;

function send(
  reply: Reply | 'streaming',
  request: IncomingMessage,
  response: ServerResponse,
  unsent: Unsent,
): void {
  if (reply === 'streaming' || response.destroyed) return;
  if (response.headersSent) {
    // It failed in the middle of a stream.
    response.destroy();
    return;
  }
  const { status, file, headers } = reply;
  const body = file?.bytes ?? (reply.body === undefined ? '' : writeJson(reply.body));
  response.writeHead(status, {
    ...(body.length > 0 && { 'content-type': file?.type ?? 'application/json' }),
    ...(status !== 204 && { 'content-length': Buffer.byteLength(body) }),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(!request.complete && { connection: 'close' }),
    ...headers,
  });
  response.end(body);
  // A client may read one response of any length.
  unsent.holds(response, Math.min(body.length, MOST_UNSENT_BYTES));
  response.once('close', () => unsent.holds(response, 0));
}

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly found: FoundRoute | undefined;
  readonly query: string;
  readonly controller: AbortController;
  readonly bodies: Bodies;
}

async function replyTo({
  request,
  response,
  found,
  query,
  controller: { signal },
  bodies,
}: Asked): Promise<Reply | 'streaming'> {
  const { method = '', url = '/' } = request;
  const path = JSON.stringify(url.split('?')[0]);
  if (found === undefined) return problem(404, `unknown path ${path}`);
  const { methods, parameters } = found;
  const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (handler === undefined) {
    const allow = Object.keys(methods).join(', ');
    return problem(405, `${found.template} accepts ${allow}`, { allow });
  }
  try {
    const body = await bodyOf(request, bodies);
    if (!(body instanceof Uint8Array)) return body;
    return await handler({ parameters, query: new URLSearchParams(query), body, signal, response });
  } catch (cause) {
    if (cause instanceof ToolkitError) return problem(400, cause.message);
    return problem(500, `the control interface failed: ${reasonOf(cause)}`);
  }
}

/** The body, or why it is not kept. The rest is dropped, so that the client can read the response. */
function bodyOf(request: IncomingMessage, bodies: Bodies): Promise<Uint8Array | Reply> {
  return new Promise((resolve, reject) => {
    const collected = new CollectedBytes(MOST_BODY_BYTES);
    const letGo = (reply: Reply): void => {
      collected.forget();
      resolve(reply);
    };
    const letGoForOthers = (): void => letGo(problem(503, 'too many large bodies are being received'));
    request.on('data', (chunk: Buffer) => {
      collected.add(chunk);
      if (collected.isTooLong) letGo(problem(413, `a body may have ${MOST_BODY_BYTES} bytes`));
      bodies.holds(letGoForOthers, collected.bytes.length);
    });
    request.once('end', () => resolve(collected.bytes));
    request.once('error', reject);
    request.once('close', () => bodies.holds(letGoForOthers, 0));
  });
}

/** Why a request may not be answered; `undefined` if it may. */
type Guard = (request: IncomingMessage, needsToken: boolean) => Reply | undefined;

/**
 * Keeps pages of other sites out.
 *
 * - A page whose name leads to this machine (DNS rebinding) sends its own name in `Host`. On loopback, only names of loopback
 *   are accepted. Elsewhere a name may be anything, and the token keeps such a page out.
 * - A page of another site sends its `Origin` with every request that could change something.
 * - With another media type than JSON, a browser would not ask first.
 */
function guardFor(host: string, token: string | undefined): Guard {
  const accepts = token === undefined ? undefined : tokenVerifier({ tokens: [token], verify: undefined });
  return ({ rawHeaders, headers, method }, needsToken) => {
    const [name, ...more] = headerValues(rawHeaders, 'host');
    if (name === undefined || more.length > 0) return problem(400, 'a request must have one Host header');
    if (isLoopback(host) && !isLoopback(name.replace(/:\d*$/, '')))
      return problem(403, 'the Host of a request must be a name of this machine, such as localhost');
    const { origin } = headers;
    const site = headers['sec-fetch-site'];
    if (origin !== undefined && !isSameOrigin(origin, name))
      return problem(403, 'pages of other origins may not use the control interface');
    if (site === 'cross-site' || site === 'same-site')
      return problem(403, 'pages of other sites may not use the control interface');
    if (needsToken && accepts !== undefined) {
      const values = headerValues(rawHeaders, 'authorization');
      const credentials = values.length === 1 ? parseBearer(values[0] as string) : undefined;
      if (credentials?.ok !== true || accepts(credentials.token) !== true)
        return problem(
          401,
          'the control token is missing or wrong; send it as Authorization: Bearer <token>',
          {
            'www-authenticate': 'Bearer',
          },
        );
    }
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    const type = headers['content-type'];
    if (method !== 'GET' && hasBody && headers['content-length'] !== '0' && !(type && isJsonMediaType(type)))
      return problem(415, 'the Content-Type of a body must be application/json');
    return undefined;
  };
}

function isSameOrigin(origin: string, host: string): boolean {
  return origin.toLowerCase() === `http://${host.toLowerCase()}`;
}

import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { clearTimeout, setTimeout } from 'node:timers';
import { millisecondsIn } from '../../duration.js';
import { isLoopback, type Listening, listen } from '../../http/address.js';
import { headerValues } from '../../http/fields.js';
import { invalidOption, reasonOf, ToolkitError } from '../../toolkit-error.js';
import { isJsonMediaType, parseBearer } from '../../validation/header-values.js';
import { jsonProblem, readJson, type WritableJson, writeJson } from '../../validation/json.js';
import { isObject, type JsonObject, type JsonValue, narrow } from '../../validation/json-value.js';
import type { Engine } from '../engine.js';
import { idOf } from '../failures/check-failure.js';
import type { Failure } from '../failures/failure.js';
import { loadFaults } from '../faults/names.js';
import type { ReceivedRequest } from '../store.js';

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
const MOST_CONNECTIONS = 64;

/**
 * Starts the control interface of a server: HTTP with JSON, and the page that is its client. `spec/control.yaml` describes it.
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
  const routes = controlRoutes(engine);
  const whyRefused = guardFor(host, token);
  const server = createServer(async (request, response) => {
    send(whyRefused(request) ?? (await replyTo(request, response, routes)), response);
  });
  server.maxConnections = MOST_CONNECTIONS;
  const where = await listen(server, host, port);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { ...where, close };
}

/** A response: JSON, the page, or without either, empty. */
interface Reply {
  readonly status: number;
  readonly body?: WritableJson;
  readonly html?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function send({ status, body, html, headers }: Reply, response: ServerResponse): void {
  const text = html ?? (body === undefined ? '' : writeJson(body));
  response.writeHead(status, {
    ...(text !== '' && {
      'content-type': html === undefined ? 'application/json' : 'text/html; charset=utf-8',
    }),
    ...(status !== 204 && { 'content-length': Buffer.byteLength(text) }),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(text);
}

const DONE: Reply = { status: 204 };

/** A success with plain data: plants, failures, faults and options have nothing else. */
function ok(data: object): Reply {
  return { status: 200, body: data as WritableJson };
}

function problem(status: number, message: string, headers: Reply['headers'] = {}): Reply {
  return { status, body: { message }, headers };
}

/** What a path does with a request, by method. */
type Methods = Readonly<Record<string, (asked: Asked) => Reply | Promise<Reply>>>;

interface Asked {
  readonly query: URLSearchParams;
  readonly body: Uint8Array;
  /** Aborts when the client is gone or the server closes. */
  readonly signal: AbortSignal;
}

async function replyTo(
  request: IncomingMessage,
  response: ServerResponse,
  routes: Readonly<Record<string, Methods>>,
): Promise<Reply> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const { method = '', url = '/' } = request;
  const path = pathIn(url);
  const methods = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (methods === undefined) return problem(404, `unknown path ${JSON.stringify(path)}`);
  const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
  const allow = Object.keys(methods).join(', ');
  if (handler === undefined) return problem(405, `${path} accepts ${allow}`, { allow });
  try {
    const body = await bodyOf(request);
    if (body === undefined) return problem(413, `a body may have ${MOST_BODY_BYTES} bytes`);
    const query = new URLSearchParams(url.slice(path.length));
    return await handler({ query, body, signal: gone.signal });
  } catch (cause) {
    if (cause instanceof ToolkitError) return problem(400, cause.message);
    return problem(500, `the control interface failed: ${reasonOf(cause)}`);
  }
}

function pathIn(url: string): string {
  return url.replace(/\?.*$/s, '');
}

/** The body; `undefined` if it is too large. Then the rest is read too, so that the client reads the response. */
async function bodyOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MOST_BODY_BYTES) chunks.length = 0;
    else chunks.push(chunk);
  }
  return length > MOST_BODY_BYTES ? undefined : Buffer.concat(chunks);
}

/** What needs no token, since it shows nothing of the server. */
const OPEN_PATHS: readonly string[] = ['/', '/ready'];

/**
 * Keeps pages of other sites out.
 *
 * - A page whose name leads to this machine (DNS rebinding) sends its own name in `Host`. On loopback, only names of loopback
 *   are accepted. Elsewhere a name may be anything, and the token keeps such a page out.
 * - A page of another site sends its `Origin` with every request that could change something.
 * - With another media type than JSON, a browser would not ask first.
 */
function guardFor(host: string, token: string | undefined): (request: IncomingMessage) => Reply | undefined {
  return ({ rawHeaders, headers, method, url = '/' }) => {
    const [name, ...more] = headerValues(rawHeaders, 'host');
    if (name === undefined || more.length > 0) return problem(400, 'a request must have one Host header');
    if (isLoopback(host) && !isLoopback(name.replace(/:\d*$/, '')))
      return problem(403, 'the Host of a request must be a name of this machine, such as localhost');
    const { origin, 'sec-fetch-site': site } = headers;
    if (origin !== undefined && origin.toLowerCase() !== `http://${name.toLowerCase()}`)
      return problem(403, 'pages of other origins may not use the control interface');
    if (site === 'cross-site' || site === 'same-site')
      return problem(403, 'pages of other sites may not use the control interface');
    if (token !== undefined && !OPEN_PATHS.includes(pathIn(url))) {
      const values = headerValues(rawHeaders, 'authorization');
      const credentials = values.length === 1 ? parseBearer(values[0] as string) : undefined;
      if (credentials?.ok !== true || credentials.token !== token) {
        const must = 'the control token is missing or wrong; send it as Authorization: Bearer <token>';
        return problem(401, must, { 'www-authenticate': 'Bearer' });
      }
    }
    const { 'content-type': type, 'content-length': length = '0', 'transfer-encoding': coding } = headers;
    const hasBody = length !== '0' || coding !== undefined;
    if (method !== 'GET' && hasBody && !(type && isJsonMediaType(type)))
      return problem(415, 'the Content-Type of a body must be application/json');
    return undefined;
  };
}

/** @throws ToolkitError `invalid-option` if the body is not JSON */
function jsonIn({ body }: Asked): JsonValue {
  const read = readJson(body);
  if (!read.ok) throw invalidOption(`the body is not JSON: ${jsonProblem(read)}`);
  const [duplicate] = read.duplicateKeys;
  if (duplicate !== undefined) throw invalidOption(`the body has the key ${duplicate} twice`);
  return read.value;
}

/** What the control interface does, by path. */
export function controlRoutes(engine: Engine): Readonly<Record<string, Methods>> {
  const clears = (what: 'plants' | 'requests' | 'failures') => (): Reply => {
    engine.clear(what);
    return DONE;
  };
  return {
    '/': { GET: () => page },
    '/ready': { GET: () => ok({ status: 'ok' }) },
    '/plants': {
      // A seed may have an id that is a double; an integer has one representation.
      GET: () => ok(engine.plants.list().map(({ id, ...rest }) => ({ ...rest, id: narrow(id) }))),
      POST(asked) {
        const given = jsonIn(asked);
        engine.seed(Array.isArray(given) ? given : [given]);
        return DONE;
      },
      DELETE: clears('plants'),
    },
    '/requests': {
      async GET({ query, signal }) {
        return ok((await matchingRequests(engine, requestQuery(query), signal)).map(requestJson));
      },
      DELETE: clears('requests'),
    },
    '/failures': {
      GET: () => ok(engine.failures.list()),
      POST: (asked) => ({ ...ok(engine.failures.add(jsonIn(asked) as object as Failure)), status: 201 }),
      DELETE: clears('failures'),
    },
    '/failures/unused': { GET: () => ok(engine.failures.unused()) },
    '/faults': {
      GET: () => ok(engine.faults()),
      PUT(asked) {
        engine.setFaults(jsonIn(asked));
        return ok(engine.faults());
      },
      DELETE() {
        engine.setFaults([]);
        return DONE;
      },
    },
    '/faults/known': {
      GET: async () => ok((await loadFaults()).map(({ name, title, breaks }) => ({ name, title, breaks }))),
    },
    '/options': {
      GET: () => ok(engine.options()),
      PATCH(asked) {
        engine.change(jsonIn(asked));
        return ok(engine.options());
      },
    },
    '/reset': {
      POST() {
        engine.reset();
        return DONE;
      },
    },
  };
}

/** The longest time that a call waits for requests. */
const MOST_WAIT_MS = 60_000;

/** What `GET /requests` asks for. */
interface RequestQuery {
  readonly matches: (request: ReceivedRequest) => boolean;
  /** How many requests it waits for. */
  readonly count: number;
  readonly waitMs: number;
}

/** The parameters that filter: what each says about a request, given its value. */
const FILTERS: Readonly<Record<string, (value: string) => RequestQuery['matches']>> = {
  name: (name) => (request) => plantIn(request).name === name,
  id(text) {
    const id = idOf(text);
    if (id === undefined) throw invalidOption(`"id" must be an int64; got ${JSON.stringify(text)}`);
    return (request) => idOf(plantIn(request).id) === id;
  },
  status: (text) => {
    const status = wholeNumber('status', text, 599);
    return (request) => request.status === status;
  },
  after: (text) => {
    const number = wholeNumber('after', text, Number.MAX_SAFE_INTEGER);
    return (request) => request.number > number;
  },
};

const OTHERS = ['count', 'wait'];

/** @throws ToolkitError `invalid-option`, naming the parameter */
function requestQuery(query: URLSearchParams): RequestQuery {
  const conditions = [...query].flatMap(([name, value]) => {
    const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
    if (filter !== undefined) return [filter(value)];
    if (OTHERS.includes(name)) return [];
    const known = [...Object.keys(FILTERS), ...OTHERS].join(', ');
    throw invalidOption(`unknown parameter ${JSON.stringify(name)}; expected one of: ${known}`);
  });
  const wait = query.get('wait') ?? '0';
  const waitMs = millisecondsIn(wait);
  if (waitMs === undefined || waitMs > MOST_WAIT_MS)
    throw invalidOption(
      `"wait" must be a time such as 2s or 500ms, up to ${MOST_WAIT_MS / 1_000}s; got ${JSON.stringify(wait)}`,
    );
  return {
    matches: (request) => conditions.every((condition) => condition(request)),
    count: wholeNumber('count', query.get('count') ?? '1', 1_000_000),
    waitMs,
  };
}

/** The requests that match, once there are enough of them or the time is over. */
async function matchingRequests(
  engine: Engine,
  { matches, count, waitMs }: RequestQuery,
  signal: AbortSignal,
): Promise<ReceivedRequest[]> {
  const found = engine.received.list().filter(matches);
  if (found.length >= count || waitMs === 0) return found;
  await new Promise<void>((resolve) => {
    let missing = count - found.length;
    const listen = (request: ReceivedRequest): void => {
      if (matches(request) && --missing === 0) end();
    };
    const end = (): void => {
      clearTimeout(timer);
      engine.listeners.delete(listen);
      resolve();
    };
    const timer = setTimeout(end, waitMs);
    engine.listeners.add(listen);
    signal.addEventListener('abort', end, { once: true });
  });
  return engine.received.list().filter(matches);
}

/** The body of a request as an object; an empty one if it is something else. */
function plantIn({ json }: ReceivedRequest): JsonObject {
  return isObject(json) ? json : {};
}

function wholeNumber(name: string, text: string, most: number): number {
  if (/^\d{1,16}$/.test(text) && Number(text) <= most) return Number(text);
  throw invalidOption(
    `${JSON.stringify(name)} must be a whole number up to ${most}; got ${JSON.stringify(text)}`,
  );
}

/** A received request as JSON. A body that is not UTF-8 is in Base64. */
function requestJson({ at, body, json: _json, ...rest }: ReceivedRequest): object {
  const bytes = Buffer.from(body);
  const text = isUtf8(bytes) ? { body: bytes.toString() } : { bodyBase64: bytes.toString('base64') };
  return { ...rest, at: at.toISOString(), ...text };
}

const html = readFileSync(new URL('./page.html', import.meta.url), 'utf8');

/** The page. Its own script and style are all that runs in it, whatever a client has sent. */
const page: Reply = {
  status: 200,
  html,
  headers: {
    'content-security-policy': [
      "default-src 'none'",
      `script-src ${hashOf('script')}`,
      `style-src ${hashOf('style')}`,
      "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ].join('; '),
  },
};

/** The hash of an element of the page, as a content security policy names it. */
function hashOf(element: 'script' | 'style'): string {
  const [, text = ''] = new RegExp(`<${element}[^>]*>(.*?)</${element}>`, 's').exec(html) ?? [];
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

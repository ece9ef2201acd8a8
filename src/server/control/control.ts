import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
// A test may replace the global ones.
import { clearTimeout, setTimeout } from 'node:timers';
import { millisecondsIn } from '../../duration.js';
import { isLoopback, type Listening, listen } from '../../http/address.js';
import { CollectedBytes } from '../../http/collected-bytes.js';
import { invalidOption, reasonOf, ToolkitError } from '../../toolkit-error.js';
import { isJsonMediaType, parseBearer } from '../../validation/header-values.js';
import { jsonProblem, readJson, type WritableJson, writeJson } from '../../validation/json.js';
import { type JsonValue, narrow } from '../../validation/json-value.js';
import type { RuntimeOptions } from '../behaviour.js';
import { type Failure, idOf } from '../failures/failure.js';
import { type FaultName, loadFaults } from '../faults/index.js';
import type { Entry, ReceivedRequest } from '../journal.js';
import { type Check, checkAll } from '../option-check.js';
import type { Store } from '../plant-store.js';
import { checkOptions } from '../settings.js';

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
/** The longest time that a call waits for requests. */
const MOST_WAIT_MS = 60_000;

/**
 * Starts the control interface of a server: HTTP with JSON, and the page that is its client. `spec/control.yaml` describes it.
 *
 * @throws ToolkitError `invalid-option`, `port-in-use` or `cannot-listen`
 */
export async function startControl(
  store: Store,
  { port, host = '127.0.0.1', token }: ControlOptions,
): Promise<RunningControl> {
  if (token !== undefined && !parseBearer(`Bearer ${token}`).ok)
    throw invalidOption(
      'the control token may have the characters A-Z a-z 0-9 - . _ ~ + / | : (and = at its end)',
    );
  if (token === undefined && !isLoopback(host))
    throw invalidOption(
      `the control interface needs a token of its own on ${host}: pass --control-token, or set PLANT_STORE_CONTROL_TOKEN`,
    );
  const routes = controlRoutes(store);
  const server = createServer(async (request, response) => {
    const { status, data, html, headers } =
      whyRefused(request, host, token) ?? (await replyTo(request, response, routes));
    response.writeHead(status, {
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...(data !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    });
    response.end(data === undefined ? html : writeJson(data as WritableJson));
  });
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
  readonly data?: unknown;
  readonly html?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function problem(status: number, message: string, headers: Reply['headers'] = {}): Reply {
  return { status, data: { message }, headers };
}

/** What a path does with a request, by method. It returns the data of a response, or nothing for a 204. */
type Methods = Readonly<Record<string, (asked: Asked) => unknown>>;

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
  const { method = '' } = request;
  const [path, query] = targetOf(request);
  const methods = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (methods === undefined) return problem(404, `unknown path ${JSON.stringify(path)}`);
  const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
  const allow = Object.keys(methods).join(', ');
  if (handler === undefined) return problem(405, `${path} accepts ${allow}`, { allow });
  try {
    // A body that is too large is read to its end, so that the client reads the response.
    const body = new CollectedBytes(MOST_BODY_BYTES);
    for await (const chunk of request) body.add(chunk);
    if (body.isTooLong) return problem(413, `a body may have ${MOST_BODY_BYTES} bytes`);
    const data = await handler({ query, body: body.bytes, signal: gone.signal });
    if (data === page) return page;
    return data === undefined ? { status: 204 } : { status: method === 'POST' ? 201 : 200, data };
  } catch (cause) {
    if (cause instanceof ToolkitError) return problem(400, cause.message);
    return problem(500, `the control interface failed: ${reasonOf(cause)}`);
  }
}

function targetOf({ url = '/' }: IncomingMessage): [path: string, query: URLSearchParams] {
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  return [path, new URLSearchParams(query)];
}

/**
 * Keeps pages of other sites out.
 *
 * - A page whose name leads to this machine (DNS rebinding) sends its own name in `Host`. On loopback, only names of loopback
 *   are accepted. Elsewhere a name may be anything, and the token keeps such a page out.
 * - A page of another site sends its `Origin` with every request that could change something.
 * - With another media type than JSON, a browser would not ask first.
 */
function whyRefused(request: IncomingMessage, host: string, token: string | undefined): Reply | undefined {
  const { method, headers } = request;
  const { host: name = '', origin, 'sec-fetch-site': site = '', 'content-type': type = '' } = headers;
  if (isLoopback(host) && !isLoopback(name.replace(/:\d*$/, '')))
    return problem(403, 'the Host of a request must be a name of this machine, such as localhost');
  const isOther = origin !== undefined && origin.toLowerCase() !== `http://${name.toLowerCase()}`;
  if (isOther || /^(?:cross|same)-site$/.test(String(site)))
    return problem(403, 'pages of other origins may not use the control interface');
  const given = parseBearer(headers.authorization ?? '');
  // The page and /ready show nothing of the server.
  const needsToken = token !== undefined && !/^\/(?:ready)?$/.test(targetOf(request)[0]);
  if (needsToken && !(given.ok && given.token === token)) {
    const must = 'the control token is missing or wrong; send it as Authorization: Bearer <token>';
    return problem(401, must, { 'www-authenticate': 'Bearer' });
  }
  const hasBody = (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;
  if (method !== 'GET' && hasBody && !isJsonMediaType(type))
    return problem(415, 'the Content-Type of a body must be application/json');
  return undefined;
}

/** @throws ToolkitError `invalid-option` if the body is not JSON */
function jsonIn({ body }: Asked): JsonValue {
  const read = readJson(body);
  if (!read.ok) throw invalidOption(`the body is not JSON: ${jsonProblem(read)}`);
  const [duplicate] = read.duplicateKeys;
  if (duplicate !== undefined) throw invalidOption(`the body has the key ${duplicate} twice`);
  return read.value;
}

/** @throws ToolkitError `invalid-option` if the body is no list of faults */
function faultsIn(asked: Asked): FaultName[] {
  const faults = jsonIn(asked) as FaultName[];
  checkOptions({ faults });
  return faults;
}

/** What the control interface does, by path. */
export function controlRoutes(store: Store): Readonly<Record<string, Methods>> {
  return {
    '/': { GET: () => page },
    // Who waits for the server may ask with HEAD.
    '/ready': { GET: () => ({ status: 'ok' }), HEAD: () => ({ status: 'ok' }) },
    '/plants': {
      // A seed may have an id that is a double; an integer has one representation.
      GET: () => store.plants().map(({ id, ...rest }) => ({ ...rest, id: narrow(id) })),
      POST: (asked) => store.seed(...([jsonIn(asked)].flat() as never[])),
      DELETE: () => store.clearPlants(),
    },
    '/requests': {
      GET: async (asked) => (await matchingRequests(store, asked)).map(requestJson),
      DELETE: () => store.journal.clear(),
    },
    '/failures': {
      GET: () => store.failures.list(),
      POST: (asked) => store.failures.add(jsonIn(asked) as object as Failure),
      DELETE: () => store.clear(),
    },
    '/failures/unused': { GET: () => store.failures.unused() },
    '/faults': {
      GET: () => store.faults(),
      PUT(asked) {
        store.setFaults(...faultsIn(asked));
        return store.faults();
      },
      DELETE: () => store.setFaults(),
    },
    '/faults/known': {
      GET: async () => (await loadFaults()).map(({ name, title, breaks }) => ({ name, title, breaks })),
    },
    '/options': {
      GET: () => store.options(),
      PATCH(asked) {
        store.change(jsonIn(asked) as RuntimeOptions);
        return store.options();
      },
    },
    '/reset': { POST: () => store.reset() },
  };
}

/** The parameters of `GET /requests`. */
const PARAMETERS: Readonly<Record<string, Check>> = {
  name: () => true,
  id: (text) => idOf(text) !== undefined || 'an int64',
  after: (text) => /^\d{1,15}$/.test(String(text)) || 'a whole number',
  wait: (text) =>
    (millisecondsIn(String(text)) ?? Number.POSITIVE_INFINITY) <= MOST_WAIT_MS ||
    'a time such as 2s or 500ms, up to 60s',
};

/**
 * The requests that match, once there are any or the time is over.
 *
 * @throws ToolkitError `invalid-option`, naming the parameter
 */
async function matchingRequests(store: Store, { query, signal }: Asked): Promise<ReceivedRequest[]> {
  const given: Readonly<Record<string, string | undefined>> = Object.fromEntries(query);
  checkAll('parameter', given, PARAMETERS);
  const { name, id, after = '0', wait = '0' } = given;
  const matches = (entry: Entry): boolean =>
    entry.number > Number(after) &&
    (name === undefined || entry.plant.name === name) &&
    (id === undefined || entry.plant.id === idOf(id));
  const found = (): Entry[] => [...store.journal.entries()].filter(matches);
  if (found().length === 0) await arrival(store, matches, millisecondsIn(wait) ?? 0, signal);
  return found().map((entry) => store.journal.shown(entry));
}

/** Waits for a request that matches. It looks at each one once, when that arrives. */
async function arrival(
  store: Store,
  matches: (entry: Entry) => boolean,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  if (milliseconds === 0 || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      store.journal.watchers.delete(watch);
      resolve();
    };
    const watch = (entry: Entry): void => {
      if (matches(entry)) end();
    };
    const timer = setTimeout(end, milliseconds);
    store.journal.watchers.add(watch);
    signal.addEventListener('abort', end, { once: true });
  });
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
    'content-type': 'text/html; charset=utf-8',
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

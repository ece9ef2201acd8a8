import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../../http/address.js';
import { readWithin } from '../../http/collected-bytes.js';
import { type Fields, fieldsFrom, headerValues } from '../../http/fields.js';
import { reasonOf } from '../../toolkit-error.js';
import { describe } from '../../validation/violation.js';

/** A provider that is a function: the `fetch` of Hono, of a worker, or of `createPlantStore`. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

/** A function that is served. */
export interface ServedHandler {
  /** Where its `POST /plants` is. */
  readonly url: URL;
  /** Why it had no response for its client the last time: `fetch` itself failed. */
  readonly networkError: string | undefined;
  close(): Promise<void>;
}

/** No row has a body as long as this. */
const LONGEST_BODY = 2 ** 25;
/** What is between the client and the server that it talks to. No `fetch` sends these fields on. */
const OF_CONNECTION = /^(?:connection|keep-alive|transfer-encoding|upgrade|expect)$/i;

/**
 * Serves a function on a free port of this machine, as the adapter of a framework does. Its requests have the origin of another URL.
 *
 * @param url the URL of `POST /plants` in its requests
 */
export async function serveHandler(handler: FetchHandler, url: URL): Promise<ServedHandler> {
  let networkError: string | undefined;
  // A check closes unused connections itself. A server that closes one may break the next request.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    respond(handler, url, incoming, outgoing).catch((cause: unknown) => {
      if (isNetworkError(cause)) networkError = reasonOf(cause);
      // What there is of a response still goes out.
      if (outgoing.headersSent) outgoing.flushHeaders();
      outgoing.socket?.destroySoon();
    });
  });
  const { url: origin } = await listen(server, '127.0.0.1', 0);
  return {
    url: new URL(origin + url.pathname),
    get networkError() {
      return networkError;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** @throws what the function throws if that is a network error, and what ends a body early, also that of a request */
async function respond(
  handler: FetchHandler,
  url: URL,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const ended = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) ended.abort();
  });
  const request = await requestFrom(incoming, url, ended.signal);
  if (typeof request === 'string') return explain(outgoing, 501, request);
  let returned: Response;
  let headers: Fields;
  try {
    returned = await handler(request);
    const why = whyUnusable(returned);
    if (why !== undefined) return explain(outgoing, 500, why);
    headers = headersOf(returned);
    outgoing.writeHead(returned.status, returned.statusText || undefined, headers.flat());
  } catch (cause) {
    if (isNetworkError(cause)) throw cause;
    return explain(outgoing, 500, `the function threw: ${reasonOf(cause)}`);
  }
  const [length = '0'] = headerValues(headers, 'content-length');
  let sent = 0;
  for await (const chunk of returned.body ?? []) {
    sent += chunk.length;
    if (!outgoing.write(chunk)) await once(outgoing, 'drain', { signal: ended.signal });
  }
  // Its client would wait for the rest.
  if (sent < Number(length)) throw new Error('the body is shorter than its Content-Length');
  outgoing.end();
}

/** The request of a server as a function gets it, or why there is none. */
async function requestFrom(
  incoming: IncomingMessage,
  { origin, host }: URL,
  signal: AbortSignal,
): Promise<Request | string> {
  const { method = '', url = '', rawHeaders } = incoming;
  const body = await readWithin(incoming, LONGEST_BODY);
  if (body === undefined) throw new Error('the body is too long');
  const fields = fieldsFrom(rawHeaders).filter(([name]) => !OF_CONNECTION.test(name));
  try {
    const headers = new Headers(fields.map(([name, value]) => [name, value]));
    headers.set('host', host);
    return new Request(origin + url, { method, headers, body: body.length === 0 ? null : body, signal });
  } catch (cause) {
    return `no Request can have this form: ${reasonOf(cause)}`;
  }
}

/** Not by class: a Response may come from another realm or another package. */
function whyUnusable(returned: unknown): string | undefined {
  const { status, headers, bodyUsed } = Object(returned) as Partial<Response>;
  if (typeof status !== 'number' || typeof headers?.get !== 'function')
    return `the function returned ${describe(returned)}, not a Response`;
  if (status === 0) return 'the function returned Response.error()';
  return bodyUsed === true ? 'the body of the Response was already read' : undefined;
}

/** The body of a Response from the network is decoded already, but its headers still describe the encoded one. */
function headersOf({ headers, url }: Response): Fields {
  const fields = [...headers];
  return url ? fields.filter(([name]) => !/^content-(encoding|length)$/i.test(name)) : fields;
}

/** What `fetch` throws if it gets no response. Then the client of a function that calls it gets none either. */
function isNetworkError(cause: unknown): cause is Error {
  const { name, message } = Object(cause) as Partial<Error>;
  return name === 'TypeError' && message?.startsWith('fetch failed') === true;
}

/** Says in the response what a report then shows: what is wrong with the function. */
function explain(outgoing: ServerResponse, status: number, text: string): void {
  outgoing.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(text);
}

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
  /** Why it had no response the last time, if `fetch` itself failed in it: its client gets none either. */
  networkError(): string | undefined;
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
      if (isNetworkError(cause)) networkError = `the function threw: ${reasonOf(cause)}`;
      // What there is of a response still goes out.
      if (outgoing.headersSent) outgoing.flushHeaders();
      outgoing.socket?.destroySoon();
    });
  });
  const { url: origin } = await listen(server, '127.0.0.1', 0);
  return {
    url: new URL(origin + url.pathname),
    networkError: () => networkError,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** @throws what ends the connection: a network error of the function, a body that breaks off, or what no Request can have */
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
  const body = await readWithin(incoming, LONGEST_BODY);
  if (body === undefined) throw new Error('the body of the request is too long');
  const response = await responseTo(handler, requestFrom(incoming, url, body, ended.signal));
  const headers = headersOf(response);
  outgoing.writeHead(response.status, response.statusText || undefined, headers.flat());
  const [length = '0'] = headerValues(headers, 'content-length');
  let sent = 0;
  for await (const chunk of response.body ?? []) {
    sent += chunk.length;
    if (!outgoing.write(chunk)) await once(outgoing, 'drain', { signal: ended.signal });
  }
  // Its client would wait for the rest.
  if (sent < Number(length)) throw new Error('the body is shorter than its Content-Length');
  outgoing.end();
}

/** The request of a server as a function gets it. */
function requestFrom(
  { method = '', url = '', rawHeaders }: IncomingMessage,
  { origin, host }: URL,
  body: Buffer,
  signal: AbortSignal,
): Request {
  const fields = fieldsFrom(rawHeaders).filter(([name]) => !OF_CONNECTION.test(name));
  const headers = new Headers(fields.map(([name, value]) => [name, value]));
  headers.set('host', host);
  return new Request(origin + url, { method, headers, body: body.length === 0 ? null : body, signal });
}

/** What the function responds with, or a 500 that says in the report why it does not. */
async function responseTo(handler: FetchHandler, request: Request): Promise<Response> {
  try {
    const returned = await handler(request);
    const why = whyUnusable(returned);
    return why === undefined ? returned : new Response(why, { status: 500 });
  } catch (cause) {
    if (isNetworkError(cause)) throw cause;
    return new Response(`the function threw: ${reasonOf(cause)}`, { status: 500 });
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

/** What `fetch` throws if it gets no response. */
function isNetworkError(cause: unknown): boolean {
  // Anything can be thrown.
  const { name, message } = Object(cause) as Partial<Error>;
  return name === 'TypeError' && String(message).startsWith('fetch failed');
}

import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import {
  endToEnd,
  type Fields,
  type ForwardedExchange,
  type ForwardedRequest,
  type ForwardedResponse,
  fieldsFrom,
} from './message.js';

/** Where requests go. */
export interface Upstream {
  /** The base URL: the targets of requests are appended to its own path. */
  readonly baseUrl: string;
  /** Certificates to trust instead of the usual ones, as PEM. */
  readonly ca?: string;
  /** Whether certificates are not looked at. */
  readonly insecure?: boolean;
}

/** How requests are forwarded. */
export interface ForwarderOptions {
  readonly upstream: Upstream;
  /** Milliseconds that an exchange may take; then the connection is closed without an answer. */
  readonly timeoutMs: number;
  /** Changes a request before it is sent on; `undefined` closes the connection and sends nothing. */
  readonly rewrite?: (request: ForwardedRequest) => ForwardedRequest | undefined;
  /** Changes a response before it goes back; what {@link onExchange} is told is what came. */
  readonly rewriteResponse?: (response: ForwardedResponse) => ForwardedResponse;
  /** Told of each exchange when it has ended, before the last byte of its answer goes out. */
  readonly onExchange?: (exchange: ForwardedExchange) => void;
}

/** Longer than any head that a server or a client sends in earnest. */
const LONGEST_HEAD = 256 * 1024;

/** A forwarder that listens on the loopback interface. */
export interface Forwarder extends AsyncDisposable {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a server that sends each request on as it came, and the answer back as it came: method, target, header
 * names and values in their order, and bodies, byte by byte. `Host` is the upstream's, and fields about one
 * connection end with it. A request without an answer gets none: its connection is closed.
 */
export async function startForwarder(options: ForwarderOptions): Promise<Forwarder> {
  const server = createServer(
    { requireHostHeader: false, maxHeaderSize: LONGEST_HEAD },
    (incoming, outgoing) => {
      void forward(incoming, outgoing, options);
    },
  );
  server.maxHeadersCount = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close, [Symbol.asyncDispose]: close };
}

async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: ForwarderOptions,
): Promise<void> {
  const { upstream, timeoutMs, onExchange } = options;
  const { rewrite = (request) => request, rewriteResponse = (response) => response } = options;
  const body = await bytesOf(incoming).catch(() => undefined);
  // Who sent it has gone away.
  if (body === undefined) return;
  const { method = '', url: target = '', rawHeaders } = incoming;
  const request = rewrite({ method, target, headers: endToEnd(fieldsFrom(rawHeaders)), body });
  if (request === undefined) {
    outgoing.destroy();
    return;
  }
  const start = performance.now();
  const outcome = await exchange(upstream, request, timeoutMs);
  onExchange?.({ request, ...outcome, durationMs: performance.now() - start });
  if (outcome.response === undefined) outgoing.destroy();
  else answer(outgoing, rewriteResponse(outcome.response));
}

type Outcome = Pick<ForwardedExchange, 'response' | 'failure'>;

/** Sends a request to an upstream on a connection of its own. Never rejects. */
export function exchange(upstream: Upstream, request: ForwardedRequest, timeoutMs: number): Promise<Outcome> {
  const { baseUrl, ca, insecure = false } = upstream;
  const url = new URL(baseUrl);
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const sent = open(url, {
      method: request.method,
      path: url.pathname.replace(/\/+$/, '') + request.target,
      agent: false,
      maxHeaderSize: LONGEST_HEAD,
      rejectUnauthorized: !insecure,
      ...(ca !== undefined && { ca }),
      headers: flat([...framed(request, url.host), ['Connection', 'close']]),
    });
    const settle = (outcome: Outcome): void => {
      clearTimeout(timer);
      resolve(outcome);
    };
    const timer = setTimeout(() => {
      settle({ failure: `no answer within ${timeoutMs} ms` });
      sent.destroy();
    }, timeoutMs);
    sent.on('error', (cause) => {
      // A host name with several addresses gives one error for all of them, which has no message of its own.
      settle({ failure: `no answer: ${cause.message || (cause as NodeJS.ErrnoException).code}` });
    });
    sent.on('response', (received) => {
      void collected(received).then((response) => settle({ response }));
    });
    sent.end(request.body);
  });
}

/** Host and length in the places where they stood, since a body that was changed may have another length. */
function framed({ headers, body }: ForwardedRequest, host: string): Fields {
  const length = String(body.length);
  const has = (wanted: string): boolean => headers.some(([name]) => name.toLowerCase() === wanted);
  const fields = headers.map(([name, value]) => {
    const field = name.toLowerCase();
    return [name, field === 'host' ? host : field === 'content-length' ? length : value] as const;
  });
  return [
    ...(has('host') ? [] : [['Host', host] as const]),
    ...fields,
    ...(has('content-length') || body.length === 0 ? [] : [['Content-Length', length] as const]),
  ];
}

/** A response with its body, as far as it came. */
async function collected(received: IncomingMessage): Promise<ForwardedResponse> {
  const chunks: Buffer[] = [];
  received.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise<void>((resolve) => {
    received.once('end', resolve).once('error', () => resolve());
  });
  return {
    status: received.statusCode ?? 0,
    reason: received.statusMessage ?? '',
    headers: fieldsFrom(received.rawHeaders),
    body: Buffer.concat(chunks),
    complete: received.complete,
  };
}

function answer(
  outgoing: ServerResponse,
  { status, reason, headers, body, complete }: ForwardedResponse,
): void {
  outgoing.sendDate = false;
  outgoing.writeHead(status, reason, flat(endToEnd(headers)));
  if (complete) outgoing.end(body);
  // What broke off there breaks off here.
  else outgoing.write(body, () => outgoing.destroy());
}

async function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Node takes header fields in order, and as they are written, as a flat list. */
function flat(fields: Fields): string[] {
  return fields.flat();
}

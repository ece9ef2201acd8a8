import { type ClientRequest, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Listening, listen } from '../http/listen.js';
import { PairedConnections } from './connections.js';
import type { RequestHead } from './message.js';
import { type RelayOptions, relay } from './relay.js';
import { LONGEST_HEAD, requesterTo, type Upstream } from './upstream.js';

/** How requests are forwarded. */
export interface ForwarderOptions extends RelayOptions {
  readonly upstream: Upstream;
  /** Delays a request until the promise resolves. */
  readonly room?: () => Promise<void> | undefined;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Whether each client connection has one connection to the upstream. Default: each request has one. */
  readonly pairsConnections?: boolean;
  /** Called with the reason if a request cannot be read as HTTP; only for paired connections. */
  readonly onUnreadable?: (reason: string) => void;
}

/** A forwarder that listens. */
export interface Forwarder extends Listening, AsyncDisposable {
  /** Accepts no more connections. */
  stop(): void;
  /** Stops and closes every connection. */
  close(): Promise<void>;
}

/**
 * Starts a server that forwards each request unchanged, and the response unchanged: method, target, status, reason,
 * header names and values in order, bodies and trailers, byte by byte and as they come. `Host` is the upstream's, and
 * fields about one connection are not forwarded. If a request gets no response, its connection is closed without one. A
 * request that Node's parser rejects gets a 400 from the forwarder.
 *
 * @throws ToolkitError `port-in-use` or `cannot-listen`
 */
export async function startForwarder({
  host = '127.0.0.1',
  port = 0,
  pairsConnections = false,
  upstream,
  room,
  onUnreadable,
  ...options
}: ForwarderOptions): Promise<Forwarder> {
  const open = requesterTo(upstream);
  const pairs = pairsConnections ? new PairedConnections(upstream.baseUrl.startsWith('https:')) : undefined;
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    // It was sent after a request whose response has closed the connection.
    if (!incoming.socket.writable) return void incoming.resume();
    const begin = (head: RequestHead): ClientRequest =>
      pairs === undefined ? open(head, false) : pairs.open(outgoing, (agent) => open(head, agent));
    const wait = room?.();
    if (wait === undefined) relay(incoming, outgoing, options, begin);
    else void wait.then(() => outgoing.destroyed || relay(incoming, outgoing, options, begin));
  };
  const server = createServer({ requireHostHeader: false, maxHeaderSize: LONGEST_HEAD }, handle);
  // The upstream decides whether a body may come.
  server.on('checkContinue', handle).on('checkExpectation', handle);
  if (pairs !== undefined) {
    // A client may close its side and wait for a response. Node has this option, but does not document it.
    Object.assign(server, { httpAllowHalfOpen: true });
    if (onUnreadable !== undefined)
      server.on('clientError', (cause: NodeJS.ErrnoException, socket: Socket) =>
        rejectUnreadable(cause, socket, pairs.lastOn(socket), onUnreadable),
      );
  }
  // Node would drop fields after the 2,000th, and close slow connections. The upstream decides that.
  server.maxHeadersCount = 0;
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  server.keepAliveTimeout = 0;
  const where = await listen(server, host, port);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { ...where, stop: () => void server.close(), close, [Symbol.asyncDispose]: close };
}

/** Node's own responses to requests that it cannot read. */
const STATUSES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
};

/**
 * Rejects a request that Node's parser cannot read. It never becomes an exchange. The status is Node's own.
 *
 * @param last the last response that was begun on the connection
 */
function rejectUnreadable(
  cause: NodeJS.ErrnoException,
  socket: Socket,
  last: ServerResponse | undefined,
  onUnreadable: (reason: string) => void,
): void {
  // A body that cannot be read belongs to an exchange, which ends with its connection.
  const isBody = last !== undefined && !last.req.complete;
  if (!socket.writable || (isBody && last.headersSent)) {
    socket.destroy();
    return;
  }
  if (!isBody && cause.code?.startsWith('HPE_')) onUnreadable(cause.message.replace('Parse Error: ', ''));
  const hasBegun = last?.headersSent === true && !last.writableFinished;
  const status = STATUSES[cause.code ?? ''] ?? '400 Bad Request';
  if (!hasBegun) socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
  socket.destroySoon();
}

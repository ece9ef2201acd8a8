import { type ClientRequest, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Listening, listen } from '../listening.js';
import type { RequestHead } from './message.js';
import { PairedConnections } from './paired-connections.js';
import { type RelayOptions, relay } from './relay.js';
import { watchUnreadable } from './unreadable.js';
import { LONGEST_HEAD, requesterTo, type Upstream } from './upstream.js';

/** How requests are forwarded. */
export interface ForwarderOptions extends RelayOptions {
  readonly upstream: Upstream;
  /** Holds requests back, until what it gives resolves. */
  readonly room?: () => Promise<void> | undefined;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Whether connections to the upstream live as long as those of clients. Default: each request has one of its own. */
  readonly pairsConnections?: boolean;
  /** Told why a request could not be read, where connections are paired. */
  readonly onUnreadable?: (why: string) => void;
}

/** A forwarder that listens. */
export interface Forwarder extends Listening, AsyncDisposable {
  /** Takes no further connections. */
  stop(): void;
  /** Stops and closes every connection. */
  close(): Promise<void>;
}

/**
 * Starts a server that sends each request on as it came, and the answer back as it came: method, target, status,
 * reason, header names and values in their order, bodies and trailers, byte by byte and as soon as they are there.
 * `Host` is the upstream's, and fields about one connection end with it. A request without an answer gets none: its
 * connection is closed. One that Node's parser refuses is answered with 400 here.
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
    // It came behind one whose answer has closed the connection.
    if (!incoming.socket.writable) return void incoming.resume();
    const begin = (head: RequestHead): ClientRequest =>
      pairs === undefined ? open(head, false) : pairs.open(outgoing, (agent) => open(head, agent));
    const wait = room?.();
    if (wait === undefined) relay(incoming, outgoing, options, begin);
    else void wait.then(() => outgoing.destroyed || relay(incoming, outgoing, options, begin));
  };
  const server = createServer({ requireHostHeader: false, maxHeaderSize: LONGEST_HEAD }, handle);
  // Whether a body may come is for the upstream to say.
  server.on('checkContinue', handle).on('checkExpectation', handle);
  if (pairs !== undefined) {
    // A client may close its side, and wait for an answer; Node has this for that, and does not document it.
    Object.assign(server, { httpAllowHalfOpen: true });
    if (onUnreadable !== undefined) watchUnreadable(server, (socket) => pairs.lastOn(socket), onUnreadable);
  }
  // Node would drop fields after the 2,000th, and give up slow clients; that is for the upstream to do.
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

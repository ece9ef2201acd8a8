import {
  type Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { type Listening, listen } from '../address.js';
import type { RequestHead } from '../exchange.js';
import { limitInWords, SharedLimit } from '../limits.js';
import { agentTo, beginRequest, LONGEST_HEAD, type Route } from '../route.js';
import { ClientConnection, connectionOf, PairedConnections } from './connections.js';
import { framingProblem, optionsOf } from './framing.js';
import { type RelayOptions, relay } from './relay.js';

/** How requests are forwarded. */
interface ForwarderOptions extends RelayOptions {
  /** The targets of requests are appended to the path of its URL. */
  readonly upstream: Route;
  /** Delays a request until the promise resolves. */
  readonly room?: () => Promise<void> | undefined;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Whether each client connection has one connection to the upstream. Default: each request has one. */
  readonly pairsConnections?: boolean;
  /** Called with the reason if a request is rejected. */
  readonly onRejected?: (reason: string) => void;
}

/** A forwarder that listens. */
interface Forwarder extends Listening, AsyncDisposable {
  /** Accepts no more connections. */
  stop(): void;
  /** Stops and closes every connection. */
  close(): Promise<void>;
}

/**
 * Starts a server that forwards each request unchanged, and the response unchanged: method, target, status, reason,
 * header names and values in order, bodies and trailers, byte by byte and as they come. `Host` is the upstream's, and
 * fields about one connection are not forwarded. If a request gets no response, its connection is closed without one.
 *
 * A request that is not exactly one request to every reader gets a 400 from the forwarder, and is not forwarded. Nor is
 * anything that follows it.
 *
 * @throws ToolkitError `port-in-use` or `cannot-listen`
 */
export async function startForwarder(options: ForwarderOptions): Promise<Forwarder> {
  const { host = '127.0.0.1', port = 0, pairsConnections = false, onRejected } = options;
  const server = createServer({
    requireHostHeader: false,
    maxHeaderSize: LONGEST_HEAD,
    insecureHTTPParser: false,
  });
  // Node drops further fields, so such a request is rejected.
  server.maxHeadersCount = MOST_FIELDS;
  // Node would close slow connections. The upstream decides that.
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  server.keepAliveTimeout = 0;
  // A client may close its side and wait for a response. Node has this option, but does not document it.
  if (pairsConnections) Object.assign(server, { httpAllowHalfOpen: true });
  const sockets = acceptRequests(server, forwarding(options), onRejected);
  const where = await listen(server, host, port);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { ...where, stop: () => void server.close(), close, [Symbol.asyncDispose]: close };
}

/**
 * Begins a request with an unchanged head. Only `Host` is the upstream's, in the same place as before.
 *
 * @param agent keeps connections; without it the request has its own
 */
type Requester = (head: RequestHead, agent?: Agent) => ClientRequest;

/**
 * Makes the function that begins requests to an upstream.
 *
 * @param route its URL is the base URL: the targets of requests are appended to its own path
 */
function requesterTo(route: Route): Requester {
  const { host, pathname } = route.url;
  const base = pathname.replace(/\/+$/, '');
  return ({ method, target, headers: given }, agent) => {
    const headers = given.map(([name, value]) => [name, isHost(name) ? host : value] as const);
    if (!given.some(([name]) => isHost(name))) headers.unshift(['Host', host]);
    if (agent === undefined) headers.push(['Connection', 'close']);
    const sent = beginRequest(route, { method, path: pathTo(base, target), headers }, agent && { agent });
    // Node would drop fields after the 2,000th, and so perhaps the Content-Length.
    sent.maxHeadersCount = 0;
    return sent;
  };
}

function isHost(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === 'host';
}

/** A target after the path of a base URL. `*` means the whole server; of an absolute URL, only the path counts. */
function pathTo(base: string, target: string): string {
  if (base === '' || target === '*') return target;
  const path = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return base + (path.startsWith('/') ? path : `/${path}`);
}

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Makes the function that forwards a request. */
function forwarding({ upstream, pairsConnections = false, room, ...options }: ForwarderOptions): Handler {
  const open = requesterTo(upstream);
  const pairs = pairsConnections
    ? new PairedConnections(() => agentTo(upstream, { keepAlive: true, maxSockets: 1 }))
    : undefined;
  return (incoming, outgoing) => {
    const begin = (head: RequestHead): ClientRequest =>
      pairs === undefined ? open(head) : pairs.open(outgoing, (agent) => open(head, agent));
    const wait = room?.();
    if (wait === undefined) relay(incoming, outgoing, options, begin);
    else void wait.then(() => outgoing.destroyed || relay(incoming, outgoing, options, begin));
  };
}

/**
 * Forwards what is exactly one request to every reader, each request of a connection in its turn, and rejects the rest.
 *
 * @returns the connections that are open
 */
function acceptRequests(
  server: Server,
  forward: Handler,
  onRejected?: (reason: string) => void,
): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  const heldTogether = new SharedLimit<ClientConnection>(MOST_HELD, (connection) => {
    connection.destroy();
    onRejected?.(TOO_MUCH_HELD);
  });
  const reject = (socket: Socket, status: string, reason: string): void => {
    if (connectionOf(socket).reject(status, reason)) onRejected?.(reason);
  };
  const handle: Handler = (incoming, outgoing) => {
    const { httpVersion, rawHeaders, headers, socket } = incoming;
    // Node does not read what follows in the same packet.
    if (headers.upgrade !== undefined && optionsOf([headers.connection ?? '']).includes('upgrade'))
      outgoing.shouldKeepAlive = false;
    if (rawHeaders.length >= 2 * MOST_FIELDS) {
      incoming.resume();
      reject(socket, TOO_LARGE, `it has ${MOST_FIELDS} header fields or more`);
      return;
    }
    const problem =
      framingProblem({ httpVersion, headers: rawHeaders }) ??
      connectionOf(socket).take(outgoing, () => forward(incoming, outgoing));
    if (problem === undefined) return;
    incoming.resume();
    reject(socket, BAD_REQUEST, problem);
  };
  // The upstream decides whether a body may come.
  server.on('request', handle).on('checkContinue', handle).on('checkExpectation', handle);
  server.on('connection', (socket) => {
    sockets.add(socket);
    new ClientConnection(socket, heldTogether);
    socket.once('close', () => sockets.delete(socket));
    // Node's parser does not report it if the request asks for an upgrade: from then on it hides every error.
    socket.once('end', () => {
      if (connectionOf(socket).isWithinRequest) reject(socket, BAD_REQUEST, 'it ends within its body');
    });
  });
  server.on('connect', ({ socket }: IncomingMessage) => {
    // Without a listener, an error of this socket ends the process. Unless it is read, nobody sees that the client leaves.
    socket.on('error', () => {}).resume();
    reject(socket, BAD_REQUEST, 'CONNECT asks for a tunnel');
  });
  server.on('clientError', (cause: NodeJS.ErrnoException, socket: Socket) => {
    // What follows the last request of a connection is ignored (RFC 9112, section 9.6).
    if (cause.code === 'HPE_CLOSED_CONNECTION') return;
    if (cause.code?.startsWith('HPE_') !== true || !socket.writable) socket.destroy();
    else reject(socket, STATUSES[cause.code] ?? BAD_REQUEST, cause.message.replace('Parse Error: ', ''));
  });
  return sockets;
}

/** What all requests that wait or are under way may take in memory, without their bodies. */
const MOST_HELD = 32 * 2 ** 20;
const TOO_MUCH_HELD = `the requests of all connections take more than ${limitInWords(MOST_HELD)}, and this connection has the most`;

/** More than any client sends. An attacker could fill a head with fields of one character, which take much memory. */
const MOST_FIELDS = 2_000;

const BAD_REQUEST = '400 Bad Request';
const TOO_LARGE = '431 Request Header Fields Too Large';

/** Node's own responses to requests that it cannot read. */
const STATUSES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: TOO_LARGE,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
};

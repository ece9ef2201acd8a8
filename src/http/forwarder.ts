import {
  type Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
// A test may replace the global ones.
import { clearTimeout, setTimeout } from 'node:timers';
import { withoutOrigin } from '../request-target.js';
import { reasonOf } from '../toolkit-error.js';
import { isLoopback, type Listening, listen } from './address.js';
import { ClientConnection } from './client-connection.js';
import { CollectedBytes } from './collected-bytes.js';
import type { ForwardedBody, ForwardedExchange, ForwardedResponse, RequestHead } from './exchange.js';
import { type Fields, fieldsFrom, headerValues } from './fields.js';
import { endToEnd, framingProblem, MOST_FIELDS, responseProblem } from './framing.js';
import { limits } from './limits.js';
import { beginRequest, LONGEST_HEAD, type Route } from './route.js';
import { KeptConnections } from './upstream-connections.js';

/** How requests are forwarded, and who is called. */
interface ForwarderOptions {
  /** The targets of requests are appended to the path of its URL. */
  readonly upstream: Route;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Milliseconds for an exchange; then the connection is closed without a response. Default: no limit. */
  readonly timeoutMs?: number;
  /** Called when a request is forwarded, before its first byte. */
  readonly onBegin?: (request: RequestHead) => void;
  /** Called at the end of each exchange, once for each that has begun. */
  readonly onExchange?: (exchange: ForwardedExchange) => void;
  /** Called with the reason if requests are rejected, and how many: those that wait on a connection fail together. */
  readonly onRejected?: (reason: string, count: number) => void;
}

/** A forwarder that listens. */
interface Forwarder extends Listening, AsyncDisposable {
  /** Accepts no more connections, and begins no more exchanges. */
  stop(): void;
  /** Stops and closes every connection. */
  close(): Promise<void>;
}

/**
 * Starts a server that forwards each request unchanged, and the response unchanged: method, target, status, reason,
 * header names and values in order, and bodies byte by byte as they come. `Host` is the upstream's, and fields about one
 * connection are not forwarded. The requests of a client's connection share one to the upstream while it is kept, and the
 * client's connection stays open whatever the upstream does with its own. If a request gets no response, the client's connection
 * is closed without one.
 *
 * A request that is not exactly one request to every reader gets a 400 from the forwarder, and is not forwarded. Nor is
 * anything that follows it. On the loopback interface, so is one whose `Host` is not a name of this machine: a page of another site
 * could send it, if its name leads here.
 *
 * @throws ToolkitError `port-in-use` or `cannot-listen`
 */
export async function startForwarder(options: ForwarderOptions): Promise<Forwarder> {
  const { host = '127.0.0.1', port = 0 } = options;
  const server = createServer({
    requireHostHeader: false,
    maxHeaderSize: LONGEST_HEAD,
    insecureHTTPParser: false,
  });
  // Node drops further fields, so such a request is rejected.
  server.maxHeadersCount = MOST_FIELDS;
  // The upstream decides how slow a client may be.
  Object.assign(server, { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 });
  const connections = new Map<Socket, ClientConnection>();
  const agents = new Map<Socket, Agent>();
  const kept = new KeptConnections(options.upstream);
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const connection = connections.get(incoming.socket);
    // Node does not read what follows in the same packet.
    const { upgrade, connection: named = '' } = incoming.headers;
    if (upgrade !== undefined && /\bupgrade\b/i.test(named)) outgoing.shouldKeepAlive = false;
    const problem = framingProblem(incoming) ?? (isLoopback(host) ? hostProblem(incoming) : undefined);
    const agent = agents.get(incoming.socket);
    if (problem !== undefined) connection?.reject(problem);
    else connection?.take(outgoing, () => new Exchange(incoming, outgoing, options, kept.agentOf(agent)));
  };
  server.on('request', handle).on('checkExpectation', handle);
  server.on('connection', (socket: Socket) => {
    connections.set(socket, new ClientConnection(socket, options.onRejected));
    const agent = kept.newAgent();
    agents.set(socket, agent);
    socket.once('close', () => {
      connections.delete(socket);
      agents.delete(socket);
      agent.destroy();
    });
  });
  server.on('connect', ({ socket }: IncomingMessage) => {
    // Without a listener, an error of this socket ends the process. Unless it is read, nobody sees that the client leaves.
    connections.get(socket)?.reject('CONNECT asks for a tunnel');
    socket
      .on('error', () => {})
      .once('end', () => socket.destroy())
      .resume();
  });
  server.on('clientError', (cause: NodeJS.ErrnoException, socket: Socket) => {
    // What follows the last request of a connection is ignored (RFC 9112, section 9.6).
    if (cause.code === 'HPE_CLOSED_CONNECTION') return;
    if (!isHttpError(cause) || !socket.writable) socket.destroy();
    else connections.get(socket)?.reject(cause.message.replace('Parse Error: ', ''));
  });
  const where = await listen(server, host, port);
  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    const open = [...connections.values()];
    for (const connection of open) connection.close('the proxy was stopped before a response');
    await Promise.all([closed, ...open.map(({ turn }) => turn)]);
  };
  const stop = (): void => {
    server.close();
    for (const connection of connections.values()) connection.stop();
  };
  return { ...where, stop, close, [Symbol.asyncDispose]: close };
}

/**
 * Why a request to a listener of the loopback interface is not for this machine. Without a Host, no browser sent it; and no page of
 * another site has a name without a dot.
 */
function hostProblem({ rawHeaders }: IncomingMessage): string | undefined {
  const [host = ''] = headerValues(rawHeaders, 'host');
  const name = host.replace(/:\d*$/, '');
  if (isLoopback(name) || !/[.:]/.test(name)) return undefined;
  return 'its Host is not a name of this machine, such as localhost; listen on another address to accept it';
}

/** Begins a request with an unchanged head. Only `Host` is the upstream's, in the same place as before. */
function open(
  upstream: Route,
  agent: Agent,
  { method, target, headers: given }: RequestHead,
  framing: Fields = [],
) {
  const { host, pathname } = upstream.url;
  const isHost = ([name]: Fields[number]): boolean => name.toLowerCase() === 'host';
  const headers = given.map((field) => (isHost(field) ? ([field[0], host] as const) : field));
  if (!given.some(isHost)) headers.unshift(['Host', host]);
  const path = pathTo(pathname.replace(/\/+$/, ''), target);
  // If an upstream closed while a long body comes, a reset could destroy its response.
  const fields: Fields = [...headers, ...framing, ['Connection', 'keep-alive']];
  const sent = beginRequest(upstream, { method, path, headers: fields }, { agent });
  // Node would drop fields after the 2,000th, and so perhaps the Content-Length.
  sent.maxHeadersCount = 0;
  return sent;
}

/** A target after the path of a base URL. `*` means the whole server; of an absolute URL, only the path counts. */
function pathTo(base: string, target: string): string {
  if (base === '' || target === '*') return target;
  const path = withoutOrigin(target);
  return base + (path.startsWith('/') ? path : `/${path}`);
}

/** One exchange under way: forwards a request and its response, and reports both when it ends. */
class Exchange {
  private readonly start = performance.now();
  private readonly timer: NodeJS.Timeout | undefined;
  private readonly head: RequestHead;
  private readonly keptRequest = new CollectedBytes(limits.body);
  private readonly sent: ClientRequest;
  private received: IncomingMessage | undefined;
  /** Set once no more of it will come. */
  private response: ForwardedResponse | undefined;
  private hasSurplus = false;
  private hasEnded = false;

  constructor(
    private readonly incoming: IncomingMessage,
    private readonly outgoing: ServerResponse,
    private readonly options: ForwarderOptions,
    agent: Agent,
  ) {
    const { upstream, timeoutMs, onBegin } = options;
    const { method = '', url: target = '', rawHeaders } = incoming;
    this.head = { method, target, headers: endToEnd(fieldsFrom(rawHeaders)) };
    incoming.on('data', (chunk: Buffer) => this.keptRequest.add(chunk));
    onBegin?.(this.head);
    if (timeoutMs !== undefined)
      this.timer = setTimeout(() => this.fail(`no response within ${timeoutMs} ms`, true), timeoutMs);
    const isChunked = incoming.headers['transfer-encoding'] !== undefined;
    const sent = open(upstream, agent, this.head, isChunked ? [['Transfer-Encoding', 'chunked']] : []);
    this.sent = sent;
    sent.once('upgrade', (_received, socket) => {
      socket.destroy();
      this.fail('the upstream switched protocols');
    });
    sent.on('error', (cause: NodeJS.ErrnoException) => {
      // A response that has begun ends by itself, complete or not.
      if (this.received === undefined) this.fail(`no response: ${reasonOf(cause)}`, mayHaveRead(sent, cause));
      else if (this.received.complete && isHttpError(cause)) this.hasSurplus = true;
    });
    sent.once('response', (received) => {
      this.received = received;
      try {
        this.forward(received);
      } catch (cause) {
        this.fail(`the response cannot be forwarded: ${(cause as Error).message}`);
      }
    });
    outgoing.once('close', () => {
      if (!outgoing.writableEnded) this.end('the client went away');
    });
    // The upstream may wait for the head before its client sends the body.
    sent.write(NO_BYTES);
    incoming.pipe(sent);
    // An upstream may respond and close before it has read everything. Some clients read only after they have sent it. After
    // `pipe`, which pauses what it no longer writes.
    sent.once('close', () => void incoming.resume());
  }

  /** Forwards the response as it comes. */
  private forward(received: IncomingMessage): void {
    const { incoming, outgoing } = this;
    const problem = responseProblem(received);
    if (problem !== undefined) throw new Error(problem);
    const { statusCode: status = 0, statusMessage: reason = '', rawHeaders } = received;
    const headers = fieldsFrom(rawHeaders);
    const kept = new CollectedBytes(limits.body);
    received.on('data', (chunk: Buffer) => kept.add(chunk));
    const soFar = (): ForwardedResponse => ({ status, reason, headers, ...bodySoFar(received, kept) });
    outgoing.sendDate = false;
    outgoing.writeHead(status, reason, endToEnd(headers).flat());
    // Node's `flushHeaders` would write it in UTF-8; with bytes after it, Node writes it in Latin-1, as it was read.
    outgoing.write(NO_BYTES);
    received.pipe(outgoing, { end: false });
    received.once('end', () => {
      this.response = { ...soFar(), ...(this.hasSurplus && { surplus: true as const }) };
      const end = (): void => {
        outgoing.end();
        this.end();
      };
      if (incoming.readableEnded) {
        end();
        return;
      }
      // It came early. To close the client's connection now would cause a reset, and a client that sends everything before it
      // reads would lose the response. The upstream does not need the rest.
      incoming.once('end', end);
      this.sent.destroy();
    });
    // An incomplete response stays incomplete: the client gets what came, and then the end of its connection.
    received.once('error', (cause) => {
      this.response = soFar();
      this.end(`incomplete response: ${cause.message}`);
      outgoing.socket?.destroySoon();
    });
  }

  /** Ends it, and closes the client's connection. */
  private fail(failure: string, isByUpstream = false): void {
    this.end(failure, isByUpstream);
    this.outgoing.destroy();
  }

  /**
   * Ends it, and reports it.
   *
   * @param failure why there is no response, or not all of it
   * @param isByUpstream whether the upstream got the request, and gave no response
   */
  end(failure?: string, isByUpstream = false): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    clearTimeout(this.timer);
    if (failure !== undefined) this.sent.destroy();
    const { response } = this;
    this.options.onExchange?.({
      request: { ...this.head, ...bodySoFar(this.incoming, this.keptRequest) },
      ...(response !== undefined && { response }),
      // A failure after a complete response is not about the response.
      ...(response?.complete !== true && failure !== undefined && { failure }),
      ...(response === undefined && isByUpstream && { isUnanswered: true }),
      durationMs: performance.now() - this.start,
    });
  }
}

/** Whether the upstream may have read a request that got no response. If TLS failed, also after the handshake, it has not. */
function mayHaveRead({ socket }: ClientRequest, cause: NodeJS.ErrnoException): boolean {
  if (/^ERR_(SSL|TLS)/.test(cause.code ?? '')) return false;
  return socket?.remoteAddress !== undefined || isHttpError(cause) || cause.code === 'ECONNRESET';
}

function isHttpError({ code }: NodeJS.ErrnoException): boolean {
  return code?.startsWith('HPE_') === true;
}

/** The body of a message so far. Its end may have come while its last bytes wait to be forwarded. */
function bodySoFar({ complete, readableEnded }: IncomingMessage, kept: CollectedBytes): ForwardedBody {
  return { body: kept.bytes, bodyLength: kept.received, complete: complete && readableEnded };
}

const NO_BYTES = new Uint8Array(0);

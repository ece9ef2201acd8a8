import type { Agent, ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { memoryOfHead } from '../exchange.js';
import { fieldsFrom } from '../fields.js';
import type { SharedLimit } from '../limits.js';

/** So many requests may wait on one connection: more than any client sends before it reads. */
const MOST_WAITING = 100;
/** What Node takes in memory for a request that waits, besides its head. */
const REQUEST_BYTES = 3_500;
const TOO_MANY = 'more than 100 requests wait on one connection';
/** How long a client that still sends has to read a rejection. */
const LINGER_MS = 1_000;

/**
 * The requests of a client's connection, one after the other. A client may send several before it reads a response. None
 * is forwarded before the response to the one before it has ended, because that may close the connection.
 */
export class ClientConnection {
  /** Called with the reason if the rest of the request that has begun cannot be read. */
  onBrokenBody: ((reason: string) => void) | undefined;
  /** The response to the last request. */
  private latest: ServerResponse | undefined;
  private isBusy = false;
  /** What follows a rejected request is no request. */
  private isOver = false;
  private readonly waiting: (() => void)[] = [];
  private heldBytes = 0;

  /** @param heldTogether the limit on what all connections hold: requests that wait or are under way */
  constructor(
    private readonly socket: Socket,
    private readonly heldTogether: SharedLimit<ClientConnection>,
  ) {
    connections.set(socket, this);
    socket.once('close', () => heldTogether.holds(this, 0));
  }

  /** Whether the end of the request that has begun is missing. */
  get isWithinRequest(): boolean {
    return this.latest !== undefined && !this.latest.req.complete;
  }

  /** Begins a request in its turn. Returns why it cannot be begun. */
  take(outgoing: ServerResponse, begin: () => void): string | undefined {
    const { rawHeaders, url } = outgoing.req;
    const memory = REQUEST_BYTES + memoryOfHead(fieldsFrom(rawHeaders), url);
    if (this.socket.writable) this.holdUntilClosed(outgoing, memory);
    if (this.isOver || !this.socket.writable) {
      outgoing.req.resume();
      return undefined;
    }
    if (this.waiting.length >= MOST_WAITING) return TOO_MANY;
    this.latest = outgoing;
    this.inTurn(() => {
      this.isBusy = true;
      this.onBrokenBody = undefined;
      outgoing.once('close', () => {
        this.isBusy = false;
        this.next();
      });
      begin();
    });
    return undefined;
  }

  /** Counts bytes of an exchange in the limit on what all connections hold. */
  holdUntilClosed(outgoing: ServerResponse, bytes: number): void {
    const add = (more: number): void => {
      this.heldBytes += more;
      this.heldTogether.holds(this, this.heldBytes);
    };
    outgoing.once('close', () => !this.socket.destroyed && add(-bytes));
    add(bytes);
  }

  /** Closes the connection at once. */
  destroy(): void {
    this.isOver = true;
    this.socket.destroy();
  }

  /**
   * Rejects what comes now, in its turn. Nothing after it is read.
   *
   * @returns whether it is a request. It may also be the body of one that has begun, or follow what was rejected.
   */
  reject(status: string, reason: string): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    process.nextTick(() => this.dropWhatFollows());
    const { latest, onBrokenBody } = this;
    const isBody = this.isWithinRequest;
    if (isBody && latest?.headersSent) {
      this.socket.destroy();
      return false;
    }
    if (!isBody) this.inTurn(() => this.respond(status));
    else if (this.waiting.length > 0) this.waiting.splice(-1, 1, () => this.respond(status));
    else this.respond(status);
    if (!isBody || this.waiting.length > 0 || onBrokenBody === undefined) return true;
    onBrokenBody(reason);
    return false;
  }

  /**
   * Takes the bytes from Node's parser, which would make requests of them. They are read on, so that the client can read
   * the response, and so that its end is seen.
   */
  private dropWhatFollows(): void {
    this.socket
      .removeAllListeners('data')
      .on('data', () => {})
      .resume();
  }

  private inTurn(run: () => void): void {
    if (this.isBusy) this.waiting.push(run);
    else run();
  }

  private next(): void {
    if (this.socket.writable) this.waiting.shift()?.();
    else this.waiting.length = 0;
  }

  /** Closes the connection once the client has read the response. A reset could destroy it on its way. */
  private respond(status: string): void {
    const { socket, latest } = this;
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
    latest?.req.resume();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  }
}

const connections = new WeakMap<Socket, ClientConnection>();

/** The connection of a socket that the forwarder accepted. */
export function connectionOf(socket: Socket): ClientConnection {
  return connections.get(socket) as ClientConnection;
}

/** The connection to the upstream that belongs to a client's connection. */
interface Pair {
  readonly agent: Agent;
  outgoing: ServerResponse;
  sent: ClientRequest | undefined;
}

/**
 * For each connection of a client, one connection to the upstream, kept and closed together. So a client sees the same
 * connections as without a proxy. A pool would send a request on a connection that the upstream is just closing, and a
 * proxy must not send a POST again (RFC 9110, section 9.2.2).
 */
export class PairedConnections {
  private readonly pairs = new WeakMap<Socket, Pair>();

  /** @param newAgent makes an agent that keeps one connection to the upstream */
  constructor(private readonly newAgent: () => Agent) {}

  /** Begins a request on the connection to the upstream that belongs to its client's. */
  open(outgoing: ServerResponse, request: (agent: Agent) => ClientRequest): ClientRequest {
    const { socket } = outgoing.req;
    const pair = this.pairs.get(socket) ?? this.begin(socket, outgoing);
    const sent = request(pair.agent);
    pair.outgoing = outgoing;
    pair.sent = sent;
    sent.once('socket', (upstream) => {
      if (paired.has(upstream)) return;
      paired.add(upstream);
      upstream.once('close', () => closeAfterResponse(socket, pair.outgoing));
    });
    return sent;
  }

  private begin(socket: Socket, outgoing: ServerResponse): Pair {
    const agent = this.newAgent();
    const pair: Pair = { agent, outgoing, sent: undefined };
    this.pairs.set(socket, pair);
    socket.once('close', () => agent.destroy());
    socket.once('end', () => endAfterRequest(pair));
    return pair;
  }
}

const paired = new WeakSet<Socket>();

/** Closes the client's connection once the upstream has closed its own, and everything that came is sent. */
function closeAfterResponse(socket: Socket, outgoing: ServerResponse): void {
  if (outgoing.writableEnded || outgoing.destroyed) socket.destroySoon();
  else outgoing.once('finish', () => socket.destroySoon());
}

/**
 * A client that closed its side may wait for a response, or be gone. Only the upstream can decide what that means, so
 * its connection is closed in the same way.
 */
function endAfterRequest({ sent, outgoing }: Pair): void {
  if (sent === undefined || outgoing.writableEnded) return;
  if (sent.writableFinished) sent.socket?.end();
  else sent.once('finish', () => sent.socket?.end());
}

/** A client that sends nothing for so long has read its response, or never will. */
const IDLE_MS = 5_000;
const LONGEST_MS = 30_000;

/**
 * Delays the close of a client's connection until the request has ended (RFC 9112, section 9.6). Node would close it at
 * once. Bytes that the client still sends would then cause a reset, and a client that sends everything before it reads
 * would lose the response.
 */
export function delayCloseUntilRequestEnds(incoming: IncomingMessage): void {
  const { socket } = incoming;
  const close = (): void => Socket.prototype.destroySoon.call(socket);
  let isDelayed = false;
  socket.destroySoon = () => {
    if (incoming.readableEnded) return close();
    if (isDelayed) return;
    isDelayed = true;
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LONGEST_MS);
    socket.once('close', () => clearTimeout(timer));
    socket.setTimeout(IDLE_MS, () => void socket.destroy());
    incoming.once('end', close);
  };
}

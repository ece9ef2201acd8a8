import type { Agent, ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

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

import { Agent, type ClientRequest, type ServerResponse } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Socket } from 'node:net';

/** A connection of a client, and what was sent on for it last. */
interface Pair {
  readonly agent: Agent;
  outgoing: ServerResponse;
  sent: ClientRequest | undefined;
}

/**
 * For each connection of a client, one connection to the upstream, kept and closed together: so a client meets the same
 * connections as it would without a proxy. A pool would send a request on a connection that the upstream is just
 * closing, and a proxy may not send a POST again (RFC 9110, section 9.2.2).
 */
export class PairedConnections {
  private readonly pairs = new WeakMap<Socket, Pair>();

  constructor(private readonly isTls: boolean) {}

  /** Sends a request on by the connection to the upstream that belongs to its client's. */
  open(outgoing: ServerResponse, request: (agent: Agent) => ClientRequest): ClientRequest {
    const { socket } = outgoing.req;
    const pair = this.pairs.get(socket) ?? this.begin(socket, outgoing);
    const sent = request(pair.agent);
    pair.outgoing = outgoing;
    pair.sent = sent;
    sent.once('socket', (upstream) => {
      if (paired.has(upstream)) return;
      paired.add(upstream);
      upstream.once('close', () => closeAfterAnswer(socket, pair.outgoing));
    });
    return sent;
  }

  /** The last answer that was begun on a connection of a client. */
  lastOn(socket: Socket): ServerResponse | undefined {
    return this.pairs.get(socket)?.outgoing;
  }

  private begin(socket: Socket, outgoing: ServerResponse): Pair {
    const agent = new (this.isTls ? TlsAgent : Agent)({ keepAlive: true, maxSockets: 1 });
    const pair: Pair = { agent, outgoing, sent: undefined };
    this.pairs.set(socket, pair);
    socket.once('close', () => agent.destroy());
    socket.once('end', () => endAfterRequest(pair));
    return pair;
  }
}

const paired = new WeakSet<Socket>();

/** Closes the client's connection once the upstream has closed the one behind it, and all that came has gone out. */
function closeAfterAnswer(socket: Socket, outgoing: ServerResponse): void {
  if (outgoing.writableEnded || outgoing.destroyed) socket.destroySoon();
  else outgoing.once('finish', () => socket.destroySoon());
}

/**
 * A client that has closed its side may wait for an answer, or be gone: only the upstream can say what it makes of
 * that, and so it is told in the same way.
 */
function endAfterRequest({ sent, outgoing }: Pair): void {
  if (sent === undefined || outgoing.writableEnded) return;
  if (sent.writableFinished) sent.socket?.end();
  else sent.once('finish', () => sent.socket?.end());
}

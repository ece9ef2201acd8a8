import { Agent, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Socket } from 'node:net';

/**
 * For each connection of a client, one connection to the upstream, kept and closed together: so a client meets the same
 * connections as it would without a proxy. A pool would send a request on a connection that the upstream is just
 * closing, and a proxy may not send a POST again (RFC 9110, section 9.2.2).
 */
export class PairedConnections {
  private readonly agents = new WeakMap<Socket, Agent>();

  constructor(private readonly isTls: boolean) {}

  /** What keeps the connection to the upstream that belongs to a client's. */
  agentFor({ socket }: IncomingMessage): Agent {
    const known = this.agents.get(socket);
    if (known !== undefined) return known;
    const agent = new (this.isTls ? TlsAgent : Agent)({ keepAlive: true, maxSockets: 1 });
    this.agents.set(socket, agent);
    socket.once('close', () => agent.destroy());
    return agent;
  }

  /** Closes the client's connection once the upstream has closed the one behind it. */
  pair(sent: ClientRequest, { socket }: IncomingMessage): void {
    sent.once('socket', (upstream) => {
      if (paired.has(upstream)) return;
      paired.add(upstream);
      upstream.once('close', () => socket.destroySoon());
    });
  }
}

const paired = new WeakSet<Socket>();

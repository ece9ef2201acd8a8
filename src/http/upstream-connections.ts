import { Agent, type ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
// A test may replace the global ones.
import { setTimeout } from 'node:timers';
import { agentTo, type Route } from './route.js';

/** How long a connection without a request is kept. Servers keep theirs for longer. */
const KEPT_MS = 500;
/** A connection that stayed open for so long shows that the upstream keeps connections. */
const PROOF_MS = 25;
/** How long no connection is kept after the upstream closed one by itself. */
const REST_MS = 30_000;

/**
 * The connections to an upstream that are used again, so that a request does not use up a port of the machine. Each belongs to one
 * connection of a client: nobody gets a response to somebody else.
 *
 * A POST that meets a connection which the upstream is just closing would be lost, and must not be sent twice. So none is used
 * again before one has stayed open for a while without a request, and none after the upstream has closed one. Every connection
 * on which something comes without a request is closed.
 */
export class KeptConnections {
  private state: 'unknown' | 'observing' | 'kept' | 'closed' = 'unknown';

  constructor(private readonly upstream: Route) {}

  /** An agent for a new connection of a client. */
  newAgent(): Agent {
    const agent = agentTo(this.upstream, { keepAlive: true, timeout: KEPT_MS });
    /** Ends the watch over a connection that is kept. */
    let unwatch = (): void => {};
    return Object.assign(agent, {
      maxSockets: 1,
      keepSocketAlive: (socket: Socket): boolean => {
        const isUseful = this.state === 'unknown' || this.state === 'kept';
        // The upstream may say that it keeps connections for too short a time.
        if (!isUseful || !(Agent.prototype.keepSocketAlive.call(agent, socket) as unknown as boolean))
          return false;
        unwatch = this.watch(socket);
        return true;
      },
      reuseSocket: (socket: Socket, request: ClientRequest): void => {
        unwatch();
        Agent.prototype.reuseSocket.call(agent, socket, request);
      },
    });
  }

  /** The agent for the next request of a client: one that opens a new connection, unless connections are kept. */
  agentOf(agent: Agent | undefined): Agent {
    return agent !== undefined && this.state === 'kept' ? agent : this.newAgent();
  }

  /** Watches a connection without a request. */
  private watch(socket: Socket): () => void {
    const closes = (): void => {
      socket.destroy();
      this.state = 'closed';
      setTimeout(() => {
        this.state = 'unknown';
      }, REST_MS).unref();
    };
    for (const event of SIGNS) socket.once(event, closes);
    if (this.state === 'unknown') {
      this.state = 'observing';
      setTimeout(() => {
        if (this.state === 'observing') this.state = 'kept';
      }, PROOF_MS).unref();
    }
    return () => {
      for (const event of SIGNS) socket.off(event, closes);
    };
  }
}

/** What arrives on a connection without a request: its end, a reset, or bytes that belong to no response. */
const SIGNS = ['end', 'error', 'data'] as const;

import type { Agent, ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { agentTo, type Route } from '../../http/route.js';

/** A connection is not used again after so long, and not in the last second for which the provider says it keeps it. */
const IDLE_MS = 60_000;
/** How long a request gets nothing until its connection is suspected, beside what a response usually takes. */
const SUSPECTED_MS = 500;
const SUSPECTED_TIMES = 1.5;
/** The same as a part of the time that an exchange may take. */
const SUSPECTED_PART = 1 / 3;

/**
 * Connections that are kept open and used again, as those of a client are: each carries one request at a time. A provider
 * may close them whenever they are idle. A request on a connection that was just being closed is sent again elsewhere.
 *
 * Some providers serve a connection until it ends, and only then the next one, or have a few threads for them. Others never
 * serve a second request of a connection. Then none is kept any more.
 */
export class Connections {
  readonly agent: Agent;
  /** How many requests a connection has carried. */
  private readonly carried = new WeakMap<Socket, number>();
  /** A connection that had carried so many requests was closed under the next one. So none carries more. */
  private most = Number.POSITIVE_INFINITY;
  private isGivenUp = false;
  private hasServedAgain = false;

  /**
   * @param mostOpen how many connections are open at once at most
   * @param usualMs how long a response usually takes, in milliseconds
   */
  constructor(
    route: Route,
    mostOpen = Number.POSITIVE_INFINITY,
    private readonly usualMs: () => number = () => 0,
  ) {
    const agent = agentTo(route, { keepAlive: true, maxSockets: mostOpen, timeout: IDLE_MS });
    const keep = agent.keepSocketAlive.bind(agent) as unknown as (socket: Socket) => boolean;
    const reuse = agent.reuseSocket.bind(agent);
    // What comes while no request is under way would be taken for the next response.
    const drop = function (this: Socket): void {
      this.destroy();
    };
    agent.keepSocketAlive = (socket) => {
      if (!this.areKept || this.carriedBy(socket as Socket) >= this.most) return false;
      socket.on('data', drop);
      return keep(socket as Socket);
    };
    agent.reuseSocket = (socket, request) => {
      socket.off('data', drop);
      reuse(socket, request);
    };
    this.agent = agent;
  }

  /** Whether connections are kept. */
  get areKept(): boolean {
    return !this.isGivenUp && this.most > 1;
  }

  /** Closes all connections. */
  close(): void {
    this.agent.destroy();
  }

  /** Call it when one of these connections carries a request. */
  carries(socket: Socket): void {
    // An idle one may end with an error, which is nobody's.
    if (!this.carried.has(socket)) socket.on('error', () => {});
    this.carried.set(socket, this.carriedBy(socket) + 1);
  }

  /**
   * Watches a request, on one of these connections or beside them.
   *
   * @returns the function to call when there is a response, or none comes
   */
  watch(request: ClientRequest, timeoutMs: number): () => void {
    const suspectedMs = Math.min(SUSPECTED_MS + SUSPECTED_TIMES * this.usualMs(), SUSPECTED_PART * timeoutMs);
    const timer = setTimeout(() => this.suspect(request), suspectedMs);
    return () => clearTimeout(timer);
  }

  /** Call it when there is a response. */
  served(request: ClientRequest): void {
    this.hasServedAgain ||= request.reusedSocket;
  }

  /** Call it when a connection ended under a request, instead of a response. */
  wasStale(socket: Socket): void {
    this.most = Math.min(this.most, Math.max(1, this.carriedBy(socket) - 1));
  }

  private carriedBy(socket: Socket): number {
    return this.carried.get(socket) ?? 0;
  }

  /** A request gets no response. */
  private suspect(request: ClientRequest): void {
    const idle = allOf(this.agent.freeSockets);
    const busy = allOf(this.agent.sockets);
    if (request.reusedSocket) {
      if (this.hasServedAgain) return;
      request.destroy(new Error('the provider does not serve a connection again'));
    } else if (idle.length + busy.filter((socket) => socket !== request.socket).length === 0) return;
    this.isGivenUp = true;
    for (const socket of idle) socket.destroy();
  }
}

/** The sockets of an agent, whatever they connect to. */
function allOf(sockets: Agent['sockets']): readonly Socket[] {
  return Object.values(sockets).flatMap((some) => some ?? []);
}

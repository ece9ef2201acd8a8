import type { Agent, ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { clearTimeout, setTimeout } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentTo, type Route } from '../../http/route.js';

/** A connection is not used again after so long, and not in the last second for which the provider says it keeps it. */
const IDLE_MS = 60_000;
/** How long a request gets nothing until its connection is suspected, beside what a response usually takes. */
const SUSPECTED_MS = 500;
const SUSPECTED_TIMES = 1.5;
/** The same as a part of the time that an exchange may take. */
const SUSPECTED_PART = 1 / 3;
/** A provider may take so long to close a connection that its client has ended, beside what a response usually takes. */
const CLOSING_MS = 25;
const LONGEST_CLOSING_MS = 300;

/**
 * Connections that are kept open and used again, as those of a client are: each carries one request at a time. A provider
 * may close them whenever they are idle. A request on a connection that was just being closed is sent again elsewhere.
 *
 * Some providers serve a connection until it ends, and only then the next one, or have a few threads for them. Others close a
 * connection after a few requests. Then none is kept any more.
 */
export class Connections {
  readonly agent: Agent;
  /** Whether connections are kept. */
  areKept = true;

  /** @param usualMs how long a response usually takes, in milliseconds */
  constructor(
    route: Route,
    private readonly usualMs: () => number = () => 0,
  ) {
    const agent = agentTo(route, { keepAlive: true, timeout: IDLE_MS });
    const keep = agent.keepSocketAlive.bind(agent) as unknown as (socket: Socket) => boolean;
    const reuse = agent.reuseSocket.bind(agent);
    // What comes while no request is under way would be taken for the next response.
    const drop = function (this: Socket): void {
      this.destroy();
    };
    // An idle one may end with an error, which is nobody's.
    const ignore = (): void => {};
    agent.keepSocketAlive = (socket) => {
      if (!this.areKept) return false;
      socket.on('data', drop).on('error', ignore);
      return keep(socket as Socket);
    };
    agent.reuseSocket = (socket, request) => {
      socket.off('data', drop).off('error', ignore);
      reuse(socket, request);
    };
    this.agent = agent;
  }

  /** Closes all connections. */
  close(): void {
    this.agent.destroy();
  }

  /**
   * Closes idle connections if there are too many beside the requests under way, and waits until the provider has closed them too.
   *
   * @param underWay how many requests have a connection, or are about to open one
   * @param most how many connections are open at once at most
   */
  async makeRoom(underWay: number, most: number): Promise<void> {
    const idle = allOf(this.agent.freeSockets);
    const tooMany = Math.max(0, idle.length + underWay - most);
    const ms = Math.min(LONGEST_CLOSING_MS, CLOSING_MS + this.usualMs());
    await Promise.all(idle.slice(0, tooMany).map((socket) => closed(socket, ms)));
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

  /** Keeps no connection any more. Call it when one ended under a request, instead of a response. */
  giveUp(): void {
    this.areKept = false;
    for (const socket of allOf(this.agent.freeSockets)) socket.destroy();
  }

  /** A request gets no response. It may wait until another connection ends. */
  private suspect(request: ClientRequest): void {
    const open = [...allOf(this.agent.freeSockets), ...allOf(this.agent.sockets)];
    if (!request.reusedSocket && open.some((socket) => socket !== request.socket)) this.giveUp();
  }
}

/** The sockets of an agent, whatever they connect to. */
function allOf(sockets: Agent['sockets']): readonly Socket[] {
  return Object.values(sockets).flatMap((some) => some ?? []);
}

/** Ends an idle connection, and waits until the other side has done so. */
async function closed(socket: Socket, ms: number): Promise<void> {
  if (socket.destroyed) return;
  const end = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  socket.end();
  // Its agent gives it to no request any more. It does not forget one that can still be written to.
  socket.emit('agentRemove');
  await Promise.race([end, sleep(ms)]);
  socket.destroy();
}

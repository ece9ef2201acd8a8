import type { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentTo, type Route } from '../../http/route.js';

/** A connection is not used again after so long, and not in the last second for which the provider says it keeps it. */
const IDLE_MS = 60_000;
/** A provider may take so long to close a connection that its client has ended. */
const CLOSING_MS = 100;

/**
 * Connections that are kept open and used again, as those of a client are: each carries one request at a time. A provider
 * may close them whenever they are idle. A request on a connection that was just being closed is sent again elsewhere.
 *
 * Some providers serve a connection until it ends, and only then the next one, or have a few threads for them. So there are never
 * more connections than requests may be under way. Others close a connection after a few requests: then none is kept any more.
 */
export class Connections {
  readonly agent: Agent;
  /** Whether connections are kept. */
  areKept = true;

  constructor(route: Route) {
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

  /** Keeps no connection any more. Call it when one ended under a request, instead of a response. */
  giveUp(): void {
    this.areKept = false;
    for (const socket of allOf(this.agent.freeSockets)) socket.destroy();
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
    await Promise.all(idle.slice(0, tooMany).map(closed));
  }
}

/** The sockets of an agent, whatever they connect to. */
function allOf(sockets: Agent['sockets']): readonly Socket[] {
  return Object.values(sockets).flatMap((some) => some ?? []);
}

/** Ends an idle connection, and waits until the other side has done so. */
async function closed(socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  const end = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  socket.end();
  // Its agent gives it to no request any more. It does not forget one that can still be written to.
  socket.emit('agentRemove');
  await Promise.race([end, sleep(CLOSING_MS)]);
  socket.destroy();
}

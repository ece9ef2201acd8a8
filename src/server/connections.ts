import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ServerSocket } from './malformed-http.js';

/** How long `close` waits for requests in progress. */
const CLOSE_GRACE_MS = 5_000;

/**
 * A connection that was unused for that long may end. Clients keep connections themselves, the usual one of Go for 90 s. A
 * server that ends one first may break the next request, and no client may send a POST again by itself.
 */
const UNUSED_MS = 120_000;

/** The open connections of a server, and when they end. */
export class Connections {
  /** With the bytes that each had received when it was last looked at. */
  private readonly open = new Map<Socket, number>();
  private lookedAt = performance.now();
  private closed: Promise<void> | undefined;

  /** @param server one that does not listen yet */
  constructor(private readonly server: Server) {
    // Node would set a timer anew before and after every request, which takes a twentieth of the time of each.
    server.keepAliveTimeout = 0;
    server.on('connection', (socket) => {
      this.endUnused();
      this.open.set(socket, 0);
      socket.once('close', () => this.open.delete(socket));
    });
  }

  /** Stops listening, waits a while for requests in progress, and closes every connection. */
  close(): Promise<void> {
    this.closed ??= this.closing();
    return this.closed;
  }

  /** Only when another connection comes: without one, the unused ones do not become more. */
  private endUnused(): void {
    const now = performance.now();
    if (now - this.lookedAt < UNUSED_MS) return;
    this.lookedAt = now;
    for (const [socket, before] of this.open) {
      const { latest } = socket as ServerSocket;
      // Before the first request, the time limit for its headers applies.
      if (latest?.writableFinished === true && socket.bytesRead === before) socket.destroy();
      else this.open.set(socket, socket.bytesRead);
    }
  }

  private closing(): Promise<void> {
    const { server } = this;
    return new Promise((resolve) => {
      const giveUp = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
      server.close(() => {
        clearTimeout(giveUp);
        resolve();
      });
      server.closeIdleConnections();
      // Node takes a connection without any request for a busy one.
      for (const socket of this.open.keys()) {
        if (socket.bytesRead === 0 || (socket as ServerSocket).hanging === true) socket.destroy();
      }
    });
  }
}

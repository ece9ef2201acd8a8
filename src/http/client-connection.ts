import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
// A test may replace the global ones.
import { setImmediate, setTimeout } from 'node:timers';

/** If more requests wait, nobody reads on, and so nobody sees that the client leaves. */
const MOST_WAITING = 10;
/** How long a client that still sends has to read a rejection. A reset could destroy it on its way. */
const LINGER_MS = 1_000;

/** An exchange that a connection is busy with. */
interface UnderWay {
  /** Ends it, and reports why. */
  stop(why: string): void;
}

/**
 * The requests of a client's connection, one after the other. A client may send several before it reads a response. If some wait,
 * no more are read: so a client that never reads takes little memory.
 */
export class ClientConnection {
  private current: UnderWay | undefined;
  /** The response to the last request that has begun to come. */
  private latest: ServerResponse | undefined;
  private readonly waiting: (() => void)[] = [];
  /** What follows a rejected request is no request. */
  private isOver = false;

  constructor(
    private readonly socket: Socket,
    private readonly onRejected: ((reason: string) => void) | undefined,
  ) {}

  /** Begins the exchange of a request in its turn. */
  take(outgoing: ServerResponse, begin: () => UnderWay): void {
    if (this.isOver) return;
    this.latest = outgoing;
    this.inTurn(() => {
      this.current = begin();
      outgoing.once('close', () => this.next());
    });
  }

  /** Rejects what comes now, in its turn: a request, or the rest of the one that has begun. Nothing after it is read. */
  reject(reason: string): void {
    if (this.isOver) return;
    this.isOver = true;
    const isBody = this.latest?.req.complete === false;
    if (isBody && this.waiting.length === 0) {
      this.current?.stop(`the request cannot be read: ${reason}`);
      if (this.latest?.headersSent) this.socket.destroy();
      else this.respond();
      return;
    }
    this.onRejected?.(reason);
    if (isBody) this.waiting.pop();
    this.inTurn(() => this.respond());
  }

  /**
   * Forwards nothing that waits: the connection is about to be closed, but not by the client.
   *
   * @param why the exchange under way ends; left out if it has ended
   */
  abandon(why?: string): void {
    if (why !== undefined) this.current?.stop(why);
    // The last one may be a rejection that was reported.
    const requests = this.isOver ? this.waiting.slice(0, -1) : this.waiting;
    for (const _ of requests) this.onRejected?.('its connection was closed before its turn');
    this.waiting.length = 0;
  }

  private inTurn(begin: () => void): void {
    if (this.current === undefined) begin();
    else {
      this.waiting.push(begin);
      this.holdBack();
    }
  }

  private next(): void {
    this.current = undefined;
    if (!this.socket.writable) return;
    this.waiting.shift()?.();
    this.holdBack();
  }

  /** Reads no more while many requests wait. Node reads on at the end of each message, so this comes later. */
  private holdBack(): void {
    setImmediate(() => {
      if (this.waiting.length > MOST_WAITING) this.socket.pause();
      else this.socket.resume();
    });
  }

  /** Closes the connection once the client has read the response. */
  private respond(): void {
    this.socket.end(`HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    setTimeout(() => this.socket.destroy(), LINGER_MS).unref();
  }
}

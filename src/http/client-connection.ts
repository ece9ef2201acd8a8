import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
// A test may replace the global ones.
import { clearTimeout, setImmediate, setTimeout } from 'node:timers';

/** If more requests wait, nobody reads on, and so nobody sees that the client leaves. */
const MOST_WAITING = 10;
/** How long a client that still sends has to read a rejection, or an early response. */
const LINGER_MS = 1_000;

/**
 * The requests of a client's connection, one after the other. A client may send several before it reads a response. If some wait,
 * no more are read: so a client that never reads takes little memory.
 */
export class ClientConnection {
  /** Called with the reason if the rest of the request that has begun cannot be read. */
  onBrokenBody: ((reason: string) => void) | undefined;
  /** Set if the forwarder closes it, and not the client. */
  isStopped = false;
  private current: ServerResponse | undefined;
  /** The response to the last request that has begun to come. */
  private latest: ServerResponse | undefined;
  private readonly waiting: (() => void)[] = [];
  /** What follows a rejected request is no request. */
  private isOver = false;

  constructor(
    private readonly socket: Socket,
    private readonly onRejected: ((reason: string) => void) | undefined,
  ) {}

  /** Begins a request in its turn, or rejects it. */
  take(outgoing: ServerResponse, problem: string | undefined, begin: () => void): void {
    if (this.isOver) return;
    if (problem !== undefined) {
      this.reject(problem);
      return;
    }
    this.latest = outgoing;
    this.inTurn(() => {
      this.current = outgoing;
      this.onBrokenBody = undefined;
      outgoing.once('close', () => this.next());
      begin();
    });
  }

  /** Rejects what comes now, in its turn: a request, or the rest of the one that has begun. Nothing after it is read. */
  reject(reason: string): void {
    if (this.isOver) return;
    this.isOver = true;
    const { current, latest, waiting, onBrokenBody } = this;
    const isBody = latest?.req.complete === false;
    if (isBody && latest === current) {
      // Of a request that is read to its end first, nothing is forwarded yet.
      (onBrokenBody ?? this.onRejected)?.(reason);
      if (latest.headersSent) this.socket.destroy();
      else this.respond();
      return;
    }
    this.onRejected?.(reason);
    if (isBody) waiting.pop();
    this.inTurn(() => this.respond());
  }

  /** Forwards nothing that waits: the connection is about to be closed, but not by the client. */
  abandon(): void {
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
    if (this.waiting.length <= MOST_WAITING) this.socket.resume();
    else this.holdBack();
  }

  /** Reads no more while many requests wait. Node reads on at the end of each message, so this comes later. */
  private holdBack(): void {
    setImmediate(() => {
      if (this.waiting.length > MOST_WAITING) this.socket.pause();
    });
  }

  /** Closes the connection once the client has read the response. A reset could destroy it on its way. */
  private respond(): void {
    this.socket.end(`HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    const timer = setTimeout(() => this.socket.destroy(), LINGER_MS);
    this.socket.once('close', () => clearTimeout(timer));
  }
}

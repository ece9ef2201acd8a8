import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
// A test may replace the global ones.
import { setImmediate, setTimeout } from 'node:timers';

/** If more requests wait, nobody reads on, and so nobody sees that the client leaves. */
const MOST_WAITING = 10;
/** How long a client that still sends has to read a rejection. A reset could destroy it on its way. */
const LINGER_MS = 1_000;

/** An exchange that has begun. */
interface UnderWay {
  /** Ends it, and reports why. */
  end(why: string): void;
}

/**
 * The requests of a client's connection, one after the other. A client may send several before it reads a response. If some wait,
 * no more are read: so a client that never reads takes little memory.
 */
export class ClientConnection {
  /** Resolves when all that came so far has had its turn. */
  turn: Promise<void> = Promise.resolve();
  private current: UnderWay | undefined;
  /** The response to the last request that has begun to come. */
  private latest: ServerResponse | undefined;
  private waiting = 0;
  /** What follows a rejected request is no request. */
  private isOver = false;

  constructor(
    private readonly socket: Socket,
    private readonly onRejected: ((reason: string) => void) | undefined,
  ) {}

  /** Begins the exchange of a request in its turn. */
  take(outgoing: ServerResponse, begin: () => UnderWay): void {
    if (this.isOver) {
      this.ignore();
      return;
    }
    this.latest = outgoing;
    this.inTurn(async () => {
      if (this.isOver && !outgoing.req.complete) this.respond();
      else if (this.socket.destroyed) this.onRejected?.('its connection was closed before its turn');
      else {
        this.current = begin();
        await new Promise((resolve) => outgoing.once('close', resolve));
        this.current = undefined;
      }
    });
  }

  /** Rejects what comes now, in its turn: a request, or the rest of the one that has begun. Nothing after it is read. */
  reject(reason: string): void {
    if (this.isOver) {
      this.ignore();
      return;
    }
    this.isOver = true;
    const isBody = this.latest?.req.complete === false;
    if (isBody && this.waiting === 0) {
      this.current?.end(`the request cannot be read: ${reason}`);
      if (this.latest?.headersSent) this.socket.destroy();
      else this.respond();
      return;
    }
    this.onRejected?.(reason);
    if (!isBody) this.inTurn(() => this.respond());
  }

  /** Closes it at once. */
  close(why: string): void {
    this.current?.end(why);
    this.socket.destroy();
  }

  /** Node keeps what follows a rejected request until that has had its turn. So it counts as waiting, for good. */
  private ignore(): void {
    this.waiting++;
    this.holdBack();
  }

  private inTurn(begin: () => void | Promise<void>): void {
    this.waiting++;
    this.turn = this.turn.then(() => {
      this.waiting--;
      this.holdBack();
      return begin();
    });
    this.holdBack();
  }

  /** Reads no more while many requests wait. Node reads on at the end of each message, so this comes later. */
  private holdBack(): void {
    setImmediate(() => {
      if (this.waiting > MOST_WAITING) this.socket.pause();
      else this.socket.resume();
    });
  }

  /** Closes the connection once the client has read the response. */
  private respond(): void {
    this.socket.end(`HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    setTimeout(() => this.socket.destroy(), LINGER_MS).unref();
  }
}

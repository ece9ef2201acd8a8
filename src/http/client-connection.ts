import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { nextTick } from 'node:process';
// A test may replace the global one.
import { setTimeout } from 'node:timers';

/** If more requests wait, nobody reads on, and so nobody sees that the client leaves. */
const MOST_WAITING = 10;
/** How long a client that still sends has to read a rejection. A reset could destroy it on its way. */
const LINGER_MS = 1_000;

/** An exchange that has begun. */
interface UnderWay {
  /** Ends it, and reports why. */
  end(why: string): void;
}

/** A request that waits, and what begins its exchange. */
interface Waiting {
  readonly outgoing: ServerResponse;
  readonly begin: () => UnderWay;
}

/** A request, or the response to what was rejected. */
type Turn = Waiting | 'rejection';

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
  /** What has its turn later. */
  private readonly waiting: Turn[] = [];
  private isWorking = false;
  /** How many requests are ignored. */
  private ignored = 0;
  private isHoldingBack = false;
  private isStopped = false;
  /** What follows a rejected request is no request. */
  private isOver = false;

  constructor(
    private readonly socket: Socket,
    private readonly onRejected: ((reason: string, count: number) => void) | undefined,
  ) {}

  /** Begins the exchange of a request in its turn. */
  take(outgoing: ServerResponse, begin: () => UnderWay): void {
    if (this.isOver) {
      this.ignore();
      return;
    }
    this.latest = outgoing;
    this.inTurn({ outgoing, begin });
  }

  /** Rejects what comes now, in its turn: a request, or the rest of the one that has begun. Nothing after it is read. */
  reject(reason: string): void {
    if (this.isOver) {
      this.ignore();
      return;
    }
    this.isOver = true;
    const isBody = this.latest?.req.complete === false;
    if (isBody && this.waiting.length === 0) {
      this.current?.end(`the request cannot be read: ${reason}`);
      if (this.latest?.headersSent) this.socket.destroy();
      else this.respond();
      return;
    }
    this.onRejected?.(reason, 1);
    if (!isBody) this.inTurn('rejection');
  }

  /** Closes it when the exchange that is under way has ended. */
  stop(): void {
    this.isStopped = true;
    if (!this.isWorking) this.socket.destroy();
  }

  /** Closes it at once. */
  close(why: string): void {
    this.current?.end(why);
    this.socket.destroy();
  }

  /** Node keeps what follows a rejected request until that has had its turn. So it counts as waiting, for good. */
  private ignore(): void {
    this.ignored++;
    this.holdBack();
  }

  private inTurn(turn: Turn): void {
    this.waiting.push(turn);
    if (!this.isWorking) this.turn = this.work();
    this.holdBack();
  }

  private async work(): Promise<void> {
    this.isWorking = true;
    // Not at once, but when Node has made the request.
    await undefined;
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      this.holdBack();
      if (this.socket.destroyed) this.rejectAll([next, ...this.waiting.splice(0)]);
      else if (this.isRequest(next)) {
        const { outgoing, begin } = next;
        this.current = begin();
        await new Promise((resolve) => outgoing.once('close', resolve));
        this.current = undefined;
        if (this.isStopped) this.socket.destroy();
      } else this.respond();
    }
    this.isWorking = false;
  }

  /** Whether it is a request that was not rejected before its end. */
  private isRequest(turn: Turn): turn is Waiting {
    return turn !== 'rejection' && (!this.isOver || turn.outgoing.req.complete);
  }

  /** Together: there may be thousands. */
  private rejectAll(turns: readonly Turn[]): void {
    const count = turns.filter((turn) => this.isRequest(turn)).length;
    if (count > 0) this.onRejected?.('its connection was closed before its turn', count);
  }

  /**
   * Reads no more while many requests wait. Node reads on at the end of each message, so this comes later: after what was read at
   * once, and before the next read.
   */
  private holdBack(): void {
    if (this.isHoldingBack) return;
    this.isHoldingBack = true;
    nextTick(() => {
      this.isHoldingBack = false;
      if (this.waiting.length + this.ignored > MOST_WAITING) this.socket.pause();
      else this.socket.resume();
    });
  }

  /** Closes the connection once the client has read the response. */
  private respond(): void {
    this.socket.end(`HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    setTimeout(() => this.socket.destroy(), LINGER_MS).unref();
  }
}

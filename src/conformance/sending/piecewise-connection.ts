import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** After the first segment, before which the provider may still have to accept the connection. */
const FIRST_PAUSE_MS = 20;
/** Between two segments. The kernel would otherwise join them. */
const PAUSE_MS = 6;
/** So many segments wait for each other. Of more, each is only a write of its own. */
const MOST_PAUSES = 6;
/** A provider in this process reads between two turns of the event loop. A busy one may need some. */
const TURNS = 3;
/** How long the body waits for a 100 (RFC 9110, section 10.1.1: a client does not wait forever). */
const CONTINUE_MS = 300;

/**
 * A connection that sends a message in our own pieces, and lets Node's HTTP client read the response. What the client
 * itself writes is dropped: it would write the whole message at once.
 */
export class PiecewiseConnection extends Duplex {
  private begun = false;
  private isStopped = false;
  private goOn: (() => void) | undefined;

  /** @param waits whether the body waits for {@link continue}, and what its last piece waits for */
  constructor(
    private readonly socket: Socket,
    private readonly pieces: readonly Buffer[],
    private readonly waits: { readonly forContinue: boolean; readonly atEnd: Promise<void> | undefined },
  ) {
    super();
    socket.setNoDelay(true);
    socket.on('data', (chunk) => {
      if (!this.push(chunk)) socket.pause();
    });
    socket.on('end', () => this.push(null));
    socket.on('error', (cause) => this.destroy(cause));
    socket.on('close', () => this.destroy());
  }

  /** Call it when there is a 100: the body may follow. */
  continue(): void {
    this.goOn?.();
  }

  /** Call it when there is a final response: nothing more needs to be sent. */
  stop(): void {
    this.isStopped = true;
    this.goOn?.();
  }

  override _read(): void {
    this.socket.resume();
  }

  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    if (!this.begun) {
      this.begun = true;
      void this.sendAll();
    }
    done();
  }

  override _destroy(cause: Error | null, done: (cause: Error | null) => void): void {
    this.goOn?.();
    this.socket.destroy();
    done(cause);
  }

  private async sendAll(): Promise<void> {
    for (const [at, piece] of this.pieces.entries()) {
      if (at > 0) await (this.waits.atEnd ?? this.untilNext(at));
      if (this.isStopped || this.socket.destroyed) return;
      this.socket.write(piece);
    }
  }

  private untilNext(at: number): Promise<void> {
    return new Promise((resolve) => {
      if (at === 1 && this.waits.forContinue) {
        const timer = setTimeout(resolve, CONTINUE_MS);
        this.goOn = () => {
          clearTimeout(timer);
          resolve();
        };
      } else if (at > MOST_PAUSES) setImmediate(resolve);
      else
        setTimeout(
          () => afterTurns(at === 1 ? 2 * TURNS : TURNS, resolve),
          at === 1 ? FIRST_PAUSE_MS : PAUSE_MS,
        );
    });
  }
}

function afterTurns(turns: number, go: () => void): void {
  if (turns === 0) go();
  else setImmediate(() => afterTurns(turns - 1, go));
}

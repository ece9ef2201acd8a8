import type { Delivery, IncomingRequest } from './exchange.js';
import type { Entry } from './journal.js';

/** What a transport sends, after how long, and the entry that says what becomes of it. */
export interface Answer {
  readonly delivery: Delivery;
  readonly delayMs: number;
  readonly entry: Entry;
}

/** A plant store as its transports see it. */
export interface Answering {
  /** The largest body that a transport passes on, in bytes. */
  readonly bodyBytes: number;
  readonly waits: Waits;
  /** Answers a request. Never rejects. */
  answer(request: IncomingRequest): Promise<Answer>;
  /** Says how a request ended, immediately before its response is sent. Without one, none is. */
  sent(entry: Entry, response?: Delivery): void;
}

/** The responses that are only being delayed, or never come. The end of the server ends them. */
export class Waits {
  private readonly cuts = new Set<() => void>();
  private isOver = false;

  /**
   * Waits as the user asked. It keeps the process alive, since somebody waits for the response.
   *
   * @param milliseconds infinite for a response that never comes
   * @param whenGone calls the function that it gets if the client gives up
   * @returns whether the time is over; not if the client gave up or the server ended before
   */
  wait(milliseconds: number, whenGone: (cut: () => void) => void): Promise<boolean> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (isDue: boolean): void => {
        // biome-ignore lint/style/noRestrictedGlobals: the user asked for this wait, and a test may move its clock on
        clearTimeout(timer);
        this.cuts.delete(cut);
        resolve(isDue);
      };
      const cut = (): void => end(false);
      if (this.isOver) {
        cut();
        return;
      }
      // biome-ignore lint/style/noRestrictedGlobals: as above
      if (milliseconds !== Number.POSITIVE_INFINITY) timer = setTimeout(end, milliseconds, true);
      this.cuts.add(cut);
      whenGone(cut);
    });
  }

  /** Ends every wait, and later ones at once. */
  end(): void {
    this.isOver = true;
    for (const cut of [...this.cuts]) cut();
  }
}

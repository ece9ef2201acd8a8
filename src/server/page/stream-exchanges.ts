import { setTimeout as sleep } from 'node:timers/promises';
import { type ControlRequest, problem, type Reply } from '../control/control-request.js';
import { ALIVE, ALIVE_MS, beginEvents, eventText } from '../control/server-sent-events.js';
import type { Batch, Hello, Row } from './browser/wire.js';
import type { ExchangeLog, KeptExchange } from './exchange-log.js';

/** How often a page gets what is new. */
const TICK_MS = 100;
/** A tick makes rows for at most so long, and so many: a page must not slow the server. A thousand requests take less. */
const MOST_MS = 15;
const MOST_ROWS = 500;
/** So many rows are made between two looks at the clock. */
const STEP = 20;
/** Each page costs time. */
const MOST_PAGES = 8;

/** Pages that get new exchanges. */
export class ExchangeStreams {
  private open = 0;

  constructor(
    private readonly log: ExchangeLog,
    private readonly rowOf: (kept: KeptExchange) => Row,
    private readonly hello: () => Hello,
  ) {}

  /**
   * Tells a page what is new, as server-sent events, in batches. While the page has not read the last batch there is no
   * other, so a slow page costs no memory. It misses what is forgotten until it reads on.
   */
  readonly stream = ({ response, signal }: ControlRequest): Reply | 'streaming' => {
    if (this.open >= MOST_PAGES) return problem(503, `at most ${MOST_PAGES} pages can follow a server`);
    this.open++;
    beginEvents(response);
    const end = (): void => {
      this.open--;
      response.end();
    };
    void this.follow(
      (text) => response.write(text),
      signal,
      () => response.writableNeedDrain,
    ).then(end, end);
    return 'streaming';
  };

  private async follow(
    write: (text: string) => void,
    signal: AbortSignal,
    isBehind: () => boolean,
  ): Promise<void> {
    let place = 0;
    let told = '';
    let last = performance.now();
    write(eventText({ type: 'hello', json: JSON.stringify(this.hello()) }));
    while (!signal.aborted) {
      if (!isBehind()) {
        const { rows, next } = this.rowsSince(place);
        const { total, first } = this.log;
        const state = `${total} ${first} ${next}`;
        place = next;
        if (state !== told) {
          told = state;
          last = performance.now();
          const batch: Batch = { total, first, rows };
          write(eventText({ type: 'batch', json: JSON.stringify(batch) }));
        } else if (performance.now() - last > ALIVE_MS) {
          last = performance.now();
          write(ALIVE);
        }
      }
      await sleep(TICK_MS, undefined, { signal });
    }
  }

  private rowsSince(place: number): { rows: Row[]; next: number } {
    const start = performance.now();
    const rows: Row[] = [];
    let at = place;
    while (rows.length < MOST_ROWS && performance.now() - start < MOST_MS) {
      const { exchanges, next } = this.log.since(at, STEP);
      rows.push(...exchanges.map(this.rowOf));
      if (next === at) break;
      at = next;
    }
    return { rows, next: at };
  }
}

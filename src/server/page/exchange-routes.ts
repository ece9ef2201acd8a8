import { once } from 'node:events';
import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises';
import { headerValues } from '../../http/fields.js';
import { jsonText } from '../../report/escape.js';
import { harEntry, harLog } from '../../report/formats/har.js';
import { toolVersion } from '../../report/version.js';
import { invalidOption } from '../../toolkit-error.js';
import { isObject } from '../../validation/json-value.js';
import {
  type ControlRequest,
  DONE,
  jsonIn,
  ok,
  problem,
  type Reply,
  type Routes,
} from '../control/control-request.js';
import { ALIVE, ALIVE_MS, beginEvents, eventText } from '../control/wire.js';
import type { Batch, Hello, Row, ShownExchange } from './browser/wire.js';
import type { ExchangeLog, KeptExchange } from './exchange-log.js';
import type { ExchangeRedactors } from './exchange-redactor.js';
import { exchangeOf, rowOf, urlOf } from './show.js';

/** Who is watched. */
type Watched = Pick<Hello, 'kind' | 'url' | 'upstream'>;

/** What a page, or a test, may ask about the last exchanges. */
export function exchangeRoutes(
  log: ExchangeLog,
  redactors: ExchangeRedactors,
  watched: () => Watched,
): Routes {
  const redactorOf = ({ exchange }: KeptExchange) => redactors.for(exchange.request.headers);
  const shown = (kept: KeptExchange) => exchangeOf(kept, redactorOf(kept), watched().url);
  const streams = new ExchangeStreams(
    log,
    (kept) => rowOf(kept, redactorOf(kept)),
    () => ({ ...watched(), version: toolVersion, most: log.most }),
  );
  return {
    '/exchanges': {
      DELETE() {
        log.clear();
        return DONE;
      },
    },
    '/exchanges/stream': { GET: streams.stream },
    '/exchanges/har': {
      async POST(request) {
        const numbers = new Set(numbersIn(request) ?? numbersFrom(log));
        await writeHar(request, numbers, (number) => {
          const kept = log.get(number);
          return kept && entryOf(shown(kept), watched().url);
        });
        return 'streaming' as const;
      },
    },
    '/exchanges/{number}': {
      GET({ parameters: { number = '' } }) {
        const kept = /^\d{1,15}$/.test(number) ? log.get(Number(number)) : undefined;
        return kept === undefined ? problem(404, `the exchange ${number} is not kept`) : ok(shown(kept));
      },
    },
  };
}

function numbersFrom({ first, total }: ExchangeLog): number[] {
  return Array.from({ length: total - first + 1 }, (_, index) => first + index);
}

/** @throws ToolkitError `invalid-option` if the body has something else than numbers of exchanges */
function numbersIn(request: ControlRequest): readonly number[] | undefined {
  if (request.body.length === 0) return undefined;
  const given = jsonIn(request);
  const numbers = isObject(given) ? given.numbers : undefined;
  if (numbers === undefined) return undefined;
  if (!Array.isArray(numbers) || !numbers.every((number) => Number.isSafeInteger(number)))
    throw invalidOption('"numbers" must be a list of numbers of exchanges');
  return numbers as number[];
}

/** Writes a HAR piece by piece: its entries together could be larger than a string may be. */
async function writeHar(
  { response, signal }: ControlRequest,
  numbers: Iterable<number>,
  entryOf: (number: number) => string | undefined,
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-disposition': 'attachment; filename="plant-store.har"',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.write(`{"log":${jsonText(harLog(toolVersion)).slice(0, -1)},"entries":[`);
  let isFirst = true;
  for (const number of numbers) {
    const entry = entryOf(number);
    if (entry === undefined) continue;
    const hasRoom = response.write(isFirst ? entry : `,${entry}`);
    isFirst = false;
    if (!hasRoom) await once(response, 'drain', { signal }).catch(() => {});
    // Others are served meanwhile.
    await breathe();
    if (signal.aborted) return;
  }
  response.end(']}}\n');
}

/** An exchange as an entry of a HAR. */
export function entryOf(exchange: ShownExchange, baseUrl: string): string {
  const { at, microseconds = 0, request, response, target, method, status, verdict, all, notes } = exchange;
  const durationMs = microseconds / 1_000;
  return jsonText(
    harEntry({
      startedAt: at - durationMs,
      durationMs,
      request: { method, url: urlOf(baseUrl, target), headers: request.headers, body: request.body },
      response: response && {
        status,
        reason: response.reason,
        headers: response.headers,
        body: { ...response.body, bytes: sizeOf(response) },
        sentBytes: response.body.bytes,
      },
      comment: notes.length > 0 ? notes.join('; ') : undefined,
      own: { _verdict: verdict, _problems: all },
    }),
  );
}

/** The size of a body that was cut is larger than what is here of it, so that a reader knows. */
function sizeOf({ body, complete, headers }: NonNullable<ShownExchange['response']>): number {
  if (!complete) return Math.max(Number(headerValues(headers, 'content-length')[0]) || 0, body.bytes + 1);
  const { text = '', base64 } = body;
  const shown = base64 === undefined ? Buffer.byteLength(text) : Buffer.byteLength(base64, 'base64');
  if (body.cut === true) return Math.max(body.bytes, 2 * shown);
  // A note says that content codings were undone.
  return body.note === undefined ? body.bytes : shown;
}

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
class ExchangeStreams {
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

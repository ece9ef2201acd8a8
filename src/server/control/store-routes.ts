import type { ServerResponse } from 'node:http';
import { millisecondsIn } from '../../duration.js';
import { headerValues } from '../../http/fields.js';
import { pathOf } from '../../spec/operation.js';
import { invalidOption } from '../../toolkit-error.js';
import { writeJson } from '../../validation/json.js';
import { isObject, type JsonObject } from '../../validation/json-value.js';
import type { Engine } from '../engine.js';
import type { NumberedRequest } from '../events.js';
import { idOf } from '../failures/check-failure.js';
import type { Failure } from '../failures/failure.js';
import { loadFaults } from '../faults/names.js';
import { type ControlRequest, DONE, jsonIn, ok, type Reply, type Routes } from './control-request.js';
import { ALIVE, ALIVE_MS, beginEvents, eventJson, eventText, plain, plantJson, requestJson } from './wire.js';

/** What the control interface of a reference server does. `spec/control.yaml` describes it. */
export function storeRoutes(engine: Engine): Routes {
  const clears = (what: 'plants' | 'requests' | 'failures') => (): Reply => {
    engine.clear(what);
    return DONE;
  };
  const events = new EventStreams(engine);
  return {
    '/plants': {
      GET: () => ({ status: 200, body: engine.plants.list().map(plantJson) }),
      POST(request) {
        const given = jsonIn(request);
        engine.seed(Array.isArray(given) ? given : [given]);
        return DONE;
      },
      DELETE: clears('plants'),
    },
    '/requests': {
      async GET({ query, signal }) {
        const found = await matchingRequests(engine, requestQuery(query), signal);
        return { status: 200, body: found.map(requestJson) };
      },
      DELETE: clears('requests'),
    },
    '/failures': {
      GET: () => ok(engine.failures.list()),
      POST: (request) => ({
        status: 201,
        body: plain(engine.failures.add(jsonIn(request) as object as Failure)),
      }),
      DELETE: clears('failures'),
    },
    '/failures/unused': { GET: () => ok(engine.failures.unused()) },
    '/faults': {
      GET: () => ok(engine.faults()),
      PUT(request) {
        engine.setFaults(jsonIn(request));
        return ok(engine.faults());
      },
      DELETE() {
        engine.setFaults([]);
        return DONE;
      },
    },
    '/faults/known': {
      async GET() {
        return ok((await loadFaults()).map(({ name, title, breaks }) => ({ name, title, breaks })));
      },
    },
    '/options': {
      GET: () => ok(engine.options()),
      PATCH(request) {
        const changes = jsonIn(request);
        if (!isObject(changes)) throw invalidOption('the options must be an object');
        engine.change(changes);
        return ok(engine.options());
      },
    },
    '/reset': {
      POST() {
        engine.reset();
        return DONE;
      },
    },
    '/events': { GET: events.stream },
  };
}

/** So much is kept for readers that are behind. One that is further behind is disconnected; it may connect again. */
const MOST_KEPT_BYTES = 8 * 2 ** 20;

/**
 * Sends everything that happens, as server-sent events. The last events are kept once for all readers, and a reader
 * gets the next one when it has read those before: a slow one costs no more memory.
 */
export class EventStreams {
  /** Each reader, and the number of its next event. */
  private readonly readers = new Map<ServerResponse, number>();
  private readonly kept: Buffer[] = [];
  private keptBytes = 0;
  /** The number of the first event that is kept. */
  private first = 0;
  private stopWatching = (): void => {};

  constructor(private readonly engine: Engine) {}

  readonly stream = ({ response, signal }: ControlRequest): 'streaming' => {
    beginEvents(response);
    response.write(': connected\n\n');
    response.on('drain', () => this.send(response));
    const alive = setInterval(() => response.writableNeedDrain || response.write(ALIVE), ALIVE_MS);
    if (this.readers.size === 0) this.watch();
    this.readers.set(response, this.next);
    const end = (): void => {
      clearInterval(alive);
      this.readers.delete(response);
      if (this.readers.size === 0) this.stop();
      response.end();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
    return 'streaming';
  };

  /** The number of the next event that happens. */
  private get next(): number {
    return this.first + this.kept.length;
  }

  private watch(): void {
    this.stopWatching = this.engine.watchers.watch((event) => {
      this.add(Buffer.from(eventText({ type: event.type, json: writeJson(eventJson(event)) })));
    });
  }

  private stop(): void {
    this.stopWatching();
    this.kept.length = 0;
    this.keptBytes = 0;
  }

  private add(event: Buffer): void {
    this.kept.push(event);
    this.keptBytes += event.length;
    for (const reader of this.readers.keys()) this.send(reader);
    const read = Math.min(this.next, ...this.readers.values());
    while (this.first < read || (this.keptBytes > MOST_KEPT_BYTES && this.kept.length > 1)) {
      this.keptBytes -= this.kept.shift()?.length ?? 0;
      this.first++;
    }
    for (const [reader, next] of this.readers) if (next < this.first) reader.destroy();
  }

  private send(reader: ServerResponse): void {
    let at = this.readers.get(reader) ?? this.next;
    while (at >= this.first && at < this.next && !reader.writableNeedDrain)
      reader.write(this.kept[at++ - this.first]);
    if (this.readers.has(reader)) this.readers.set(reader, at);
  }
}

/** The longest time that a call waits for requests. */
const MOST_WAIT_MS = 60_000;

/** What `GET /requests` asks for. */
interface RequestQuery {
  readonly matches: (request: NumberedRequest) => boolean;
  /** How many requests it waits for. */
  readonly count: number;
  readonly waitMs: number;
}

/** The parameters that filter: what each says about a request, given its value. */
const FILTERS: Readonly<Record<string, (value: string) => RequestQuery['matches']>> = {
  name: (name) => (request) => plantIn(request).name === name,
  id(text) {
    const id = idOf(text);
    if (id === undefined) throw invalidOption(`"id" must be an int64; got ${JSON.stringify(text)}`);
    return (request) => idOf(plantIn(request).id) === id;
  },
  status: (text) => {
    const status = wholeNumber('status', text, 599);
    return (request) => request.status === status;
  },
  method: (method) => (request) => request.method === method,
  path: (path) => (request) => pathOf(request.target) === path,
  header(field) {
    const [, name = '', value] = /^([^:]+):[ \t]*(.*)$/s.exec(field) ?? [];
    if (value === undefined)
      throw invalidOption(`"header" must look like "Name: value"; got ${JSON.stringify(field)}`);
    return ({ headers }) => headerValues(headers, name.toLowerCase()).includes(value);
  },
  after: (text) => {
    const number = wholeNumber('after', text, Number.MAX_SAFE_INTEGER);
    return (request) => request.number > number;
  },
};

const OTHERS = ['count', 'wait'];

/** @throws ToolkitError `invalid-option`, naming the parameter */
function requestQuery(query: URLSearchParams): RequestQuery {
  const conditions = [...query].flatMap(([name, value]) => {
    const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
    if (filter !== undefined) return [filter(value)];
    if (OTHERS.includes(name)) return [];
    const known = [...Object.keys(FILTERS), ...OTHERS].join(', ');
    throw invalidOption(`unknown parameter ${JSON.stringify(name)}; expected one of: ${known}`);
  });
  return {
    matches: (request) => conditions.every((condition) => condition(request)),
    count: wholeNumber('count', query.get('count') ?? '1', 1_000_000),
    waitMs: waitIn(query.get('wait') ?? '0'),
  };
}

/** The requests that match, once there are enough of them or the time is over. */
async function matchingRequests(
  engine: Engine,
  { matches, count, waitMs }: RequestQuery,
  signal: AbortSignal,
): Promise<NumberedRequest[]> {
  const found = engine.requests().filter(matches);
  if (found.length >= count || waitMs === 0) return found;
  await new Promise<void>((resolve) => {
    let missing = count - found.length;
    const end = (): void => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(end, waitMs);
    const stop = engine.watchers.watch((event) => {
      if (event.type === 'request' && matches(event.request) && --missing === 0) end();
    });
    signal.addEventListener('abort', end, { once: true });
  });
  return engine.requests().filter(matches);
}

/** The body of a request as an object; an empty one if it is something else. */
function plantIn({ json }: NumberedRequest): JsonObject {
  return isObject(json) ? json : {};
}

function wholeNumber(name: string, text: string, most: number): number {
  if (/^\d{1,16}$/.test(text) && Number(text) <= most) return Number(text);
  throw invalidOption(
    `${JSON.stringify(name)} must be a whole number up to ${most}; got ${JSON.stringify(text)}`,
  );
}

/** `2s`, `500ms` or `2`, which are seconds. */
function waitIn(text: string): number {
  const milliseconds = millisecondsIn(text);
  if (milliseconds !== undefined && milliseconds <= MOST_WAIT_MS) return milliseconds;
  throw invalidOption(
    `"wait" must be a time such as 2s or 500ms, up to ${MOST_WAIT_MS / 1_000}s; got ${JSON.stringify(text)}`,
  );
}

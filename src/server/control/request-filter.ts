import { millisecondsIn } from '../../duration.js';
import { headerValues } from '../../http/fields.js';
import { pathOf } from '../../spec/operation.js';
import { invalidOption } from '../../toolkit-error.js';
import { isObject, type JsonObject } from '../../validation/json-value.js';
import type { Engine } from '../engine.js';
import type { NumberedRequest } from '../events.js';
import { idOf } from '../failures/check-failure.js';

/** The longest time that a call waits for requests. */
const MOST_WAIT_MS = 60_000;

/** What `GET /requests` asks for. */
export interface RequestQuery {
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
export function requestQuery(query: URLSearchParams): RequestQuery {
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
export async function matchingRequests(
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

import type { Failure } from '../server/failures/failure.js';
import { invalidOption } from '../toolkit-error.js';
import { isObject } from '../validation/json-value.js';
import { type Call, type Handler, jsonIn, type Reply } from './call.js';
import { streamEvents } from './event-stream.js';
import { plain, plantJson, requestJson } from './json.js';
import { matchingRequests, requestQuery } from './request-filter.js';

const DONE: Reply = { status: 204 };

const ok = (data: object): Reply => ({ status: 200, body: plain(data) });

function clears(what: 'plants' | 'requests' | 'failures'): Handler {
  return ({ engine }) => {
    engine.clear(what);
    return DONE;
  };
}

async function setFaults(call: Call, names: unknown): Promise<Reply> {
  await call.engine.setFaults(names);
  return ok(call.engine.faults());
}

/** Whether the server is alive: it needs no token and has no state. */
const health: Handler = () => ok({ status: 'ok' });

/** Every path of the control interface, its methods, and what they do. `spec/control.yaml` describes them. */
export const routes: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  '/health': { GET: health },
  '/ready': { GET: health },
  '/plants': {
    GET: ({ engine }) => ({ status: 200, body: engine.plants.list().map(plantJson) }),
    POST(call) {
      const given = jsonIn(call);
      call.engine.seed(Array.isArray(given) ? given : [given]);
      return DONE;
    },
    DELETE: clears('plants'),
  },
  '/requests': {
    async GET({ engine, query, signal }) {
      const found = await matchingRequests(engine, requestQuery(query), signal);
      return { status: 200, body: found.map(requestJson) };
    },
    DELETE: clears('requests'),
  },
  '/failures': {
    GET: ({ engine }) => ok(engine.failures.list()),
    POST: (call) => ({ status: 201, body: plain(call.engine.failures.add(jsonIn(call) as Failure)) }),
    DELETE: clears('failures'),
  },
  '/failures/unused': { GET: ({ engine }) => ok(engine.failures.unused()) },
  '/faults': {
    GET: ({ engine }) => ok(engine.faults()),
    PUT: (call) => setFaults(call, jsonIn(call)),
    DELETE: async (call) => {
      await setFaults(call, []);
      return DONE;
    },
  },
  '/options': {
    GET: ({ engine }) => ok(engine.options()),
    PATCH(call) {
      const changes = jsonIn(call);
      if (!isObject(changes)) throw invalidOption('the options must be an object');
      call.engine.change(changes);
      return ok(call.engine.options());
    },
  },
  '/reset': {
    async POST({ engine }) {
      await engine.reset();
      return DONE;
    },
  },
  '/events': { GET: streamEvents },
};

/** The paths that need no token: they show nothing. */
export const OPEN_PATHS: ReadonlySet<string> = new Set(['/health', '/ready']);

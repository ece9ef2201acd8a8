import { invalidOption } from '../../toolkit-error.js';
import { isObject } from '../../validation/json-value.js';
import type { Engine } from '../engine.js';
import type { Failure } from '../failures/failure.js';
import { loadFaults } from '../faults/names.js';
import { DONE, jsonIn, ok, type Reply, type Routes } from './control-request.js';
import { EventStreams } from './event-stream.js';
import { plain, plantJson, requestJson } from './json.js';
import { matchingRequests, requestQuery } from './request-filter.js';

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

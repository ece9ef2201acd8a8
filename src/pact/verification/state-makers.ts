import { setTimeout as sleep } from 'node:timers/promises';
import type { NewPlant } from '../../spec/types.js';
import { reasonOf } from '../../toolkit-error.js';
import { readJson } from '../../validation/json.js';
import { writeJson } from '../../validation/json-writer.js';
import { isObject, type ProviderState } from '../pact-file.js';
import type { SceneActions, StateMaker } from './scenes.js';
import type { StateContext, StateHandler, StateHandlers } from './state-handlers.js';

/** How long a state may take to come about, in milliseconds. */
export const STATE_TIMEOUT_MS = 10_000;

/** Brings states about by functions. */
export function byHandlers(
  handlers: StateHandlers,
  createPlant: (plant: NewPlant) => Promise<void>,
): StateMaker {
  const handlerOf = (name: string): StateHandler => {
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
    if (handler === undefined) throw new Error(withoutHandler(name));
    return handler;
  };
  return {
    async setUp({ name, params }, actions: SceneActions) {
      const handler = handlerOf(name);
      const setup = typeof handler === 'function' ? handler : handler.setup;
      const context: StateContext = { ...actions, createPlant };
      return await inTime(
        async () => (await setup?.(params, context)) ?? {},
        `the state "${name}" cannot be set up`,
      );
    },
    async tearDown({ name, params }) {
      const handler = handlerOf(name);
      if (typeof handler === 'function') return;
      await inTime(async () => handler.teardown?.(params), `the state "${name}" cannot be torn down`);
    },
  };
}

/** The sentence for a state that nobody can bring about. */
export function withoutHandler(name: string): string {
  return `there is no handler for the state "${name}"`;
}

/**
 * Brings states about by a URL of the provider: it gets what Pact sends to such URLs, a POST of
 * `{ "action": "setup" | "teardown", "state", "params" }`, and answers a setup with values for generators, or nothing.
 */
export function byUrl(url: string): StateMaker {
  const call = async (action: 'setup' | 'teardown', { name, params }: ProviderState): Promise<Uint8Array> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: writeJson({ action, state: name, params }),
      signal: AbortSignal.timeout(STATE_TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  };
  return {
    async setUp(state) {
      const what = `the state "${state.name}" cannot be set up`;
      const body = await inTime(() => call('setup', state), what);
      if (body.length === 0) return {};
      const read = readJson(body);
      if (!read.ok) throw new Error(`${what}: ${url} answered with what is no JSON: ${read.message}`);
      return isObject(read.value) ? read.value : {};
    },
    async tearDown(state) {
      await inTime(() => call('teardown', state), `the state "${state.name}" cannot be torn down`);
    },
  };
}

async function inTime<T>(work: () => Promise<T>, what: string): Promise<T> {
  const over = new AbortController();
  const late = sleep(STATE_TIMEOUT_MS, undefined, { signal: over.signal }).then(() => {
    throw new Error(`it took longer than ${STATE_TIMEOUT_MS / 1000} s`);
  });
  late.catch(() => {});
  try {
    return await Promise.race([work(), late]);
  } catch (cause) {
    throw new Error(`${what}: ${reasonOf(cause)}`, { cause });
  } finally {
    over.abort();
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { readWithin } from '../../http/collected-bytes.js';
import { limitInWords, limits } from '../../http/limits.js';
import type { NewPlant } from '../../spec/types.js';
import { reasonOf } from '../../toolkit-error.js';
import { readJson } from '../../validation/json.js';
import { objectOf } from '../../validation/json-value.js';
import { writeJson } from '../../validation/json-writer.js';
import type { ProviderState } from '../pact-file.js';
import type { StateRunner } from './recorder.js';
import type { StateHandler, StateHandlers } from './state-handlers.js';

/** The time limit for a state, in milliseconds. */
export const STATE_TIMEOUT_MS = 10_000;

/** Runs states by functions. */
export function statesByHandlers(
  handlers: StateHandlers,
  createPlant: (plant: NewPlant) => Promise<void>,
): StateRunner {
  const handlerOf = (name: string): StateHandler => {
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
    if (handler === undefined) throw new Error(missingHandler(name));
    return handler;
  };
  return {
    setUp(state, actions) {
      const handler = handlerOf(state.name);
      const setUp = typeof handler === 'function' ? handler : handler.setup;
      return inTime(
        'set up',
        state,
        async () => (await setUp?.(state.params, { ...actions, createPlant })) ?? {},
      );
    },
    async tearDown(state) {
      const handler = handlerOf(state.name);
      if (typeof handler === 'object')
        await inTime('torn down', state, async () => handler.teardown?.(state.params));
    },
  };
}

/** The sentence for a state without a handler. */
export function missingHandler(name: string): string {
  return `there is no handler for the state "${name}"`;
}

/**
 * Runs states by a URL of the provider. It gets the requests that Pact sends to such URLs: a POST of
 * `{ "action": "setup" | "teardown", "state", "params" }`. A setup returns values for generators, or nothing.
 */
export function statesByUrl(url: string): StateRunner {
  const call = async (action: 'setup' | 'teardown', { name, params }: ProviderState): Promise<Uint8Array> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: writeJson({ action, state: name, params }),
      signal: AbortSignal.timeout(STATE_TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`${url} returned ${response.status}`);
    if (response.body === null) return new Uint8Array(0);
    const body = await readWithin(response.body, limits.body);
    if (body === undefined)
      throw new Error(`the response of ${url} is longer than ${limitInWords(limits.body)}`);
    return body;
  };
  return {
    setUp: (state) =>
      inTime('set up', state, async () => {
        const body = await call('setup', state);
        if (body.length === 0) return {};
        const read = readJson(body);
        if (!read.ok) throw new Error(`the response of ${url} is not JSON: ${read.message}`);
        return objectOf(read.value);
      }),
    tearDown: (state) => inTime('torn down', state, async () => void (await call('teardown', state))),
  };
}

async function inTime<T>(
  done: 'set up' | 'torn down',
  { name }: ProviderState,
  work: () => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const late = sleep(STATE_TIMEOUT_MS, undefined, { signal: over.signal }).then(() => {
    throw new Error(`timeout after ${STATE_TIMEOUT_MS / 1000} s`);
  });
  late.catch(() => {});
  try {
    return await Promise.race([work(), late]);
  } catch (cause) {
    throw new Error(`the state "${name}" cannot be ${done}: ${reasonOf(cause)}`, { cause });
  } finally {
    over.abort();
  }
}

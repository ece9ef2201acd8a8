import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../../http/address.js';
import { limits } from '../../http/limits.js';
import { type Route, sendRequest } from '../../http/route.js';
import type { NewPlant } from '../../spec/types.js';
import { reasonOf } from '../../toolkit-error.js';
import { readJson } from '../../validation/json.js';
import { objectOf } from '../../validation/json-value.js';
import { writeJson } from '../../validation/json-writer.js';
import type { ProviderState } from '../pact-file.js';
import { providerStates } from '../states.js';
import { isSuccess } from './judge.js';
import type { CurrentInteraction, Recording } from './recording.js';
import type { StateContext, StateHandler, StateHandlers, StateValues } from './state-handlers.js';

/** The time limit for a state, in milliseconds. */
export const STATE_TIMEOUT_MS = 10_000;

/** The limits of a request to the state URL. */
const LIMITS = { timeoutMs: STATE_TIMEOUT_MS, longestBody: limits.body };

/** Sets states up and tears them down. A promise rejects with the reason why this is not possible. */
export interface StateRunner {
  setUp(state: ProviderState, actions: RequestActions): Promise<StateValues>;
  tearDown(state: ProviderState): Promise<void>;
}

/** What a state can change in the request of its interaction. */
type RequestActions = Pick<StateContext, 'replaceId' | 'keepToken'>;

/**
 * Listens on the loopback interface for Pact's calls about states.
 *
 * @param recording the one that a call belongs to
 */
export async function startStateServer(
  states: StateRunner,
  recording: () => Recording,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const values = await answerTo(Buffer.concat(chunks), states, recording());
    response.setHeader('content-type', 'application/json').end(values);
  });
  const { url } = await listen(server, '127.0.0.1', 0);
  return {
    url: `${url}/states`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Handles a call about a state. Returns the values of its setup for generators, as JSON. */
async function answerTo(body: Uint8Array, states: StateRunner, recording: Recording): Promise<string> {
  const read = readJson(body);
  const { action, state: name, params } = objectOf(read.ok ? read.value : undefined);
  // Pact calls for each state, or once without a name if there is none.
  const state = typeof name === 'string' && name !== '' ? { name, params: objectOf(params) } : undefined;
  const interaction = action === 'teardown' ? recording.tearingDown() : recording.settingUp();
  if (state === undefined) return '{}';
  try {
    if (action === 'teardown') {
      await states.tearDown(state);
      return '{}';
    }
    interaction.states.push(state);
    // Whoever sets this state up: with the token of the verification, it would not be this state.
    if (state.name === providerStates.tokenIsNotValid) interaction.keepsToken = true;
    return writeJson(await states.setUp(state, actionsOn(interaction)));
  } catch (cause) {
    // Pact would retry a failed state twice, a second later. So it always gets a success, and then no response.
    interaction.problem ??= reasonOf(cause);
    return '{}';
  }
}

function actionsOn(interaction: CurrentInteraction): RequestActions {
  return {
    replaceId: (id, by) => void interaction.ids.push({ id, by }),
    keepToken: () => {
      interaction.keepsToken = true;
    },
  };
}

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
export function statesByUrl(route: Route): StateRunner {
  const { href } = route.url;
  const headers = [
    ['Accept', '*/*'],
    ['Content-Type', 'application/json'],
  ] as const;
  const call = async (action: 'setup' | 'teardown', { name, params }: ProviderState): Promise<Uint8Array> => {
    const request = { method: 'POST', headers, body: writeJson({ action, state: name, params }) };
    const { status, body } = await sendRequest(route, request, LIMITS).catch((cause) => {
      throw new Error(`${href}: ${reasonOf(cause)}`, { cause });
    });
    if (status >= 300 && status < 400)
      throw new Error(`${href} returned ${status}: redirects are not followed`);
    if (!isSuccess(status)) throw new Error(`${href} returned ${status}`);
    return body;
  };
  return {
    setUp: (state) =>
      inTime('set up', state, async () => {
        const body = await call('setup', state);
        if (body.length === 0) return {};
        const read = readJson(body);
        if (!read.ok) throw new Error(`the response of ${href} is not JSON: ${read.message}`);
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

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { headerValues } from '../../http/fields.js';
import { limits } from '../../http/limits.js';
import { type Route, sendRequest } from '../../http/route.js';
import type { NewPlant } from '../../spec/types.js';
import { reasonOf } from '../../toolkit-error.js';
import { readJson, type WritableJson, writeJson } from '../../validation/json.js';
import { type JsonObject, type JsonValue, objectOf } from '../../validation/json-value.js';
import type { ProviderState } from '../pacts.js';
import { integerOf, isInt64, providerStates } from '../states.js';

/** What a state handler can do for its interaction. */
export interface StateContext {
  /**
   * Creates a plant with the token of the verification.
   *
   * @throws Error if the provider does not return 200
   */
  createPlant(plant: NewPlant): Promise<void>;
  /** Sends another id than the one in the pact's request. `undefined` replaces any id except 0. */
  replaceId(id: number | bigint | undefined, by: number | bigint): void;
}

/** Values for the generators of the interaction (`fromProviderState`), by name. */
export type StateValues = { readonly [name: string]: WritableJson };

/** Sets a state up in the provider. */
export type StateHandler = (
  params: JsonObject,
  context: StateContext,
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler may return nothing
) => StateValues | void | Promise<StateValues | void>;

/** Handlers by the names of states. */
export type StateHandlers = Readonly<Record<string, StateHandler>>;

/**
 * Handlers that need no help from the provider.
 *
 * - "no plant with id": a fresh random id replaces the one in the pact.
 * - "a plant with id exists": a plant with a fresh id is created first.
 * - "the token is not valid": nothing. The token of the pact is sent in this state, whoever sets it up.
 *
 * The response to a creation has no id (interface: Resources, rule 1), so another id does not change it. An id of 0 is
 * not replaced, and neither is an id that is not an int64: a fresh one would be another kind of id.
 */
export const statesWithoutHelp: StateHandlers = {
  [providerStates.noPlantWithId]: ({ id }, context) => ({ id: sendFreshId(idFrom(id), context) }),
  [providerStates.plantWithIdExists]: async ({ id, name, tag }, context) => {
    const by = sendFreshId(idFrom(id), context);
    const plant = { name: typeof name === 'string' ? name : 'Aloe', id: by };
    await context.createPlant(typeof tag === 'string' ? { ...plant, tag } : plant);
    return { id: by };
  },
  [providerStates.tokenIsNotValid]: () => {},
};

function sendFreshId(id: bigint | undefined, context: StateContext): bigint {
  const by = freshIdLike(id);
  context.replaceId(id, by);
  return by;
}

/** An id is a number, or a string of digits if most JSON parsers would round it. */
function idFrom(value: JsonValue | undefined): bigint | undefined {
  return typeof value === 'string' && /^-?\d{1,19}$/.test(value) ? BigInt(value) : integerOf(value);
}

/** A random id of the same sign and about the same size, so that a provider treats it in the same way. */
export function freshIdLike(id = 1n): bigint {
  if (id === 0n || !isInt64(id)) return id;
  const [sign, size] = id < 0n ? [-1n, -id] : [1n, id];
  // Of few digits, there would be too few ids. The ends of int64 have 63 binary digits.
  const digits = Math.min(Math.max(size.toString(2).length, 31), 63);
  const lowest = 1n << BigInt(digits - 1);
  return sign * (lowest + (randomBytes(8).readBigUInt64BE() % lowest));
}

/** The time limit for a state, in milliseconds. */
export const STATE_TIMEOUT_MS = 10_000;

/**
 * Sets a state up, or tears it down.
 *
 * @param context what the state can do for its interaction
 * @returns values for generators
 * @throws Error with the reason why this is not possible
 */
export type RunState = (
  action: 'setup' | 'teardown',
  state: ProviderState,
  context: StateContext,
) => Promise<StateValues>;

/** Runs states by functions. */
export function statesByHandlers(handlers: StateHandlers): RunState {
  return inTime(async (action, { name, params }, context) => {
    if (action === 'teardown') return {};
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
    if (handler === undefined)
      throw new Error('there is no handler for it; pass one in `states`, or a state URL (--state-url)');
    return (await handler(params, context)) ?? {};
  });
}

/**
 * Runs states by a URL of the provider. It gets the requests that Pact sends to such URLs: a POST of
 * `{ "action": "setup" | "teardown", "state", "params" }`. As for Pact, a 2xx means that it is done, and values for generators
 * come only from a JSON object.
 */
export function statesByUrl(route: Route): RunState {
  const { href } = route.url;
  const headers = [
    ['Accept', '*/*'],
    ['Content-Type', 'application/json'],
  ] as const;
  return inTime(async (action, { name, params }) => {
    const request = { method: 'POST', headers, body: writeJson({ action, state: name, params }) };
    const limit = { timeoutMs: STATE_TIMEOUT_MS, longestBody: limits.body };
    const response = await sendRequest(route, request, limit).catch((cause) => {
      throw new Error(`${href}: ${reasonOf(cause)}`, { cause });
    });
    const { status, body } = response;
    if (status < 200 || status > 299)
      throw new Error(`${href} returned ${status}${status < 400 ? ': redirects are not followed' : ''}`);
    const [type = ''] = headerValues(response.headers, 'content-type');
    const read = /[/+]json\b/i.test(type) ? readJson(body) : undefined;
    return read?.ok === true ? objectOf(read.value) : {};
  });
}

function inTime(run: RunState): RunState {
  return async (action, state, context) => {
    const late = sleep(STATE_TIMEOUT_MS, undefined, { ref: false }).then(() => {
      throw new Error(`timeout after ${STATE_TIMEOUT_MS / 1000} s`);
    });
    late.catch(() => {});
    try {
      return await Promise.race([run(action, state, context), late]);
    } catch (cause) {
      const done = action === 'setup' ? 'set up' : 'torn down';
      throw new Error(`the state "${state.name}" cannot be ${done}: ${reasonOf(cause)}`, { cause });
    }
  };
}

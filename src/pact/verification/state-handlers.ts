import { randomBytes, randomInt } from 'node:crypto';
import type { NewPlant } from '../../spec/types.js';
import type { JsonObject, JsonValue } from '../../validation/json-value.js';
import type { WritableJson } from '../../validation/json-writer.js';
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
  /** Sends the token of the pact instead of the one of the verification. */
  keepToken(): void;
}

/** Values for the generators of the interaction (`fromProviderState`), by name. */
export type StateValues = { readonly [name: string]: WritableJson };

/** Sets a state up in the provider. */
export type StateSetup = (
  params: JsonObject,
  context: StateContext,
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler may return nothing
) => StateValues | void | Promise<StateValues | void>;

/** The handler of a state: sets it up, and tears it down afterwards. */
export type StateHandler =
  | StateSetup
  | {
      readonly setup?: StateSetup;
      readonly teardown?: (params: JsonObject) => unknown;
    };

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

function sendFreshId(id: bigint | undefined, context: StateContext): number | bigint {
  const by = freshIdLike(id);
  context.replaceId(id, by);
  return by;
}

/** An id is a number, or a string of digits if most JSON parsers would round it. */
function idFrom(value: JsonValue | undefined): bigint | undefined {
  return typeof value === 'string' && /^-?\d{1,19}$/.test(value) ? BigInt(value) : integerOf(value);
}

const INT32_END = 2n ** 31n;
const EXACT_DOUBLE_END = 2n ** 53n;
const INT64_END = 2n ** 63n;

/** A random id of the same sign and about the same size, so that a provider treats it in the same way. */
export function freshIdLike(id = 1n): number | bigint {
  if (id === 0n) return 0;
  if (!isInt64(id)) return id;
  const size = id < 0n ? -id : id;
  const sign = id < 0n ? -1n : 1n;
  if (size < INT32_END) return Number(sign) * randomInt(1, Number(INT32_END));
  const [low, high] =
    size < EXACT_DOUBLE_END ? [INT32_END, EXACT_DOUBLE_END] : [INT64_END - 2n ** 32n, INT64_END];
  return sign * (low + (randomBytes(8).readBigUInt64BE() % (high - low)));
}

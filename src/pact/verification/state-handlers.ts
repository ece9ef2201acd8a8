import { randomBytes, randomInt } from 'node:crypto';
import type { NewPlant } from '../../spec/types.js';
import type { JsonObject, JsonValue } from '../../validation/json-value.js';
import type { WritableJson } from '../../validation/json-writer.js';
import { integerOf, isInt64 } from '../integer.js';
import { providerStates } from '../states.js';

/** What a state handler can do about the interaction that it prepares. */
export interface StateContext {
  /**
   * Creates a plant with the token of the verification.
   *
   * @throws Error where the provider does not answer 200
   */
  createPlant(plant: NewPlant): Promise<void>;
  /** Sends another id than the one in the pact's request; `id` is left out where any will do. */
  replaceId(id: number | bigint | undefined, by: number | bigint): void;
  /** Sends the token as the pact has it, and not the one of the verification. */
  keepToken(): void;
}

/** Values for the generators of the interaction (`fromProviderState`), by name. */
export type StateValues = { readonly [name: string]: WritableJson };

/** Brings the provider into a state. */
export type StateSetup = (
  params: JsonObject,
  context: StateContext,
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler that has nothing to say returns nothing
) => StateValues | void | Promise<StateValues | void>;

/** A handler of a state: what brings it about, and what clears up afterwards. */
export type StateHandler =
  | StateSetup
  | {
      readonly setup?: StateSetup;
      readonly teardown?: (params: JsonObject) => unknown;
    };

/** Handlers by the names of states. */
export type StateHandlers = Readonly<Record<string, StateHandler>>;

/**
 * Handlers that need no help from the provider: for "no plant with id", a fresh random id is sent in place of the
 * pact's; for "a plant with id exists", a plant with a fresh id is created beforehand; a token that is not valid is
 * sent as the pact has it.
 *
 * The answer to a creation holds no id (interface: Resources, rule 1), so that another id changes nothing that a
 * pact can say of it. An id of 0 stays, and so does what is no int64: a fresh one would be another kind of id.
 */
export const statesWithoutHelp: StateHandlers = {
  [providerStates.noPlantWithId]: ({ id }, context) => ({ id: sendFreshId(idFrom(id), context) }),
  [providerStates.plantWithIdExists]: async ({ id, name, tag }, context) => {
    const by = sendFreshId(idFrom(id), context);
    const plant = { name: typeof name === 'string' ? name : 'Aloe', id: by };
    await context.createPlant(typeof tag === 'string' ? { ...plant, tag } : plant);
    return { id: by };
  },
  [providerStates.tokenIsNotValid]: (_params, context) => {
    context.keepToken();
  },
};

function sendFreshId(id: bigint | undefined, context: StateContext): number | bigint {
  const by = freshIdLike(id);
  context.replaceId(id, by);
  return by;
}

/** An id is a number, or a text of digits where most readers of JSON would round it. */
function idFrom(value: JsonValue | undefined): bigint | undefined {
  return typeof value === 'string' && /^-?\d{1,19}$/.test(value) ? BigInt(value) : integerOf(value);
}

const INT32_END = 2n ** 31n;
const EXACT_DOUBLE_END = 2n ** 53n;
const INT64_END = 2n ** 63n;

/** A random id of the same sign and about the same size, so that what a provider makes of it is the same. */
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

import type { ProviderState } from './pact-file.js';

/**
 * The provider states of the ready-made interactions. Each says what the provider's data is before the request.
 *
 * - `noPlantWithId`, with `{ id }`: no plant has this id.
 * - `plantWithIdExists`, with `{ id, name }` and an optional `{ tag }`: a plant with this id exists.
 * - `tokenIsNotValid`, with `{ token }`: this token does not allow to create plants.
 *
 * In the parameters, an id beyond 2^53 is a string of digits, because most JSON parsers would round it.
 */
export const providerStates = {
  noPlantWithId: 'no plant with id',
  plantWithIdExists: 'a plant with id exists',
  tokenIsNotValid: 'the token is not valid',
} as const;

/** Words in the name of a state that may mean that there is a plant, and words that mean that there is none. */
const THERE_IS_A_PLANT =
  /exist|already|duplicate|stored|contain|taken|known|same|twice|used|\b(?:has|have|had|with|named|called)\b|\d/i;
const THERE_IS_NONE =
  /\bno (?:such |other )?plants?\b|\b(?:do|does|is|are) ?n[o']t (?:exist|contain|stored|taken|used|known|have)|\bempty\b/i;

/**
 * Whether a plant with the id of a request may exist in a state. Then the interface does not show the response (Endpoints,
 * rule 3). A state of this package says it. Of another state, only its name and its parameters are known.
 */
export function mayHaveTheId({ name, params }: ProviderState): boolean {
  if (name === providerStates.plantWithIdExists) return true;
  if (Object.values<string>(providerStates).includes(name) || THERE_IS_NONE.test(name)) return false;
  return THERE_IS_A_PLANT.test(name) || Object.keys(params).length > 0;
}

/** An id as it is written in the parameters of a state. */
export function idParameter(id: number | bigint): number | string {
  return Number.isSafeInteger(Number(id)) ? Number(id) : String(id);
}

/** The exact integer that a JSON value is, or `undefined` if it is none. `7.0` is the integer 7. */
export function integerOf(value: unknown): bigint | undefined {
  return typeof value === 'bigint' || Number.isInteger(value) ? BigInt(value as number) : undefined;
}

/** Whether an integer is an int64, as an id is (interface: Resources, rule 2). */
export function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

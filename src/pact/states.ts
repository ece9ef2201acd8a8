import { randomBytes } from 'node:crypto';
import { objectOf } from '../validation/json-value.js';
import type { PactInteraction } from './pacts.js';

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

/** An id as it is written in the parameters of a state. */
export function idParameter(id: number | bigint): number | string {
  return Number.isSafeInteger(Number(id)) ? Number(id) : String(id);
}

/** The id in the parameters of a state: a number, or a string of digits. `undefined` if JSON.parse has rounded it. */
export function idFrom(value: unknown): bigint | undefined {
  if (typeof value === 'string' && /^-?\d{1,19}$/.test(value)) return BigInt(value);
  return Number.isSafeInteger(value) ? integerOf(value) : undefined;
}

/**
 * A random id of the same sign and about the same size, so that a provider treats it in the same way. An id of 0 stays, and
 * so does one that is not an int64: a fresh one would be another kind of id.
 */
export function freshIdLike(id = 1n): bigint {
  if (id === 0n || !isInt64(id)) return id;
  const [sign, size] = id < 0n ? [-1n, -id] : [1n, id];
  // Of few digits, there would be too few ids. The ends of int64 have 63 binary digits.
  const digits = Math.min(Math.max(size.toString(2).length, 31), 63);
  const lowest = 1n << BigInt(digits - 1);
  return sign * (lowest + (randomBytes(8).readBigUInt64BE() % lowest));
}

/** The exact integer that a JSON value is, or `undefined` if it is none. `7.0` is the integer 7. */
export function integerOf(value: unknown): bigint | undefined {
  return typeof value === 'bigint' || Number.isInteger(value) ? BigInt(value as number) : undefined;
}

/** Whether an integer is an int64, as an id is (openapi.yaml#/components/schemas/NewPlant). */
export function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/** Whether a state says that the token of a request is not valid: see {@link providerStates}. */
export function saysTokenIsInvalid({ states }: PactInteraction): boolean {
  return states.some(({ name }) => name === providerStates.tokenIsNotValid);
}

/** Whether a state says that a plant with the id of a request exists: see {@link providerStates}. */
export function saysIdExists(interaction: PactInteraction): boolean {
  const state = interaction.states.find(({ name }) => name === providerStates.plantWithIdExists);
  if (state === undefined) return false;
  const { id } = objectOf(interaction.request.body?.value);
  const isOther = state.params.id !== undefined && String(state.params.id) !== String(id);
  return !isOther || interaction.request.generated('body', 'id');
}

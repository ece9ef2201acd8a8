import { objectOf } from '../validation/json-value.js';
import type { PactInteraction, ProviderState } from './pacts.js';

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

/**
 * Whether a plant with the id of a request may exist in a state. Then the interface does not show the response (Endpoints,
 * rule 3). What another state than those of this package means is not known.
 */
export function mayHaveTheId({ name }: ProviderState): boolean {
  return name !== providerStates.noPlantWithId && name !== providerStates.tokenIsNotValid;
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

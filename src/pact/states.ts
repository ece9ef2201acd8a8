/**
 * The provider states of the ready interactions: each says what the provider's data is before the request.
 *
 * - `noPlantWithId`, with `{ id }`: no plant has this id.
 * - `plantWithIdExists`, with `{ id, name }` and, where it has one, `{ tag }`: there is such a plant.
 * - `tokenIsNotValid`, with `{ token }`: nobody may create plants with this token.
 *
 * An id beyond 2^53 is a text of digits in the parameters, since most readers of JSON would round it.
 */
export const providerStates = {
  noPlantWithId: 'no plant with id',
  plantWithIdExists: 'a plant with id exists',
  tokenIsNotValid: 'the token is not valid',
} as const;

/**
 * The NewPlant in a value that was read from JSON.
 *
 * @returns `{ plant }`, its id a bigint; or `{ problem }`, what is wrong with it
 */
export function newPlantIn(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: 'a plant must be an object' };
  const { name, id, tag } = value;
  if (typeof name !== 'string') return { problem: '"name" must be a string' };
  if (tag !== undefined && typeof tag !== 'string') return { problem: '"tag" must be a string, or absent' };
  if (!isInt64(id)) return { problem: '"id" must be an integer from -2^63 to 2^63-1' };
  return { plant: { name, id: BigInt(id), tag } };
}

/** A number where it is exact, a bigint beyond: so readJson gives integers. */
function isInt64(id) {
  if (typeof id === 'bigint') return BigInt.asIntN(64, id) === id;
  return Number.isSafeInteger(id);
}

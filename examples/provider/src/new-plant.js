/**
 * Checks a value that was read from JSON.
 *
 * @returns `{ plant }`, whose id is a bigint, or `{ problem }`, which says what is wrong
 */
export function newPlantIn(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: 'a plant must be an object' };
  const { name, id, tag } = value;
  if (typeof name !== 'string') return { problem: '"name" must be a string' };
  if (tag !== undefined && typeof tag !== 'string') return { problem: '"tag" must be a string or missing' };
  if (!isInt64(id)) return { problem: '"id" must be an integer from -2^63 to 2^63-1' };
  return { plant: { name, id: BigInt(id), tag } };
}

/** readJson returns a number if that is exact, and a bigint beyond. */
function isInt64(id) {
  if (typeof id === 'bigint') return BigInt.asIntN(64, id) === id;
  return Number.isSafeInteger(id);
}

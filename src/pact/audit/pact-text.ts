import { ToolkitError } from '../../toolkit-error.js';
import { type WritableJson, writeJson } from '../../validation/json-writer.js';
import { bytesIn } from '../../validation/message.js';

/** The outermost integer of int64 that a double takes for another one: 2^63 - 1 becomes 2^63. */
const ROUNDED_END = 2 ** 63;

/**
 * The JSON of a pact.
 *
 * @param pact as text, in bytes, or parsed
 * @param where what it is called in an error
 * @throws ToolkitError `invalid-pact` where it cannot be JSON
 */
export function pactText(pact: string | Uint8Array | object, where: string): string {
  if (typeof pact === 'string') return pact;
  try {
    const bytes = bytesIn(pact);
    if (bytes !== undefined) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return writeJson(unrounded(pact as WritableJson));
  } catch (cause) {
    throw new ToolkitError('invalid-pact', `${where} is no pact: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Integers beyond 2^53 as bigints, since `writeJson` refuses what may have been rounded. That it was is the caller's
 * choice; only the end of int64 must not be taken for the integer past it.
 */
function unrounded(value: WritableJson): WritableJson {
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value)
      ? BigInt(value) - (value === ROUNDED_END ? 1n : 0n)
      : value;
  if (Array.isArray(value)) return value.map(unrounded);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      member === undefined ? undefined : unrounded(member as WritableJson),
    ]),
  );
}

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Memory is freed each time that so many bytes were read. */
const BETWEEN = 3 * 2 ** 20;

let bytesRead = 0;
let collect: (() => void) | undefined;

/**
 * Frees memory from time to time while long bodies are read. The values in such a body are garbage as soon as it is
 * judged, but V8 lets garbage of this kind grow to hundreds of megabytes before it looks for it.
 *
 * @param bytes the length of a long body that was read
 */
export function freeMemoryAfter(bytes: number): void {
  bytesRead += bytes;
  if (bytesRead < BETWEEN) return;
  bytesRead = 0;
  collect ??= collector();
  collect();
}

/** The collector of V8. A new context has it while the flag is set. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext("typeof gc === 'function' ? gc : undefined");
  setFlagsFromString('--no-expose-gc');
  return typeof gc === 'function' ? () => gc() : () => {};
}

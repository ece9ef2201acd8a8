import { invalidOption } from '../toolkit-error.js';

/**
 * Rejects flags that would do nothing: whoever gives a flag expects an effect.
 *
 * @param flags the flags that were given, by the names that commander gives them
 * @param names those that need something else
 * @param why what they need: "needs --explore"
 * @throws ToolkitError `invalid-option`, naming the first of them
 */
export function rejectIdle<Flags extends object>(
  flags: Flags,
  names: readonly (keyof Flags & string)[],
  why: string,
): void {
  const idle = names.find((name) => flags[name] !== undefined);
  if (idle !== undefined) throw invalidOption(`${flagOf(idle)} ${why}`);
}

/** `brokerToken` as `--broker-token`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

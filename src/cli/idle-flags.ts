import { invalidOption } from '../toolkit-error.js';
import { folderOfOption } from './config/from-file.js';

/**
 * Rejects flags that would do nothing: whoever gives a flag expects an effect. Options of the options file are left out.
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
  for (const name of names.filter((one) => flags[one] !== undefined)) {
    if (folderOfOption(flags, name) === undefined) throw invalidOption(`${flagOf(name)} ${why}`);
    // The file is for other runs as well.
    delete flags[name];
  }
}

/** `brokerToken` as `--broker-token`. */
function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

import { invalidOption } from '../toolkit-error.js';
import type { Flag, FlagsOf } from './flag.js';
import type { CommandIo } from './io.js';

/** A command as data. Its help and its options in the options file are made from it. */
export interface Command {
  readonly description: string;
  readonly args?: readonly Argument[];
  /** Whether it says itself what is wrong with further arguments. */
  readonly takesMoreArgs?: true;
  /** How the help writes a call, if the arguments do not say it. */
  readonly usage?: string;
  /** In the order of the help. */
  readonly flags: readonly Flag[];
  readonly examples?: string;
  /** What follows an error in the flags. */
  readonly errorHint?: string;
  /** Whether the options file has options for it. Not if its flags decide what it does at all. Default true. */
  readonly hasFileOptions?: false;
  /** @returns the exit status */
  run(given: Given, io: CommandIo): Promise<number>;
}

/** An argument: `<needed>`, `[optional]` or `<several...>`. */
interface Argument {
  readonly form: string;
  readonly help: string;
  /** @throws InvalidArgumentError if the value is wrong */
  readonly check?: (value: string) => void;
}

/** What a command was given, on the command line and in the options file. */
export interface Given<Flags extends object = object> {
  readonly flags: Flags;
  readonly args: readonly string[];
  /** Where flags come from that are not on the command line: the folder of the options file, by the name of the flag. */
  readonly origin: ReadonlyMap<string, string>;
}

/** A command whose flags have the types that the list of flags says. */
export function defineCommand<const List extends readonly Flag[]>(
  command: Omit<Command, 'flags' | 'run'> & {
    readonly flags: List;
    run(given: Given<FlagsOf<List>>, io: CommandIo): Promise<number>;
  },
): Command {
  return command;
}

/**
 * Rejects flags that would do nothing: whoever writes a flag expects an effect. The options file is for other runs as
 * well, so what comes from it is left out.
 *
 * @param isUnused whether they do nothing
 * @param names the flags that need something else
 * @param why what they need: "needs --explore"
 * @returns the same, without these flags if they do nothing
 * @throws ToolkitError `invalid-option`, naming the first that the command line has
 */
export function rejectUnused<Flags extends object>(
  isUnused: boolean,
  given: Given<Flags>,
  names: readonly (keyof Flags & string)[],
  why: string,
): Given<Flags> {
  if (!isUnused) return given;
  const flags = { ...given.flags };
  for (const name of names.filter((one) => flags[one] !== undefined)) {
    if (!given.origin.has(name)) throw invalidOption(`${longForm(name)} ${why}`);
    delete flags[name];
  }
  return { ...given, flags };
}

/** `brokerToken` as `--broker-token`. */
function longForm(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The argument of a command that needs a provider. The options file may have it as `baseUrl`. */
export const BASE_URL = '[base-url]';

/** @throws ToolkitError `invalid-option` if neither the command line nor the options file has the base URL */
export function neededBaseUrl({ args: [given] }: Given): string {
  if (given !== undefined) return given;
  throw invalidOption(
    'the base URL is missing: pass the base URL of the provider, such as http://localhost:3000, or write "baseUrl" to plant-store.config.json',
  );
}

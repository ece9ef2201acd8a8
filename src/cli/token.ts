import { whyUnsendable } from '../http/token.js';
import { invalidOption } from '../toolkit-error.js';
import { type FlagsOf, flag, type Given } from './command.js';
import type { CommandIo } from './io.js';

/** The flag that says which token is sent. */
export const tokenFlags = [
  flag('--token <token>', 'a token that the provider accepts (default: PLANT_STORE_TOKEN)'),
] as const;

/** @throws ToolkitError `invalid-option` if neither the flag nor the environment has a token that a header can carry */
export function tokenFrom({ flags }: Given<FlagsOf<typeof tokenFlags>>, io: CommandIo): string {
  const token = flagOrVariable(flags.token, '--token', 'PLANT_STORE_TOKEN', io);
  if (token !== undefined) return token;
  throw invalidOption(
    'the token is missing: pass a token that the provider accepts with --token, or set PLANT_STORE_TOKEN',
  );
}

/**
 * A token from a flag or, without it, from a variable. An error names the one that it comes from.
 *
 * @throws ToolkitError `invalid-option` if no header can carry it
 */
export function flagOrVariable(
  given: string | undefined,
  flagName: string,
  variable: string,
  { env }: CommandIo,
): string | undefined {
  // In CI, a secret that is missing is an empty variable.
  const token = (given ?? env[variable]) || undefined;
  const why = token === undefined ? undefined : whyUnsendable(token);
  if (why !== undefined) throw invalidOption(`${given === undefined ? variable : flagName} ${why}`);
  return token;
}

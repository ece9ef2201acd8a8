import { whyUnsendable } from '../http/token.js';
import { invalidOption } from '../toolkit-error.js';
import { type FlagsOf, flag, type Given } from './command.js';
import type { CommandIo } from './io.js';

/** The flag that says which token is sent. */
export const tokenFlags = [
  flag('--token <token>', 'a token that the provider accepts (default: PLANT_STORE_TOKEN)'),
] as const;

/** What a command says if there is no token, without a full stop. */
const NO_TOKEN =
  'the token is missing: pass a token that the provider accepts with --token, or set PLANT_STORE_TOKEN';

/** @throws ToolkitError `invalid-option` if neither the flag nor the environment has a token that a header can carry */
export function tokenFrom({ flags }: Given<FlagsOf<typeof tokenFlags>>, { env }: CommandIo): string {
  // In CI, a secret that is missing is an empty variable.
  const token = flags.token ?? env.PLANT_STORE_TOKEN ?? '';
  if (token === '') throw invalidOption(NO_TOKEN);
  const why = whyUnsendable(token);
  if (why !== undefined)
    throw invalidOption(`${flags.token === undefined ? 'PLANT_STORE_TOKEN' : '--token'} ${why}`);
  return token;
}

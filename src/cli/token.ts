import type { TokenOption } from '../http/token.js';
import { invalidOption } from '../toolkit-error.js';
import { type FlagsOf, flag, type Given, rejectUnused } from './command.js';
import type { CommandIo } from './io.js';

/** The flags that say which token is sent. */
export const tokenFlags = [
  flag('--token <token>', 'a token that the provider accepts (default: PLANT_STORE_TOKEN)'),
  flag(
    '--token-command <command>',
    'run this command to get the token, at the start and when a token has expired; it writes only the token',
  ),
] as const;

type TokenFlags = FlagsOf<typeof tokenFlags>;

/** A token, or where it comes from. */
export interface GivenToken {
  readonly option: TokenOption;
  /** Every token that was given so far: all are secrets. */
  readonly soFar: readonly string[];
}

/** What a command says if there is no token, without a full stop. */
const NO_TOKEN =
  'the token is missing: pass a token that the provider accepts with --token or --token-command, or set PLANT_STORE_TOKEN';

/** @throws ToolkitError `invalid-option` if neither a flag nor the environment has a token, or if two flags have one */
export function tokenFrom(given: Given<TokenFlags>, io: CommandIo): GivenToken {
  const token = optionalTokenFrom(given, io);
  if (token === undefined) throw invalidOption(NO_TOKEN);
  return token;
}

/** @throws ToolkitError `invalid-option` if two flags have one */
function optionalTokenFrom(given: Given<TokenFlags>, io: CommandIo): GivenToken | undefined {
  const { token, tokenCommand } = given.flags;
  rejectUnused(tokenCommand !== undefined, given, ['token'], 'cannot be used with --token-command');
  if (tokenCommand !== undefined) return tokenByCommand(tokenCommand, given.origin.get('tokenCommand'), io);
  return oneToken(token ?? io.env.PLANT_STORE_TOKEN);
}

/** A token that never changes; `undefined` if it is empty. */
function oneToken(token = ''): GivenToken | undefined {
  return token === '' ? undefined : { option: token, soFar: [token] };
}

/**
 * The tokens that a command writes.
 *
 * @param folder where it runs; default: the working directory
 */
function tokenByCommand(command: string, folder: string | undefined, io: CommandIo): GivenToken {
  const soFar: string[] = [];
  const option = async (): Promise<string> => {
    const { tokenFromCommand } = await import('./start/process.js');
    const token = await tokenFromCommand(command, folder ?? io.folder, io.untilStopped());
    soFar.push(token);
    return token;
  };
  return { option, soFar };
}

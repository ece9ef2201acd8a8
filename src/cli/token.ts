import type { Command } from 'commander';
import type { TokenOption } from '../http/token.js';
import { invalidOption } from '../toolkit-error.js';
import { folderOfOption } from './config/from-file.js';
import { rejectIdle } from './idle-flags.js';
import type { CommandIo } from './io.js';

/** The flags that say which token is sent. */
export interface TokenFlags {
  readonly token?: string;
  readonly tokenCommand?: string;
}

/** A token, or where it comes from. */
export interface GivenToken {
  readonly option: TokenOption;
  /** Every token that was given so far: all are secrets. */
  readonly soFar: readonly string[];
}

/** Adds these flags to a command. */
export function withTokenFlags(command: Command): Command {
  return command
    .option('--token <token>', 'a token that the provider accepts (default: PLANT_STORE_TOKEN)')
    .option(
      '--token-command <command>',
      'run this command to get the token, at the start and when a token has expired; it writes only the token',
    );
}

/** What a command says if there is no token, without a full stop. */
export const NO_TOKEN =
  'the token is missing: pass a token that the provider accepts with --token or --token-command, or set PLANT_STORE_TOKEN';

/** @throws ToolkitError `invalid-option` if neither a flag nor the environment has a token, or if two flags have one */
export function tokenFrom(flags: TokenFlags, io: CommandIo): GivenToken {
  const given = optionalTokenFrom(flags, io);
  if (given === undefined) throw invalidOption(NO_TOKEN);
  return given;
}

/** @throws ToolkitError `invalid-option` if two flags have one */
export function optionalTokenFrom(flags: TokenFlags, io: CommandIo): GivenToken | undefined {
  const { tokenCommand } = flags;
  if (tokenCommand !== undefined) rejectIdle(flags, ['token'], 'cannot be used with --token-command');
  if (tokenCommand !== undefined)
    return tokenByCommand(tokenCommand, folderOfOption(flags, 'tokenCommand'), io);
  return oneToken(flags.token ?? io.env.PLANT_STORE_TOKEN);
}

/** A token that never changes; `undefined` if it is empty. */
export function oneToken(token = ''): GivenToken | undefined {
  return token === '' ? undefined : { option: token, soFar: [token] };
}

/**
 * The tokens that a command writes.
 *
 * @param folder where it runs; default: the working directory
 */
export function tokenByCommand(command: string, folder: string | undefined, io: CommandIo): GivenToken {
  const soFar: string[] = [];
  const option = async (): Promise<string> => {
    const { tokenFromCommand } = await import('./start/token-command.js');
    const token = await tokenFromCommand(command, folder ?? io.folder, io.untilStopped());
    soFar.push(token);
    return token;
  };
  return { option, soFar };
}

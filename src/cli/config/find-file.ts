import { stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { invalidOption, reasonOf } from '../../toolkit-error.js';
import type { CommandIo } from '../io.js';

/** The name of the options file. */
export const CONFIG_FILE = 'plant-store.config.json';

/** The longest options file, in bytes. */
const LONGEST = 2 ** 20;

/** An options file as it was read. */
export interface ReadFile {
  /** Its path, relative to the working directory. */
  readonly name: string;
  readonly folder: string;
  readonly text: string;
}

/**
 * Reads the options file: the one that is named, or the next one from the working directory upwards.
 *
 * @param named `--config`; `false` for `--no-config`
 * @throws ToolkitError `invalid-option` if it cannot be read
 */
export async function findFile(
  named: string | false | undefined,
  io: CommandIo,
): Promise<ReadFile | undefined> {
  if (named === false) return undefined;
  if (named !== undefined) return await read(resolve(io.folder, named), io, true);
  for (let folder = resolve(io.folder); ; folder = dirname(folder)) {
    const isAbove = folder !== resolve(io.folder);
    const found =
      isAbove && (await mayAnybodyWrite(folder)) ? undefined : await read(join(folder, CONFIG_FILE), io);
    if (found !== undefined || dirname(folder) === folder) return found;
  }
}

async function read(path: string, io: CommandIo, isNamed = false): Promise<ReadFile | undefined> {
  const name = relative(io.folder, path);
  try {
    const text = Buffer.from(await io.readBytes(path, LONGEST)).toString();
    return { name, folder: dirname(path), text };
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (!isNamed && /^(?:ENOENT|ENOTDIR|EACCES|EPERM)$/.test(code)) return undefined;
    throw invalidOption(`the options file ${name} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

/** The file may say which program to start. In a folder such as /tmp, another user could have written it. */
async function mayAnybodyWrite(folder: string): Promise<boolean> {
  if (process.platform === 'win32') return false;
  const { mode } = await stat(folder);
  return (mode & 0o002) !== 0;
}

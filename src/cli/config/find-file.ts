import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
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
 * The file says which programs to run, and where a token is sent. One that nobody named must therefore be the user's own:
 * see "The options file" in SECURITY.md.
 *
 * @param named `--config`; `false` for `--no-config`
 * @throws ToolkitError `invalid-option` if it cannot be read, or somebody else could have written it
 */
export async function findFile(
  named: string | false | undefined,
  io: CommandIo,
): Promise<ReadFile | undefined> {
  if (named === false) return undefined;
  if (named !== undefined) return await read(resolve(io.folder, named), io);
  for (let folder = resolve(io.folder); ; folder = dirname(folder)) {
    const path = join(folder, CONFIG_FILE);
    const stats = await stat(path).catch(noneIfMissing);
    if (stats !== undefined) {
      const why = await doubtAbout(path, stats, io);
      if (why === undefined) return await read(path, io);
      const name = relative(io.folder, path);
      throw invalidOption(
        `the options file ${name} is not used: ${why}. It can run commands. If you trust it, pass --config ${name}; to go on without it, pass --no-config`,
      );
    }
    await rejectYaml(folder, io);
    if (dirname(folder) === folder) return undefined;
  }
}

/** Somebody who writes the file in YAML would not see that it is not read. */
async function rejectYaml(folder: string, io: CommandIo): Promise<void> {
  for (const ending of ['yaml', 'yml']) {
    const path = join(folder, CONFIG_FILE.replace('json', ending));
    if ((await stat(path).catch(noneIfMissing)) === undefined) continue;
    throw invalidOption(
      `${relative(io.folder, path)} is not read: the options file must be JSON, and its name ${CONFIG_FILE}. To go on without it, pass --no-config`,
    );
  }
}

/** A folder may have no such file, or be closed to this user. */
function noneIfMissing(cause: NodeJS.ErrnoException): undefined {
  if (!/^(?:ENOENT|ENOTDIR|EACCES|EPERM)$/.test(cause.code ?? '')) throw cause;
}

async function read(path: string, io: CommandIo): Promise<ReadFile> {
  const name = relative(io.folder, path);
  try {
    const text = Buffer.from(await io.readBytes(path, LONGEST)).toString();
    return { name, folder: dirname(path), text };
  } catch (cause) {
    throw invalidOption(`the options file ${name} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

/** Why a file is not used: it is no file that can be read to its end, or somebody else could have written it. */
async function doubtAbout(path: string, file: Stats, io: CommandIo): Promise<string | undefined> {
  if (!file.isFile()) return 'it is no regular file';
  const user = process.getuid?.();
  // Windows has no such owners and modes.
  if (user === undefined) return undefined;
  const ofFile = otherWriter(file, user);
  if (ofFile !== undefined) return `it ${ofFile}`;
  // A link leads to a file in another folder.
  for (const start of new Set([await realpath(dirname(path)), dirname(await realpath(path))])) {
    for (let folder = start; ; folder = dirname(folder)) {
      const why = otherWriter(await stat(folder), user, folder !== start);
      if (why !== undefined) return `the folder ${relative(io.folder, folder) || '.'} ${why}`;
      if (dirname(folder) === folder) break;
    }
  }
  return undefined;
}

const STICKY = 0o1000;
const OF_GROUP = 0o020;
const OF_ALL = 0o002;

/**
 * Who else than a user, and root, may write a file or a folder.
 *
 * @param isAbove whether it is a folder above that of the file. In one such as /tmp, which is sticky, others can neither
 *   remove nor rename what is the user's.
 * @returns how it is wrong, to follow "the file"; `undefined` if nobody may
 */
export function otherWriter(
  { uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>,
  user: number,
  isAbove = false,
): string | undefined {
  if (uid !== user && uid !== 0) return `belongs to another user (${uid})`;
  if (isAbove && (mode & STICKY) !== 0) return undefined;
  if ((mode & OF_ALL) !== 0) return 'may be written by everybody';
  // Many systems give each user a group of the same number, and let this group write. The group of root has other members.
  const isOwnGroup = gid === user && user !== 0;
  return (mode & OF_GROUP) !== 0 && !isOwnGroup ? `may be written by a group (${gid})` : undefined;
}

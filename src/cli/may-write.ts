import { access, constants, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Checks that a file can be written: beside it and then renamed. Missing folders are no obstacle, since writing makes
 * them.
 *
 * @throws Error that says why it cannot be written
 */
export async function mayWrite(path: string): Promise<void> {
  let place = resolve(path);
  let found = await stat(place).catch(() => undefined);
  if (found?.isDirectory() === true) throw new Error('it is a folder');
  if (found?.isFile() === true) await access(dirname(await realpath(place)), constants.W_OK);
  while (found === undefined && dirname(place) !== place) {
    place = dirname(place);
    found = await stat(place).catch(() => undefined);
    if (found?.isDirectory() === false) throw new Error(`${place} is not a folder`);
  }
  await access(place, constants.W_OK);
}

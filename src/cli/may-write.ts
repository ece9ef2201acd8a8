import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Whether a file can be written at a path, whose folders are made where they are missing.
 *
 * @throws Error that says what is in the way
 */
export async function mayWrite(path: string): Promise<void> {
  let place = resolve(path);
  let found = await stat(place).catch(() => undefined);
  if (found?.isDirectory() === true) throw new Error('it is a folder');
  while (found === undefined && dirname(place) !== place) {
    place = dirname(place);
    found = await stat(place).catch(() => undefined);
    if (found?.isDirectory() === false) throw new Error(`${place} is no folder`);
  }
  await access(place, constants.W_OK);
}

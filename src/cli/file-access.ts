import { createReadStream } from 'node:fs';
import { access, constants, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { readWithin } from '../http/collected-bytes.js';

/**
 * The bytes of a file.
 *
 * @throws Error if it cannot be read, or is longer than the limit in bytes
 */
export async function bytesOfFile(path: string, longest: number): Promise<Uint8Array> {
  // The size of a pipe is 0, and a file may still grow.
  const { size } = await stat(path);
  if (size > longest) throw tooLong(longest);
  return within(createReadStream(path, { highWaterMark: CHUNK }), longest, size);
}

/** All of standard input, up to the same limit. */
export function bytesOfInput(longest: number): Promise<Uint8Array> {
  return within(createReadStream('', { fd: 0, autoClose: false, highWaterMark: CHUNK }), longest);
}

const CHUNK = 2 ** 20;

async function within(source: AsyncIterable<Uint8Array>, longest: number, expected = 0): Promise<Uint8Array> {
  const bytes = await readWithin(source, longest, expected);
  if (bytes === undefined) throw tooLong(longest);
  return bytes;
}

function tooLong(longest: number): Error {
  // As Node's own reader does for a file that it cannot hold.
  return Object.assign(new Error(`it is longer than the limit of ${longest} bytes`), {
    code: 'ERR_FS_FILE_TOO_LARGE',
  });
}

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

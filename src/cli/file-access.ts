import { createReadStream, write } from 'node:fs';
import { access, constants, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { promisify } from 'node:util';
import { readWithin } from '../http/collected-bytes.js';
import type { OutputStream } from './io.js';

/**
 * The bytes of a file.
 *
 * @throws Error if it cannot be read, or is longer than the limit in bytes
 */
export async function bytesOfFile(path: string, longest: number): Promise<Uint8Array> {
  // The size of a pipe is 0, and a file may still grow.
  const { size } = await stat(path);
  if (size > longest) throw tooLong(longest);
  return within(createReadStream(path, { highWaterMark: CHUNK }), longest);
}

/** All of standard input, up to the same limit. */
export function bytesOfInput(longest: number): Promise<Uint8Array> {
  return within(createReadStream('', { fd: 0, autoClose: false, highWaterMark: CHUNK }), longest);
}

const CHUNK = 2 ** 20;

async function within(source: AsyncIterable<Uint8Array>, longest: number): Promise<Uint8Array> {
  const bytes = await readWithin(source, longest);
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
 * Writes a file, and the folders that are missing.
 *
 * @returns the first folder that was made, if one was
 * @throws Error of the file system
 */
export async function writeText(path: string, text: string): Promise<string | undefined> {
  const made = await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  return made;
}

/**
 * Checks that {@link writeText} could write a file.
 *
 * @throws Error that says why it cannot be written
 */
export async function mayWrite(path: string): Promise<void> {
  let place = resolve(path);
  let found = await stat(place).catch(() => undefined);
  if (found?.isDirectory() === true) throw new Error('it is a folder');
  while (found === undefined && dirname(place) !== place) {
    place = dirname(place);
    found = await stat(place).catch(() => undefined);
    if (found?.isDirectory() === false) throw new Error(`${place} is not a folder`);
  }
  await access(place, constants.W_OK);
}

/** An output of the process. */
interface Output extends OutputStream {
  /**
   * Waits until all is written.
   *
   * @returns why it cannot be written. A reader that closes it early, as `head` does, is no problem.
   */
  written(): Promise<string | undefined>;
}

/**
 * Opens standard output or standard error. It is written in the background: Node itself would wait for a reader of a pipe, and
 * hear no signal meanwhile. What comes while something is being written is written at once after it.
 */
export function openOutput(descriptor: 1 | 2): Output {
  let pending = '';
  let problem: string | undefined;
  let isClosed = false;
  let writing: Promise<void> | undefined;
  const writeAll = async (): Promise<void> => {
    while (pending !== '') {
      const bytes = Buffer.from(pending);
      pending = '';
      for (let at = 0; at < bytes.length && !isClosed; ) {
        try {
          at += (await writeBytes(descriptor, bytes, at)).bytesWritten;
        } catch (cause) {
          const { code, message } = cause as NodeJS.ErrnoException;
          // Another program may have made a terminal or a pipe non-blocking.
          if (code === 'EAGAIN') await sleep(5);
          else isClosed = true;
          if (isClosed && code !== 'EPIPE') problem = message;
        }
      }
    }
    writing = undefined;
  };
  return {
    // Only for a terminal, Node opens the stream: it would change the state of a pipe.
    ...(isatty(descriptor) && {
      isTTY: true,
      columns: (descriptor === 1 ? process.stdout : process.stderr).columns,
    }),
    write(text) {
      pending += text;
      // Lines of one turn of the event loop are written together.
      writing ??= Promise.resolve().then(writeAll);
    },
    async written() {
      await writing;
      return problem;
    },
  };
}

const writeBytes = promisify(write) as (
  descriptor: number,
  bytes: Uint8Array,
  offset: number,
) => Promise<{ readonly bytesWritten: number }>;

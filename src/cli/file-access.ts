import { createReadStream, createWriteStream } from 'node:fs';
import { access, constants, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { isatty } from 'node:tty';
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
  return new Error(`it is longer than the limit of ${longest} bytes`);
}

/**
 * Writes a file, and the folders that are missing.
 *
 * @throws Error of the file system
 */
export async function writeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/**
 * Checks that {@link writeText} could write a file, and makes the folders that are missing.
 *
 * @throws Error that says why it cannot be written
 */
export async function mayWrite(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) throw new Error('it is a folder');
  await access(found === undefined ? dirname(path) : path, constants.W_OK);
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

/** Opens standard output or standard error. */
export function openOutput(descriptor: 1 | 2): Output {
  const terminal = isatty(descriptor) ? (descriptor === 1 ? process.stdout : process.stderr) : undefined;
  // Node itself would wait for the reader of a pipe, and hear no signal meanwhile. This writes in the background.
  const stream: Writable = terminal ?? createWriteStream('', { fd: descriptor, autoClose: false });
  let problem: string | undefined;
  stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') problem ??= message;
  });
  return {
    ...(terminal !== undefined && { isTTY: true, columns: terminal.columns }),
    write: (text) => stream.write(text),
    async written() {
      await new Promise<void>((resolve) => stream.write('', () => resolve()));
      return problem;
    },
  };
}

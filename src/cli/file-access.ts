import { createReadStream, write } from 'node:fs';
import { access, constants, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Writable } from 'node:stream';
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
  let problem: string | undefined;
  const note = ({ code, message }: NodeJS.ErrnoException): void => {
    if (code !== 'EPIPE') problem ??= message;
  };
  // Node itself would wait for the reader of a pipe, and hear no signal meanwhile. This writes in the background.
  const write = (bytes: Buffer, _: string, done: () => void): void =>
    void writeAll(descriptor, bytes).catch(note).then(done);
  const stream = terminal ?? new Writable({ write });
  stream.on('error', note);
  return {
    ...(terminal !== undefined && { isTTY: true, columns: terminal.columns }),
    write: (text) => stream.write(text),
    async written() {
      await new Promise<void>((resolve) => stream.write('', () => resolve()));
      return problem;
    },
  };
}

async function writeAll(descriptor: number, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += (await writeBytes(descriptor, bytes, at)).bytesWritten;
    } catch (cause) {
      // Another program, as npm does, may have made a pipe non-blocking, and it is full. A file stream of Node soon gives up.
      if ((cause as NodeJS.ErrnoException).code !== 'EAGAIN') throw cause;
      await sleep(5);
    }
  }
}

const writeBytes = promisify(write);

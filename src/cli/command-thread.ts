import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { parentPort, workerData } from 'node:worker_threads';
import { limits } from '../http/limits.js';
import { type CommandIo, type OutputStream, openQuestions, untilInputCloses } from './io.js';
import { run } from './run.js';

/** What the thread needs to know of an output. */
export interface Terminal {
  readonly isTTY: boolean;
  readonly columns?: number;
}

/** The exit status if an output cannot be written: nobody knows what the command found. */
const UNWRITABLE = 2;

const port = parentPort;
if (port === null) throw new Error('this file runs in a thread of the command line');

// The main thread says only one thing: the command was asked to end.
const stopped = new Promise<void>((resolve) => port.once('message', () => resolve()));
// Waiting for a signal keeps no command alive.
port.unref();

let unwritable: string | undefined;
const { stdout, stderr } = workerData as { readonly stdout: Terminal; readonly stderr: Terminal };
const io: CommandIo = {
  stdout: output(1, stdout, (reason) => {
    unwritable = reason;
  }),
  stderr: output(2, stderr, () => {}),
  env: process.env,
  folder: process.cwd(),
  readFile: async (path) => Buffer.from(await io.readBytes(path, limits.file)).toString(),
  readBytes: async (path, longest) => (await import('./file-access.js')).bytesOfFile(path, longest),
  readInput: async (longest) => (await import('./file-access.js')).bytesOfInput(longest),
  writeFile: async (path, text) => (await import('./file-access.js')).writeText(path, text),
  mayWrite: async (path) => (await import('./file-access.js')).mayWrite(path),
  appendFile: async (path, text) => (await import('node:fs/promises')).appendFile(path, text),
  untilStopped: () => stopped,
  untilInputCloses,
  ...(isatty(0) &&
    stderr.isTTY && { openQuestions: () => openQuestions((text) => io.stderr.write(text), stopped) }),
};
void run(process.argv.slice(2), io).then((status) => {
  if (unwritable !== undefined)
    io.stderr.write(`plant-store: standard output cannot be written: ${unwritable}\n`);
  // Ends the thread, whatever may still be open: a connection to a server that was stopped, for one.
  process.exit(unwritable === undefined ? status : UNWRITABLE);
});

/**
 * Writes here and waits, so that the main thread is free for signals even if nobody reads the output. A reader that
 * closes it early, as `head` does, is no problem: the command goes on without it.
 */
function output(descriptor: number, terminal: Terminal, onFailure: (reason: string) => void): OutputStream {
  let isClosed = false;
  return {
    ...terminal,
    write(text) {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length && !isClosed; ) {
        try {
          at += writeSync(descriptor, bytes, at);
        } catch (problem) {
          const { code, message } = problem as NodeJS.ErrnoException;
          // Another program may have made a terminal or a pipe non-blocking.
          if (code === 'EAGAIN') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
          else isClosed = true;
          if (isClosed && code !== 'EPIPE') onFailure(message);
        }
      }
    },
  };
}

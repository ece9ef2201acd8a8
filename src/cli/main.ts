#!/usr/bin/env node
import { write } from 'node:fs';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { Worker } from 'node:worker_threads';
import type { Terminal } from './command-thread.js';

/** What a command that was stopped has to write what it knows. With all else, the process ends within 2 s. */
const GRACE_MS = 1_800;
/** The exit status of an error in this program: it says nothing about a provider. */
const BROKEN = 2;

/**
 * The command runs in a thread of its own. This one waits for signals, so that it can end the process whatever the
 * command computes or writes.
 */
const thread = new Worker(new URL('./command-thread.js', import.meta.url), {
  argv: process.argv.slice(2),
  workerData: { stdout: terminal(1, () => process.stdout), stderr: terminal(2, () => process.stderr) },
});
thread.on('exit', (status) => {
  process.exitCode ??= status;
});
thread.on('error', (cause) => {
  process.exitCode = BROKEN;
  process.stderr.write(`plant-store: ${cause instanceof Error ? cause.stack : String(cause)}\n`);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(signal));

let isStopping = false;

/** Asks the command to end. A second signal ends the process at once. */
function stop(signal: NodeJS.Signals): void {
  if (isStopping) {
    endAt(signal);
    return;
  }
  isStopping = true;
  thread.postMessage('stop');
  setTimeout(() => {
    // Nobody may read standard error.
    setTimeout(() => endAt(signal), 100);
    write(2, 'plant-store: stopped before it could say what it knew\n', () => endAt(signal));
  }, GRACE_MS).unref();
}

/**
 * Not with `process.exit` at first, which waits for reads and writes under way. The children of the command end when
 * they lose their connection to it.
 */
function endAt(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // As the first process of a container, this one gets no signal that it does not handle.
  setTimeout(() => process.exit(128 + constants.signals[signal]), 50);
}

/** Only for a terminal, Node opens the stream: it would change the state of a pipe. */
function terminal(descriptor: number, open: () => NodeJS.WriteStream): Terminal {
  return isatty(descriptor) ? { isTTY: true, columns: open().columns } : { isTTY: false };
}

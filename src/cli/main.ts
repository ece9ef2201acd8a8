#!/usr/bin/env node
import { constants } from 'node:os';
import { setTimeout } from 'node:timers';
import { inspect } from 'node:util';
import { limits } from '../http/limits.js';
import { bytesOfFile, bytesOfInput, mayWrite, openOutput, writeText } from './file-access.js';
import { type CommandIo, untilInputCloses } from './io.js';
import { run } from './run.js';

/** What a command that was stopped has to write what it knows. With all else, the process ends within 2 s. */
const GRACE_MS = 1_700;
/** The exit status of an error in this program, or if an output cannot be written: nobody knows what was found. */
const BROKEN = 2;

const [stdout, stderr] = [openOutput(1), openOutput(2)];
const atEnd = new Set<() => void>();
let isAwaited = false;
let tellStop = (): void => {};
const stopped = new Promise<void>((resolve) => {
  tellStop = resolve;
});

const io: CommandIo = {
  stdout,
  stderr,
  env: process.env,
  folder: process.cwd(),
  readFile: async (path) => Buffer.from(await bytesOfFile(path, limits.file)).toString(),
  readBytes: bytesOfFile,
  readInput: bytesOfInput,
  writeFile: writeText,
  mayWrite,
  appendFile: async (path, text) => (await import('node:fs/promises')).appendFile(path, text),
  untilStopped() {
    isAwaited = true;
    return stopped;
  },
  untilInputCloses,
  atEnd: (work) => void atEnd.add(work),
};

let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    // A second signal ends the process at once, and so does the first if the command does not wait for one.
    if (isStopping || !isAwaited) endBy(signal);
    isStopping = true;
    tellStop();
    setTimeout(() => {
      stderr.write('plant-store-contract: stopped before it could say what it knew\n');
      setTimeout(() => endBy(signal), 100);
    }, GRACE_MS).unref();
  });
process.on('exit', end);

/** Ends what the command started. */
function end(): void {
  for (const work of atEnd) work();
  atEnd.clear();
}

/** Not with `process.exit` at first, which waits for reads and writes under way. */
function endBy(signal: NodeJS.Signals): void {
  end();
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // As the first process of a container, this one gets no signal that it does not handle.
  setTimeout(() => process.exit(128 + constants.signals[signal]), 50);
}

let status = BROKEN;
try {
  status = await run(process.argv.slice(2), io);
} catch (cause) {
  stderr.write(`plant-store-contract: ${inspect(cause)}\n`);
}
const problem = await stdout.written();
if (problem !== undefined)
  stderr.write(`plant-store-contract: standard output cannot be written: ${problem}\n`);
await stderr.written();
// Whatever may still be open: a connection to a server that was stopped, for one.
process.exit(problem === undefined ? status : BROKEN);

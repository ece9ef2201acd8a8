#!/usr/bin/env node
import { run } from './run.js';

// Only this file uses the process.
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      // A second signal ends the process at once.
      process.off('SIGINT', stop).off('SIGTERM', stop);
      resolve();
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
  });
}

// The reader of the output may close it early, as `head` does. The command goes on without it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

/** The exit status of an error in this program: it says nothing about a provider. */
const BROKEN = 2;

process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  readFile: async (path) => (await import('node:fs/promises')).readFile(path, 'utf8'),
  readBytes: async (path) => (await import('node:fs/promises')).readFile(path),
  readInput: async () => (await import('node:stream/consumers')).buffer(process.stdin),
  writeFile: async (path, text) => (await import('../whole-file.js')).writeWhole(path, text),
  mayWrite: async (path) => (await import('./may-write.js')).mayWrite(path),
  appendFile: async (path, text) => (await import('node:fs/promises')).appendFile(path, text),
  untilStopped,
}).catch((cause: unknown) => {
  process.stderr.write(`plant-store: ${cause instanceof Error ? cause.stack : String(cause)}\n`);
  return BROKEN;
});

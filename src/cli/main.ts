#!/usr/bin/env node
import { run } from './run.js';

// The only file that touches the process.
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

// Who reads the output may have had enough, as `head` has: what is left goes nowhere, and the rest is done all the same.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

/** A mistake of this program is no verdict on a provider. */
const BROKEN = 2;

process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  readFile: async (path) => (await import('node:fs/promises')).readFile(path, 'utf8'),
  readBytes: async (path) => (await import('node:fs/promises')).readFile(path),
  readInput: async () => (await import('node:stream/consumers')).buffer(process.stdin),
  async writeFile(path, text) {
    const [{ mkdir, writeFile }, { dirname }] = await Promise.all([
      import('node:fs/promises'),
      import('node:path'),
    ]);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  },
  mayWrite: async (path) => (await import('./may-write.js')).mayWrite(path),
  appendFile: async (path, text) => (await import('node:fs/promises')).appendFile(path, text),
  untilStopped,
}).catch((cause: unknown) => {
  process.stderr.write(`plant-store: ${cause instanceof Error ? cause.stack : String(cause)}\n`);
  return BROKEN;
});

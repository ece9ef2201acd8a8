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

// Who reads the output may have had enough, as `head` has.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  process.exit(code === 'EPIPE' ? 0 : 2);
});

process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  readFile: async (path) => (await import('node:fs/promises')).readFile(path, 'utf8'),
  writeFile: async (path, text) => (await import('node:fs/promises')).writeFile(path, text),
  appendFile: async (path, text) => (await import('node:fs/promises')).appendFile(path, text),
  untilStopped,
});

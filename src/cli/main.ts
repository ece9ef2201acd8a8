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

process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  writeFile: async (path, text) => (await import('node:fs/promises')).writeFile(path, text),
  untilStopped,
});

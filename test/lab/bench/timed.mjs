import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The command line of the package, built. */
export const COMMAND_LINE = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

/** From the start of a process to its end, in milliseconds. */
export async function timed(...argv) {
  const start = performance.now();
  const child = spawn(process.execPath, argv, { stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}`);
  return performance.now() - start;
}

/** A process that does nothing: what starting Node takes. */
export function emptyProcess() {
  return timed('-e', '0');
}

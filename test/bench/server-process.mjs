import { spawn } from 'node:child_process';
import { once } from 'node:events';

const running = new Set();
// If the benchmark itself fails, no server keeps running.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts a script that prints its port, as a process of its own, the way it would run in production.
 *
 * @param {string} script its path
 * @param {string[]} args
 * @returns its port; `stop`, which ends it at once; `memory`, the bytes that it says it has after a collection, on SIGUSR2
 */
export async function startServer(script, ...args) {
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Express is slower by default; to the others it makes no difference.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  running.add(child);
  const exit = once(child, 'exit');
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    exit.then(([code]) => Promise.reject(new Error(`${script} ended with ${code} before it listened`))),
  ]);
  child.stdout.resume();
  return {
    port: Number(/\d+(?=\D*$)/.exec(String(line))),
    async memory() {
      child.kill('SIGUSR2');
      const [bytes] = await once(child.stdout, 'data');
      return Number(bytes);
    },
    async stop() {
      child.kill('SIGKILL');
      await exit;
      running.delete(child);
    },
  };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pinned } from './pinned.mjs';

/** Servers with packages of test/frameworks. */
const WITH_FRAMEWORKS = ['express', 'fastify', 'prism', 'prism-proxy'];

/** The path of the script of a server. */
export function serverScript(/** @type {string} */ name) {
  const folder = WITH_FRAMEWORKS.includes(name) ? '../../frameworks/servers' : 'servers';
  return fileURLToPath(new URL(`${folder}/${name}.mjs`, import.meta.url));
}

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
 * @returns its port; `stop`, which ends it at once; `judged`, how many exchanges it says it has judged when all are, on SIGHUP. Only on Linux: `peakMemory`, in
 *   bytes, and `cpuSeconds`; elsewhere they are `undefined`
 */
export function startServer(script, ...args) {
  return started(process.execPath, script, ...args);
}

/** The same, on a core of its own. */
export function startPinnedServer(script, ...args) {
  return started(...pinned('server', process.execPath, script, ...args));
}

/** In `/proc`, times are in hundredths of a second. */
const TICKS_PER_SECOND = 100;

async function started(command, ...argv) {
  const child = spawn(command, argv, {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Express is slower by default; to the others it makes no difference.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  running.add(child);
  const exit = once(child, 'exit');
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    exit.then(([code]) =>
      Promise.reject(new Error(`${argv.join(' ')} ended with ${code} before it listened`)),
    ),
  ]);
  child.stdout.resume();
  return {
    // A script prints its port, `plant-store-contract serve` its URL.
    port: Number(/^\d+$|(?<=127\.0\.0\.1:)\d+/m.exec(String(line))[0]),
    async judged() {
      child.kill('SIGHUP');
      const [number] = await once(child.stdout, 'data');
      return Number(number);
    },
    peakMemory() {
      if (process.platform !== 'linux') return undefined;
      const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'latin1'));
      return Number(kilobytes) * 1024;
    },
    cpuSeconds() {
      if (process.platform !== 'linux') return undefined;
      // The fields after the name, which may have spaces: the 12th and 13th are the times in user and kernel mode.
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'latin1').split(') ')[1].split(' ');
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    },
    async stop() {
      child.kill('SIGKILL');
      await exit;
      running.delete(child);
    },
  };
}

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Load } from './load.mjs';
import { pinned } from './pinned.mjs';

const CONNECTIONS = 32;
const SCRIPT = fileURLToPath(new URL('./wrk.lua', import.meta.url));
const SLICE = 500;

/** Whether wrk is installed. It needs a fifth of the CPU time of {@link Load}. */
export const HAS_WRK = spawnSync('wrk', ['--version']).error === undefined;

/**
 * Creates plants over 32 connections for some seconds, as fast as the server responds.
 *
 * @returns {Promise<number>} requests per second; rejects if a response is not 200 or a connection fails
 */
export async function requestsPerSecond(port, seconds) {
  return HAS_WRK ? await withWrk(port, seconds) : await withNode(port, seconds);
}

async function withWrk(port, seconds) {
  const [command, ...argv] = pinned(
    'generator',
    'wrk',
    '--threads=1',
    `--connections=${CONNECTIONS}`,
    `--duration=${seconds}s`,
    // Prism takes more than the usual 2 s if it gets 32 requests at once.
    '--timeout=10s',
    `--script=${SCRIPT}`,
    `http://127.0.0.1:${port}`,
  );
  const child = spawn(command, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  const [, requests, microseconds, failed] = /RESULT (\d+) (\d+) (\d+)/.exec(output)?.map(Number) ?? [];
  if (code !== 0 || failed !== 0) throw new Error(`wrk: ${output}`);
  return requests / (microseconds / 1e6);
}

/** In this process, which is not pinned. */
async function withNode(port, seconds) {
  const load = await Load.open(port, CONNECTIONS);
  let requests = 0;
  let milliseconds = 0;
  while (milliseconds < seconds * 1_000) {
    milliseconds += await load.create(SLICE);
    requests += SLICE;
  }
  load.close();
  return requests / (milliseconds / 1_000);
}

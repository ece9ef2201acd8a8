// @ts-check
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startHostileProvider } from '../hostile-provider.mjs';
import { commandOf, descendantsOf, isRunning, start } from '../processes.mjs';

const STARTED = fileURLToPath(new URL('../started-provider.mjs', import.meta.url));
const LIMIT_MS = 2_000;
const TOKEN = 'secret';
/** The latest moment of a signal. */
const LATEST_MS = 3_000;

/**
 * @typedef {object} Case
 * @property {string[]} argv
 * @property {RegExp} [begun] what a command writes when it has something to know
 */

/** @type {import('../run.mjs').Part} */
export const signals = {
  title: 'SIGINT and SIGTERM at any moment',
  count: 48,
  limit: `end within ${LIMIT_MS / 1000} s, with all processes, and say what is known`,
  seconds: 120,
  async run({ main, count, random, patience }) {
    const folder = mkdtempSync(join(tmpdir(), 'plant-store-torture-'));
    const [silent, slow] = [await listening(() => {}), await listening(answerLate)];
    const hostile = await startHostileProvider('849 KiB of unknown fields');
    const cases = casesFor(silent.url, slow.url, hostile.url, await freeUrl(), folder);
    const broken = [];
    let slowest = 0;
    try {
      for (let at = 0; at < count; at++) {
        const one = /** @type {Case} */ (cases[at % cases.length]);
        const signal = at % 2 === 0 ? 'SIGTERM' : 'SIGINT';
        const after = random() * LATEST_MS;
        const { took, problems } = await stop(main, one, signal, after, patience);
        slowest = Math.max(slowest, took);
        const what = `${signal} after ${after.toFixed(0)} ms to ${one.argv.join(' ')}`;
        broken.push(...problems.map((problem) => `${what}: ${problem}`));
      }
    } finally {
      for (const { server } of [silent, slow]) {
        server.closeAllConnections();
        server.close();
      }
      await hostile.close();
      rmSync(folder, { recursive: true, force: true });
    }
    return { worst: `${slowest.toFixed(0)} ms`, broken };
  },
};

/**
 * @param {string} main
 * @param {Case} one
 * @param {NodeJS.Signals} signal
 * @param {number} after
 * @param {number} patience
 */
async function stop(main, { argv, begun }, signal, after, patience) {
  const limitMs = LIMIT_MS * patience;
  const { child, pid, written, ended } = start(main, argv, { input: 'pipe' });
  await sleep(after);
  const below = descendantsOf(pid);
  const hasBegun = begun?.test(written.stderr) === true && child.exitCode === null;
  const sent = performance.now();
  child.kill(signal);
  await ended;
  while (below.some(isRunning) && performance.now() - sent < 2 * limitMs) await sleep(5);
  const took = performance.now() - sent;
  const problems = [];
  if (took > limitMs) problems.push(`it took ${took.toFixed(0)} ms`);
  for (const left of below.filter(isRunning)) problems.push(`a process stayed: ${commandOf(left)}`);
  if (hasBegun && written.stdout === '' && !/^stopping: /m.test(written.stderr))
    problems.push(`it said nothing: ${written.stderr}`);
  for (const left of below.filter(isRunning)) process.kill(left, 'SIGKILL');
  return { took, problems };
}

/**
 * @param {string} silent a provider that never responds
 * @param {string} slow one that responds late
 * @param {string} hostile one whose responses take long to judge
 * @param {string} free where nothing listens
 * @param {string} folder
 * @returns {Case[]}
 */
function casesFor(silent, slow, hostile, free, folder) {
  const token = ['--token', TOKEN];
  const checking = /^checking .*\n/;
  const start = ['--start', `"${process.execPath}" "${STARTED}" ${new URL(free).port}`];
  const har = join(folder, 'traffic.har');
  writeFileSync(
    har,
    `{"log":{"entries":[${'{"request":{"method":"POST","url":"http://store/plants"}},'.repeat(2e5)}{}]}}`,
  );
  return [
    { argv: ['check', silent, ...token], begun: checking },
    { argv: ['check', slow, ...token], begun: checking },
    { argv: ['check', hostile, ...token], begun: checking },
    { argv: ['check', slow, ...token, '--explore'], begun: checking },
    { argv: ['verify', silent, ...token] },
    { argv: ['verify', slow, ...token] },
    { argv: ['check', free, ...token, ...start], begun: checking },
    { argv: ['verify', free, ...token, ...start] },
    { argv: ['proxy', '--upstream', silent], begun: /^forwarding .*\n/ },
    { argv: ['serve', ...token] },
    { argv: ['validate', 'request', '-'] },
    { argv: ['validate', 'request', har] },
    { argv: ['audit', folder] },
    { argv: ['demo'], begun: checking },
  ];
}

/** @type {import('node:http').RequestListener} */
function answerLate(request, response) {
  request.resume().on('end', () =>
    setTimeout(() => {
      response.setHeader('content-type', 'application/json');
      response.end('{"name":"Aloe"}');
    }, 300),
  );
}

/** @param {import('node:http').RequestListener} handler */
async function listening(handler) {
  const server = createServer(handler);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { server, url: `http://127.0.0.1:${port}` };
}

/** A URL at which nothing listens. */
async function freeUrl() {
  const { server, url } = await listening(() => {});
  await new Promise((resolve) => server.close(resolve));
  return url;
}

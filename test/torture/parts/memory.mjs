// @ts-check
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { descendantsOf, peakMemory, start } from '../processes.mjs';

const TOKEN = 'a-token-of-the-torture';
const MB = 1024 * 1024;

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {(url: string) => string[]} argv
 * @property {import('node:http').RequestListener} [provider]
 * @property {number} limit in MB
 * @property {number} seconds
 */

const unknownFields = (/** @type {number} */ bytes) =>
  JSON.stringify({
    name: 'Aloe',
    ...Object.fromEntries(Array.from({ length: bytes / 20 }, (_, at) => [`unknown-${at}`, at])),
  });

/**
 * A provider that gives the same response to everything.
 *
 * @param {string | Buffer} body
 * @param {Record<string, string>} [headers]
 * @returns {import('node:http').RequestListener}
 */
const says =
  (body, headers = {}) =>
  (request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);
    });
  };

/** @type {import('node:http').RequestListener} */
const endless = (request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(MB, ' ')));
  };
  response.on('drain', more).on('error', () => {});
  more();
};

const bomb = gzipSync(Buffer.alloc(400 * MB, ' '));
const check = (/** @type {string} */ url) => ['check', url, '--token', TOKEN];
const verify = (/** @type {string} */ url) => ['verify', url, '--token', TOKEN];

/** @type {Case[]} */
const CASES = [
  { name: 'verify, endless body', argv: verify, provider: endless, limit: 400, seconds: 60 },
  {
    name: 'check, 849 KiB of unknown fields',
    argv: check,
    provider: says(unknownFields(849 * 1024)),
    limit: 300,
    seconds: 45,
  },
  {
    name: 'verify, gzip bomb',
    argv: verify,
    provider: says(bomb, { 'content-encoding': 'gzip' }),
    limit: 400,
    seconds: 60,
  },
  { name: 'check, endless body', argv: check, provider: endless, limit: 300, seconds: 45 },
  {
    name: 'check, gzip bomb',
    argv: check,
    provider: says(bomb, { 'content-encoding': 'gzip' }),
    limit: 300,
    seconds: 45,
  },
  {
    name: 'check, 400,000 levels of JSON',
    argv: check,
    provider: says('['.repeat(4e5)),
    limit: 300,
    seconds: 45,
  },
  {
    name: 'verify, 50 MiB',
    argv: verify,
    provider: says(`"${'x'.repeat(50 * MB)}"`),
    limit: 400,
    seconds: 60,
  },
]; // prettier-ignore

/** @type {import('../run.mjs').Part} */
export const memory = {
  title: 'the memory of a process, against a hostile provider',
  count: CASES.length,
  limit: 'check 300 MB in 45 s, verify 400 MB in 60 s',
  seconds: 150,
  async run({ main, count }) {
    const broken = [];
    const worst = [];
    for (const { name, argv, provider, limit, seconds } of CASES.slice(0, count)) {
      const server = createServer(provider);
      await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      const { megabytes, took, status } = await measured(main, argv(`http://127.0.0.1:${port}`), 2 * seconds);
      server.closeAllConnections();
      server.close();
      worst.push(megabytes / limit);
      if (megabytes > limit) broken.push(`${name}: ${megabytes.toFixed(0)} MB`);
      if (took > seconds) broken.push(`${name}: ${took.toFixed(0)} s`);
      if (status !== 1 && status !== 2) broken.push(`${name}: status ${status}`);
    }
    return { worst: `${(100 * Math.max(...worst)).toFixed(0)} % of a limit`, broken };
  },
};

/**
 * Runs a command, and measures its largest process.
 *
 * @param {string} main
 * @param {string[]} argv
 * @param {number} mostSeconds
 */
async function measured(main, argv, mostSeconds) {
  const begin = performance.now();
  const { child, pid, ended } = start(main, argv);
  let megabytes = 0;
  let isOver = false;
  const over = ended.then((result) => {
    isOver = true;
    return result;
  });
  while (!isOver) {
    for (const one of [pid, ...descendantsOf(pid)]) megabytes = Math.max(megabytes, peakMemory(one));
    if (performance.now() - begin > mostSeconds * 1000) child.kill('SIGKILL');
    await Promise.race([over, sleep(25)]);
  }
  const { status } = await over;
  return { megabytes, took: (performance.now() - begin) / 1000, status };
}

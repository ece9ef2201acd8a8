// @ts-check
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { descendantsOf, peakMemory, start, urlIn } from '../processes.mjs';

const TOKEN = 'a-token-of-the-torture';
const MB = 1024 * 1024;

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {(given: { url: string, folder: string }) => string[]} argv
 * @property {import('node:http').RequestListener} [provider]
 * @property {(running: Running) => Promise<void>} [drive] what happens while the command runs
 * @property {number} limit in MB
 * @property {number} seconds
 *
 * @typedef {ReturnType<typeof start>} Running
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

/**
 * A HAR file of 300 MB, with large and small entries.
 *
 * @param {string} folder
 */
function largeHar(folder) {
  const file = join(folder, 'large.har');
  const entry = (/** @type {number} */ bytes) => {
    const plant = JSON.stringify({ id: 1, name: 'Aloe', unknown: 'x'.repeat(bytes) });
    const content = { mimeType: 'application/json', text: plant };
    const request = {
      method: 'POST',
      url: 'http://store/plants',
      httpVersion: 'HTTP/1.1',
      headers: [],
      postData: content,
    };
    return JSON.stringify({ request, response: { status: 200, statusText: 'OK', headers: [], content } });
  };
  const part = Buffer.from(`${[1_000_000, 10_000, ...Array(100).fill(10)].map(entry).join(',')},`);
  const out = openSync(file, 'w');
  writeSync(out, '{"log":{"entries":[');
  for (let written = 0; written < 300 * MB; written += part.length) writeSync(out, part);
  writeSync(out, `${entry(1)}]}}`);
  closeSync(out);
  return file;
}

/**
 * Writes to standard input until the command ends.
 *
 * @param {Running} running
 */
async function endlessInput({ child, ended }) {
  const input = /** @type {import('node:stream').Writable} */ (child.stdin);
  const more = Buffer.alloc(MB, '[');
  const write = () => {
    while (input.writable && input.write(more));
  };
  input.on('drain', write).on('error', () => {});
  write();
  await ended;
}

/**
 * Sends creations through the proxy, and then ends it.
 *
 * @param {Running} running
 */
async function traffic(running) {
  const url = await urlIn(running);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };
  for (let id = 1; id <= 10; id++) {
    const body = JSON.stringify({ id, name: 'Aloe' });
    const response = await fetch(`${url}/plants`, { method: 'POST', headers, body });
    await response.arrayBuffer();
  }
  running.child.kill('SIGINT');
}

const bomb = gzipSync(Buffer.alloc(400 * MB, ' '));
/** @type {Case['argv']} */
const check = ({ url }) => ['check', url, '--token', TOKEN];
/** @type {Case['argv']} */
const verify = ({ url }) => ['verify', url, '--token', TOKEN];

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
  {
    name: 'validate, a HAR file of 300 MB',
    argv: ({ folder }) => ['validate', 'response', largeHar(folder)],
    limit: 1_000,
    seconds: 10,
  },
  {
    name: 'validate, endless standard input',
    argv: () => ['validate', 'response', '-'],
    drive: endlessInput,
    limit: 1_000,
    seconds: 10,
  },
  {
    name: 'proxy, 10 responses with 849 KiB of unknown fields',
    argv: ({ url }) => ['proxy', '--upstream', url],
    provider: says(unknownFields(849 * 1024)),
    drive: traffic,
    limit: 400,
    seconds: 20,
  },
];

/** @type {import('../run.mjs').Part} */
export const memory = {
  title: 'the memory of a process, against hostile providers and files',
  count: CASES.length,
  limit: 'check 300 MB in 45 s, verify 400 MB in 60 s, saved messages 1 GB in 10 s',
  seconds: 150,
  async run({ main, count }) {
    const folder = mkdtempSync(join(tmpdir(), 'plant-store-torture-'));
    const broken = [];
    const worst = [];
    try {
      for (const { name, argv, provider = endless, drive, limit, seconds } of CASES.slice(0, count)) {
        const server = createServer(provider);
        await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
        const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
        const args = argv({ url: `http://127.0.0.1:${port}`, folder });
        const { megabytes, took, status } = await measured(main, args, { drive, mostSeconds: 2 * seconds });
        server.closeAllConnections();
        server.close();
        worst.push(megabytes / limit);
        if (megabytes > limit) broken.push(`${name}: ${megabytes.toFixed(0)} MB`);
        if (took > seconds) broken.push(`${name}: ${took.toFixed(0)} s`);
        if (status !== 1 && status !== 2) broken.push(`${name}: status ${status}`);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    return { worst: `${(100 * Math.max(...worst)).toFixed(0)} % of a limit`, broken };
  },
};

/**
 * Runs a command, and measures its largest process.
 *
 * @param {string} main
 * @param {string[]} argv
 * @param {{ drive: Case['drive'], mostSeconds: number }} how
 */
async function measured(main, argv, { drive, mostSeconds }) {
  const begin = performance.now();
  const running = start(main, argv, { input: 'pipe' });
  const { child, pid, ended } = running;
  if (drive === undefined) child.stdin?.end();
  const driven = drive?.(running);
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
  await driven;
  return { megabytes, took: (performance.now() - begin) / 1000, status };
}

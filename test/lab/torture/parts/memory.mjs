// @ts-check
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ATTACK_NAMES, startHostileProvider } from '../hostile-provider.mjs';
import { descendantsOf, peakMemory, start, urlIn } from '../processes.mjs';

const TOKEN = 'secret';
const MB = 1024 * 1024;

/**
 * @typedef {ReturnType<typeof start>} Running
 * @typedef {import('../hostile-provider.mjs').AttackName} AttackName
 *
 * @typedef {object} Reader what reads something hostile, as a process
 * @property {(given: { url: string, folder: string }) => string[]} argv
 * @property {(running: Running) => Promise<void>} [drive] what happens while it runs
 * @property {RegExp} [says] what it says at its end
 * @property {number} limit in MB
 * @property {number} seconds
 */

/**
 * A HAR file of 60 MB, with a body of each size again and again.
 *
 * @param {string} folder
 * @param {readonly number[]} sizes
 */
function largeHar(folder, sizes) {
  const file = join(folder, `${sizes.length}.har`);
  const entry = (/** @type {number} */ bytes) => {
    const plant = JSON.stringify({ id: 1, name: 'Aloe', unknown: 'x'.repeat(bytes) });
    const request = { method: 'POST', url: 'http://store/plants', headers: [] };
    return JSON.stringify({ request, response: { status: 200, headers: [], content: { text: plant } } });
  };
  const part = Buffer.from(`${sizes.map(entry).join(',')},`);
  const out = openSync(file, 'w');
  writeSync(out, '{"log":{"entries":[');
  for (let written = 0; written < 60 * MB; written += part.length) writeSync(out, part);
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

/** @satisfies {Record<string, Reader>} */
const READERS = {
  'check of all rules': { argv: ({ url }) => ['check', url, '--token', TOKEN], limit: 300, seconds: 45 },
  // A few rules take a tenth of the time.
  check: {
    argv: ({ url }) => [
      'check',
      url,
      '--token',
      TOKEN,
      '--only',
      'request/name-is-required,success/tag-is-optional',
    ],
    limit: 300,
    seconds: 45,
  },
  verify: { argv: ({ url }) => ['verify', url, '--token', TOKEN], limit: 400, seconds: 60 },
  proxy: { argv: ({ url }) => ['proxy', '--upstream', url], drive: traffic, limit: 400, seconds: 20 },
  'validate a HAR file with large and small responses': {
    argv: ({ folder }) => [
      'validate',
      'response',
      largeHar(folder, [1_000_000, 10_000, ...Array(100).fill(10)]),
    ],
    limit: 450,
    seconds: 10,
  },
  'validate endless standard input': {
    argv: () => ['validate', 'response', '-'],
    drive: endlessInput,
    says: /^plant-store-contract: standard input cannot be read: it is longer than the limit of 67108864 bytes$/m,
    limit: 250,
    seconds: 10,
  },
};

/** @typedef {{ reader: keyof typeof READERS, attack?: AttackName, says?: RegExp }} Case */

const whole = /does not conform/;

/** A small part of an attack has the first of them, which fill memory in different ways. @type {Case[]} */
const CASES = [
  { reader: 'check of all rules', attack: 'a number of 900,000 digits', says: whole },
  { reader: 'check', attack: '849 KiB of unknown fields', says: whole },
  { reader: 'check', attack: 'gzip of 1.9 MB of fields', says: whole },
  { reader: 'validate endless standard input' },
  { reader: 'validate a HAR file with large and small responses' },
  { reader: 'check of all rules', attack: '1,900 header fields', says: whole },
  { reader: 'check of all rules', attack: 'a message of 1.8 MB', says: whole },
  { reader: 'check', attack: 'JSON that is 400,000 levels deep', says: whole },
  { reader: 'check', attack: 'one key of 1 MB, and one key 150,000 times', says: whole },
  { reader: 'proxy', attack: '849 KiB of unknown fields' },
  { reader: 'verify', attack: 'an endless body' },
  { reader: 'verify', attack: 'gzip that decodes to 1 GiB' },
];
for (const attack of ATTACK_NAMES)
  if (!CASES.some((one) => one.reader === 'check' && one.attack === attack))
    CASES.push({ reader: 'check', attack });

/** @type {import('../run.mjs').Part} */
export const memory = {
  title: 'the memory of a process, against hostile providers and files',
  count: CASES.length,
  limit: 'check 300 MB in 45 s, verify 400 MB in 60 s, saved messages 300 MB in 20 s',
  seconds: 150,
  async run({ main, count, patience }) {
    const folder = mkdtempSync(join(tmpdir(), 'plant-store-torture-'));
    const broken = [];
    const worst = [];
    try {
      for (const one of CASES.slice(0, count)) {
        /** @type {Reader} */
        const reader = READERS[one.reader];
        const { argv, drive, limit, seconds, says = one.says } = reader;
        const provider = await startHostileProvider(one.attack ?? 'an endless body');
        const args = argv({ url: provider.url, folder });
        const measuring = { drive, mostSeconds: 2 * seconds * patience };
        const { megabytes, took, status, output } = await measured(main, args, measuring);
        await provider.close();
        worst.push(megabytes / limit);
        const what = one.attack === undefined ? one.reader : `${one.reader}, ${one.attack}`;
        if (megabytes > limit) broken.push(`${what}: ${megabytes.toFixed(0)} MB`);
        if (took > seconds * patience) broken.push(`${what}: ${took.toFixed(0)} s`);
        if (status !== 1 && status !== 2) broken.push(`${what}: status ${status}`);
        if (says?.test(output) === false) broken.push(`${what}: it does not say ${says}`);
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
 * @param {{ drive: Reader['drive'], mostSeconds: number }} how
 */
async function measured(main, argv, { drive, mostSeconds }) {
  const begin = performance.now();
  const running = start(main, argv, { input: 'pipe' });
  const { child, pid, ended, written } = running;
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
  const output = written.stdout + written.stderr;
  return { megabytes, took: (performance.now() - begin) / 1000, status, output };
}

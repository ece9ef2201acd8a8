// @ts-check
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { peakMemory, start, urlIn } from '../processes.mjs';

const TOKEN = 'a-token-of-the-torture';
const LIMIT_MB = 300;
/**
 * Node makes all requests of 64 KiB before a server sees the first one: 3,000 of the shortest on each connection, and the proxy cannot
 * stop that. So many connections at once take 230 to 360 MB.
 */
const MANY_LIMIT_MB = 400;
const SERVED_MS = 5_000;
const STOPPED_MS = 2_000;
const BODY = '{"name":"Aloe","id":7}';
const HEAD = `POST /plants HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`;
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;
const CREATION = `${HEAD}Content-Length: ${BODY.length}\r\n\r\n${BODY}`;
const SHORT_FIELDS = 'a:b\r\n'.repeat(50_000);

/**
 * @typedef {object} Flood
 * @property {string} what
 * @property {'serve' | 'proxy'} whom
 * @property {number} connections
 * @property {number} [limitMb] if it is not the usual one
 * @property {string} [once] what each connection sends at first
 * @property {string} [forever] what it sends then, without an end
 */

/** @type {readonly Flood[]} */
const FLOODS = [
  { whom: 'proxy', what: 'requests without an end', connections: 1, forever: 'GET /x HTTP/1.1\r\n\r\n' },
  { whom: 'proxy', what: 'creations without an end', connections: 1, forever: CREATION },
  {
    whom: 'proxy',
    what: 'bodies that do not end',
    connections: 100,
    once: `${HEAD}Content-Length: 3000000\r\n\r\n${'x'.repeat(2_000_000)}`,
  },
  { whom: 'serve', what: 'creations without an end', connections: 1, forever: CREATION },
  { whom: 'serve', what: 'chunks of a byte', connections: 1, once: CHUNKED, forever: '1\r\nx\r\n' },
  {
    whom: 'proxy',
    what: 'heads of short fields',
    connections: 100,
    once: `GET /x HTTP/1.1\r\n${SHORT_FIELDS}\r\n`,
  },
  {
    whom: 'proxy',
    what: 'requests without an end',
    connections: 30,
    limitMb: MANY_LIMIT_MB,
    forever: 'GET /x HTTP/1.1\r\n\r\n',
  },
];
/** How long a flood lasts. */
const FLOOD_MS = 3_000;

/** @type {import('../run.mjs').Part} */
export const floods = {
  title: 'clients that send without an end, and read nothing',
  count: FLOODS.length,
  limit: `below ${LIMIT_MB} MB (${MANY_LIMIT_MB} MB on 30 connections), others are served, and a signal ends it with a report within ${STOPPED_MS / 1000} s`,
  seconds: 60,
  async run({ main, count, patience }) {
    const broken = [];
    let most = 0;
    for (const flood of FLOODS.slice(0, count)) {
      const serve = start(main, ['serve', '--token', TOKEN, '--log', 'silent']);
      const upstream = await urlIn(serve);
      const proxy = start(main, ['proxy', '--upstream', upstream]);
      const attacked = flood.whom === 'proxy' ? proxy : serve;
      const url = await urlIn(attacked);
      const stop = begin(flood, Number(new URL(url).port));
      await sleep(FLOOD_MS);
      const problems = [];
      if (!(await isServed(url, SERVED_MS * patience))) problems.push('another client is not served');
      const memory = peakMemory(attacked.pid);
      most = Math.max(most, memory);
      if (memory > (flood.limitMb ?? LIMIT_MB)) problems.push(`${memory.toFixed(0)} MB`);
      const sent = performance.now();
      attacked.child.kill('SIGTERM');
      await attacked.ended;
      const took = performance.now() - sent;
      if (took > STOPPED_MS * patience) problems.push(`it took ${took.toFixed(0)} ms to end`);
      if (attacked === proxy && !proxy.written.stdout.includes('violations in responses'))
        problems.push(`no report: ${proxy.written.stderr.slice(-200)}`);
      stop();
      for (const { child, ended } of [proxy, serve]) {
        child.kill('SIGTERM');
        await ended;
      }
      const what = `${flood.whom}, ${flood.what} on ${flood.connections} connections`;
      broken.push(...problems.map((problem) => `${what}: ${problem}`));
    }
    return { worst: `${most.toFixed(0)} MB`, broken };
  },
};

/**
 * Begins a flood. It returns how to end it.
 *
 * @param {Flood} flood
 * @param {number} port
 */
function begin({ connections, once = '', forever = '' }, port) {
  const more = Buffer.from(forever.repeat(Math.ceil(65_536 / Math.max(1, forever.length))));
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(port, '127.0.0.1').pause();
    const go = () => {
      while (more.length > 0 && !socket.destroyed && socket.write(more));
    };
    socket.on('error', () => {}).on('drain', go);
    socket.write(once);
    go();
    return socket;
  });
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

let id = 1_000;

/**
 * Whether a plain creation gets its response in time.
 *
 * @param {string} url
 * @param {number} limitMs
 */
async function isServed(url, limitMs) {
  const response = await fetch(`${url}/plants`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Aloe', id: id++ }),
    signal: AbortSignal.timeout(limitMs),
  }).catch(() => undefined);
  return response?.status === 200;
}

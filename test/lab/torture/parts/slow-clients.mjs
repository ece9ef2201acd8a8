// @ts-check
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { peakMemory, start, urlIn } from '../processes.mjs';

const TOKEN = 'a-token-of-the-torture';
const LIMIT_MS = 5_000;
const LIMIT_MB = 300;
const BODY = '{"name":"Aloe","id":7}';
/** Where clients stop: in the request line, a field, before the body, in it, and in a chunk. */
const BEGINNINGS = [
  'PO',
  'POST /plants HTTP/1.1\r\nHost: store\r\nAuthoriz',
  `POST /plants HTTP/1.1\r\nHost: store\r\nContent-Length: ${BODY.length}\r\n\r\n`,
  `POST /plants HTTP/1.1\r\nHost: store\r\nContent-Length: ${BODY.length}\r\n\r\n{"name":`,
  'POST /plants HTTP/1.1\r\nHost: store\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{',
];

/** @type {import('../run.mjs').Part} */
export const slowClients = {
  title: 'clients that are slow, stop halfway, or do not read',
  count: 600,
  limit: `others are served within ${LIMIT_MS / 1000} s, below ${LIMIT_MB} MB`,
  seconds: 60,
  async run({ main, count, patience }) {
    const limitMs = LIMIT_MS * patience;
    const serve = start(main, ['serve', '--token', TOKEN, '--log', 'silent']);
    const upstream = await urlIn(serve);
    const proxy = start(main, ['proxy', '--upstream', upstream]);
    const broken = [];
    let slowest = 0;
    try {
      for (const [name, process, url] of /** @type {const} */ ([
        ['serve', serve, upstream],
        ['proxy', proxy, await urlIn(proxy)],
      ])) {
        const port = Number(new URL(url).port);
        const clients = Array.from({ length: Math.ceil(count / 2) }, (_, at) => slowClient(port, at));
        for (let id = 1; id <= 20; id++) {
          const took = await creation(url, id + port * 100);
          slowest = Math.max(slowest, took);
          if (took > limitMs) broken.push(`${name}: a creation took ${took.toFixed(0)} ms`);
          await sleep(50);
        }
        for (const close of clients) close();
        const took = await creation(url, port * 100);
        if (took > limitMs) broken.push(`${name}: after all had gone, a creation took ${took.toFixed(0)} ms`);
        const memory = peakMemory(process.pid);
        if (memory > LIMIT_MB) broken.push(`${name}: ${memory.toFixed(0)} MB`);
      }
    } finally {
      for (const { child, ended } of [proxy, serve]) {
        child.kill('SIGTERM');
        await ended;
      }
    }
    return { worst: `${slowest.toFixed(0)} ms`, broken };
  },
};

/**
 * A client of one of three kinds. It returns how to end it.
 *
 * @param {number} port
 * @param {number} at
 */
function slowClient(port, at) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const beginning = BEGINNINGS[at % BEGINNINGS.length] ?? '';
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  if (at % 3 === 0) socket.write(beginning);
  else if (at % 3 === 1) {
    let sent = 0;
    timer = setInterval(() => socket.write(beginning[sent++ % beginning.length] ?? ''), 50);
  } else {
    // It sends requests, and never reads a response.
    socket.pause();
    socket.write('GET /nothing HTTP/1.1\r\nHost: store\r\n\r\n'.repeat(50));
  }
  return () => {
    clearInterval(timer);
    socket.destroy();
  };
}

/**
 * How long a plain creation takes, in milliseconds.
 *
 * @param {string} url
 * @param {number} id
 */
async function creation(url, id) {
  const begun = performance.now();
  const response = await fetch(`${url}/plants`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Aloe', id }),
    signal: AbortSignal.timeout(20_000),
  }).catch((/** @type {Error} */ cause) => cause);
  if (!(response instanceof Response) || response.status !== 200) return Number.POSITIVE_INFINITY;
  return performance.now() - begun;
}

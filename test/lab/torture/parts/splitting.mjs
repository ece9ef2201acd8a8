// @ts-check
import { createServer } from 'node:net';
import { exchange } from '../../../proxy/framing/client.mjs';
import { RESPONSES } from '../../../proxy/framing/responses.mjs';
import { responsesIn } from '../../../proxy/framing/strict-http.mjs';
import { attackProxy } from '../attack-proxy.mjs';
import { damaged } from '../damage.mjs';

const FIRST = 'POST /plants HTTP/1.1\r\nHost: store\r\nContent-Length: 2\r\n\r\n{}';
const FOLLOWING = 'GET /following HTTP/1.1\r\nHost: store\r\nConnection: close\r\n\r\n';
const SECOND = 'HTTP/1.1 418 Second\r\nContent-Length: 0\r\n\r\n';
/** A client waits so long for a proxy that waits for more. */
const HANGS_MS = 300;

/** @type {import('../run.mjs').Part} */
export const splitting = {
  title: 'responses with tricks in their framing, damaged',
  count: 1_000,
  limit: 'the client gets at most one response for each request, and the right one',
  seconds: 20,
  async run({ dist, count, random }) {
    /** @type {string[]} */
    const broken = [];
    let most = 0;
    await attackProxy({ dist, count }, startSplitter, async (port, upstream) => {
      const trick = RESPONSES[Math.floor(random() * RESPONSES.length)];
      upstream.bytes = damaged(trick?.bytes ?? '', random);
      const { received } = await exchange(port, FIRST + FOLLOWING, HANGS_MS);
      try {
        // An interim response is none of its own.
        const final = responsesIn(received, true).filter(({ status }) => status >= 200);
        most = Math.max(most, final.length);
        const second = final.findIndex(({ status }) => status === 418);
        if (final.length > 2 || (second >= 0 && second < final.length - 1))
          throw new Error(`the statuses ${final.map(({ status }) => status).join(', ')}`);
      } catch (problem) {
        broken.push(`${/** @type {Error} */ (problem).message}: ${JSON.stringify(upstream.bytes)}`);
      }
      return true;
    });
    return { worst: `${most} responses at most to two requests`, broken };
  },
};

/** An upstream that responds to the first request with any bytes. */
async function startSplitter() {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (chunk) => {
      socket.end(chunk.toString('latin1').includes('/following') ? SECOND : splitter.bytes, 'latin1');
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const splitter = { url: `http://127.0.0.1:${port}`, bytes: '', close: () => server.close() };
  return splitter;
}

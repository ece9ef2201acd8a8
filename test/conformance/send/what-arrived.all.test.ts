import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { checkConformance } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { brokenIn, evidenceOf } from '../checks.js';
import { startInFront } from '../providers/in-front.js';

const token = 'token-of-these-tests';
const only = ['success/body-comes-whole', 'success/tag-is-optional'];

/**
 * A provider on a kept connection that announces more bytes than it sends.
 *
 * @param more how many bytes more
 */
async function startLying(more: number, thenEnds: boolean) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let text = '';
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.POSITIVE_INFINITY);
      const end = text.indexOf('\r\n\r\n') + 4;
      if (end < 4 || text.length < end + length) return;
      const name = /"name":"(\w+)"/.exec(text)?.[1] ?? 'Aloe';
      text = '';
      const body = JSON.stringify({ name });
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length + more}\r\n\r\n${body}`,
      );
      if (thenEnds) socket.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe('a response that arrived in part is judged', { concurrent: true }, () => {
  test.each([
    ['stalls', false, /^nothing more came after \d+ bytes of the body$/],
    ['is cut short', true, /^the connection ended after \d+ bytes of the body$/],
  ])('if its body %s on a kept connection', async (_what, thenEnds, actual) => {
    await using provider = await startLying(1, thenEnds);
    const report = await checkConformance({
      ...{ baseUrl: provider.url, token, prism: false, only, timeoutMs: 1_000, timeLimitMs: 20_000 },
    });
    expect(brokenIn(report)).toContain('success/body-comes-whole');
    expect(evidenceOf(report, 'success/body-comes-whole')[0]?.actual).toMatch(actual);
  });

  test('if it is a 101 without a request for another protocol', async () => {
    await using provider = await startInFront({ token }, ({ body, request, pass }) => {
      if (!body.includes('"name":"true"')) return pass();
      request.socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n');
    });
    const report = await checkConformance({
      ...{ baseUrl: provider.url, token, prism: false, only: ['success'] },
    });
    expect(brokenIn(report)).not.toEqual([]);
    expect(report.exchanges.filter(({ response }) => response?.status === 101)).not.toEqual([]);
  });
});

describe('concurrent plants', () => {
  const rule = 'state/concurrent-plants-are-accepted';
  const check = (url: string, options = {}) =>
    checkConformance({ ...{ baseUrl: url, token, prism: false, only: [rule] }, ...options });

  test('break the rule with a 5xx', async () => {
    let underWay = 0;
    await using provider = await startInFront({ token }, async ({ response, pass }) => {
      const isBeside = ++underWay > 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (isBeside) response.writeHead(500).end();
      else await pass();
      underWay--;
    });
    const report = await check(provider.url);
    expect(brokenIn(report)).toEqual([rule]);
    expect(evidenceOf(report, rule)[0]?.actual).toMatch(/^500 /);
  });

  test('pass only if requests overlapped', async () => {
    await using provider = await startInFront({ token }, ({ pass }) => pass());
    expect((await check(provider.url)).rules[0]?.verdict).toBe('pass');
    // Five at once are more than a second may have at this rate.
    const slow = await check(provider.url, { rate: 5, timeLimitMs: 60_000 });
    expect(slow.conclusion).toBe('conforms');
  });
});

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ok, type Routes } from '../../../src/server/control/control-request.js';
import { startControl } from '../../../src/server/control/start-control.js';

const MIB = 2 ** 20;
const LARGE = Buffer.alloc(70 * MIB, ' ');

const routes: Routes = {
  '/length': { POST: ({ body }) => ok({ length: body.length }) },
  '/large': { GET: () => ({ status: 200, file: { type: 'text/plain', bytes: LARGE } }) },
};

async function controlled() {
  const control = await startControl(routes, { port: 0 });
  onTestFinished(() => control.close());
  const client = (request: string): Socket => {
    const socket = connect(control.port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    socket.write(request);
    return socket;
  };
  return { control, client };
}

const posting = (length: number): string =>
  `POST /length HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

test('of all bodies that do not end, the longest is not kept, and the others are', async () => {
  const { control, client } = await controlled();
  const [longest, other] = [client(posting(16 * MIB)), client(posting(12 * MIB))];
  longest.write(Buffer.alloc(12 * MIB));
  other.write(Buffer.alloc(11 * MIB));
  const last = client(posting(11 * MIB));
  last.write(Buffer.alloc(10 * MIB));
  const [response] = await once(longest, 'data');
  expect(String(response)).toMatch(/^HTTP\/1\.1 503 .*too many large bodies are being received/s);
  for (const [socket, length] of [
    [other, 12],
    [last, 11],
  ] as const) {
    socket.write(Buffer.alloc(MIB));
    expect(String((await once(socket, 'data'))[0])).toContain(`{"length":${length * MIB}}`);
  }
  // What was received does not count any more.
  for (const length of [...Array<number>(32).fill(1), 2]) {
    const headers = { 'content-type': 'application/json' };
    const body = Buffer.alloc(length * MIB);
    const { status } = await fetch(`${control.url}/length`, { method: 'POST', headers, body });
    expect(status).toBe(200);
  }
});

test('a body in chunks of a byte takes the memory of its bytes', async () => {
  const { client } = await controlled();
  const before = process.memoryUsage();
  const socket = client(posting(0).replace('Content-Length: 0', 'Transfer-Encoding: chunked'));
  socket.write('1\r\n{\r\n'.repeat(500_000), () => socket.end('0\r\n\r\n'));
  expect(String((await once(socket, 'data'))[0])).toContain('{"length":500000}');
  expect(process.memoryUsage().arrayBuffers - before.arrayBuffers).toBeLessThan(30 * MIB);
});

test('of all responses that are not read, the longest is given up, and one alone may be of any length', async () => {
  const { control, client } = await controlled();
  expect((await (await fetch(`${control.url}/large`)).arrayBuffer()).byteLength).toBe(LARGE.length);
  const get = 'GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n';
  const clients = [client(get), client(get)];
  for (const socket of clients) await once(socket.pause(), 'readable');
  const received = clients.map(async (socket) => {
    let length = 0;
    socket.on('data', (chunk) => {
      length += chunk.length;
    });
    await once(socket, 'close');
    return length > LARGE.length;
  });
  expect((await Promise.all(received)).sort()).toEqual([false, true]);
});

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { type JudgedExchange, startProxy } from 'plant-store-contract/proxy';
import { expect, onTestFinished, test } from 'vitest';

// Providers that respond before they have read a body, and clients that read only after they have sent everything.

const BODY = '{"error":1,"message":"too large"}';

function head(...fields: string[]): string {
  const all = ['Content-Type: application/json', `Content-Length: ${BODY.length}`, ...fields];
  return ['HTTP/1.1 413 Too Large', ...all, '', ''].join('\r\n');
}

/** A raw provider that responds after the head of a request, and reads and ignores the rest. */
function atHead(respond: (socket: Socket) => void): Server {
  return createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => respond(socket));
    socket.resume();
  });
}

const PROVIDERS: Readonly<Record<string, () => Server>> = {
  'says that it closes, and reads on for a while, as nginx does': () =>
    atHead((socket) => {
      socket.write(head('Connection: close') + BODY);
      setTimeout(() => socket.end(), 300);
    }),
  'closes its side at once, and reads on': () =>
    createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(head('Connection: close') + BODY));
      socket.resume();
    }),
};

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Sends a plant with a long name, and reads nothing before all of it is sent. */
async function upload(port: number, bytes: number, ...fields: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1').pause();
  let failure = '';
  socket.on('error', ({ message }) => {
    failure = message;
  });
  const body = JSON.stringify({ name: 'x'.repeat(bytes), id: 7 });
  const all = ['Host: store', 'Authorization: Bearer secret', 'Content-Type: application/json', ...fields];
  socket.write(['POST /plants HTTP/1.1', ...all, `Content-Length: ${body.length}`, '', ''].join('\r\n'));
  await once(socket, 'connect');
  for (let at = 0; at < body.length && !socket.destroyed; at += 65_536) {
    if (socket.write(body.slice(at, at + 65_536))) await new Promise((resolve) => setImmediate(resolve));
    else await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {});
  }
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString();
    if (received.includes(BODY)) socket.end();
  });
  socket.resume();
  if (!socket.destroyed) await once(socket, 'close').catch(() => {});
  return received || failure;
}

test.for(Object.entries(PROVIDERS))('a provider that %s: the response arrives', async ([, start]) => {
  const port = await portOf(start());
  await using proxy = await startProxy({ upstream: `http://127.0.0.1:${port}` });
  for (const bytes of [100_000, 8_000_000])
    for (const fields of [[], ['Connection: close']])
      expect(await upload(proxy.port, bytes, ...fields)).toMatch(/^HTTP\/1\.1 413 Too Large\r\n/);
  const report = await proxy.close();
  // Whether all of a request arrived depends on the provider. That is no violation.
  expect(report).toMatchObject({ traffic: { exchanges: 4, withoutResponse: 0, judgedResponses: 4 } });
  expect(report.violationKinds).toEqual([]);
});

test('a request with an early response is judged once all of it has come', async () => {
  const port = await portOf(atHead((socket) => void socket.write(head() + BODY)));
  const judged: JudgedExchange[] = [];
  await using proxy = await startProxy({
    upstream: `http://127.0.0.1:${port}`,
    failOn: 'both',
    onJudged: (one) => void judged.push(one),
  });
  await upload(proxy.port, 1_500_000);
  expect(await proxy.close()).toMatchObject({
    conclusion: 'conforms',
    traffic: { judgedRequests: 1, judgedResponses: 1 },
  });
  expect(judged[0]?.exchange.request).toMatchObject({ complete: true, bodyLength: 1_500_018 });
});

test('a client that stops sending after an early response is no violation', async () => {
  const port = await portOf(atHead((socket) => void socket.write(head() + BODY)));
  const judged: JudgedExchange[] = [];
  await using proxy = await startProxy({
    upstream: `http://127.0.0.1:${port}`,
    failOn: 'both',
    onJudged: (one) => void judged.push(one),
  });
  const socket = connect(proxy.port, '127.0.0.1');
  socket.write('POST /plants HTTP/1.1\r\nHost: store\r\nContent-Length: 999\r\n\r\n{"na');
  await once(socket, 'data');
  socket.destroy();
  await expect.poll(() => judged.length).toBe(1);
  expect(judged[0]).toMatchObject({
    violations: [],
    sides: ['response'],
    notes: ['the request was not judged: it is incomplete after 4 bytes of its body'],
  });
});

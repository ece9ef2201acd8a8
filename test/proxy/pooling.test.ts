import { createServer, type Socket } from 'node:net';
import { startProxy } from 'plant-store-contract/proxy';
import { expect, onTestFinished, test } from 'vitest';

// A client that keeps its connections loses no request, whatever the upstream does with its own.

const BODY = '{"name":"Aloe"}';
const JSON_TYPE = 'Content-Type: application/json';

function response(version: string, ...fields: string[]): string {
  return [`HTTP/${version} 200 OK`, JSON_TYPE, ...fields, '', BODY].join('\r\n');
}

const LENGTH = `Content-Length: ${BODY.length}`;

const UPSTREAMS: Readonly<Record<string, (socket: Socket) => void>> = {
  'speaks HTTP/1.0': (socket) => void socket.end(response('1.0', LENGTH)),
  'responds until it closes': (socket) => void socket.end(response('1.1')),
  'says that it closes': (socket) => void socket.end(response('1.1', LENGTH, 'Connection: close')),
  'closes without a word': (socket) => void socket.end(response('1.1', LENGTH)),
  'resets after its response': (socket) =>
    void socket.write(response('1.1', LENGTH), () => setTimeout(() => socket.resetAndDestroy(), 5)),
  'keeps connections for 1 s': (socket) => {
    socket.write(response('1.1', LENGTH, 'Connection: keep-alive', 'Keep-Alive: timeout=1'));
    setTimeout(() => socket.end(), 10);
  },
  'keeps connections': (socket) => void socket.write(response('1.1', LENGTH)),
};

test.for(Object.entries(UPSTREAMS))('of an upstream that %s', async ([, respond]) => {
  const server = createServer((socket) => {
    let request = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      request += chunk.toString('latin1');
      if (!request.includes(`"Aloe","id":`) || !request.endsWith('}')) return;
      request = '';
      respond(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  await using proxy = await startProxy({ upstream: `http://127.0.0.1:${port}` });
  const { Agent, fetch: fetchWith } = await import('undici');
  const dispatcher = new Agent({ connections: 2 });
  onTestFinished(() => dispatcher.close());
  const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
  for (let id = 0; id < 40; id++) {
    const body = `{"name":"Aloe","id":${id}}`;
    const came = await fetchWith(`${proxy.url}/plants`, { method: 'POST', headers, body, dispatcher });
    expect([came.status, await came.text()]).toEqual([200, BODY]);
    // So that an upstream that closes while it is idle does so.
    if (id % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 15));
  }
  expect(await proxy.report()).toMatchObject({
    conclusion: 'conforms',
    traffic: { exchanges: 40, withoutResponse: 0, judgedResponses: 40 },
  });
});

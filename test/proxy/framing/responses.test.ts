import { type AddressInfo, createServer, type Server } from 'node:net';
import { type RunningProxy, startProxy } from 'plant-store-contract/proxy';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exchange } from './client.mjs';
import { RESPONSES } from './responses.mjs';
import { responsesIn } from './strict-http.mjs';

// The client gets exactly one response for each request; or none that is whole, and the connection ends.

const SECOND = 'HTTP/1.1 418 Second\r\nContent-Length: 0\r\n\r\n';
const FOLLOWING = 'GET /following HTTP/1.1\r\nHost: store\r\nConnection: close\r\n\r\n';

let bytes = '';
let upstream: Server;
let proxy: RunningProxy;
beforeAll(async () => {
  upstream = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (chunk) => {
      socket.end(chunk.toString('latin1').includes('/following') ? SECOND : bytes, 'latin1');
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const { port } = upstream.address() as AddressInfo;
  proxy = await startProxy({ upstream: `http://127.0.0.1:${port}` });
});
afterAll(async () => {
  await proxy.close();
  upstream.close();
});

test.for(RESPONSES)('$name', async ({ bytes: given, body, method = 'POST' }) => {
  bytes = given;
  const request = `${method} /plants HTTP/1.1\r\nHost: store\r\nContent-Length: 2\r\n\r\n{}`;
  const { received, hung } = await exchange(proxy.port, request + FOLLOWING);
  const all = responsesIn(received, method !== 'HEAD');
  const final = all.filter(({ status }) => status >= 200 && status !== 418);
  expect(hung).toBe(false);
  expect(final).toMatchObject(body === undefined ? [] : [{ body }]);
  expect(all.filter(({ status }) => status < 200).length).toBeLessThanOrEqual(1);
});

import { Agent } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { startProxy } from 'plant-store-contract/proxy';
import { startPlantStore } from 'plant-store-contract/server';
import { expect, onTestFinished, test } from 'vitest';
import { plant, send } from '../server/plant-request.js';
import { RawSocket } from '../server/raw-socket.js';

const TOKEN = 'secret';
const fields = { authorization: `Bearer ${TOKEN}` };

test('a request uses up no port: connections to the upstream are kept for a while', async () => {
  await using store = await startPlantStore({ token: TOKEN });
  let connections = 0;
  const between = createServer((socket) => {
    connections++;
    pipe(socket, store.port);
  });
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void between.close());
  const { port } = between.address() as { port: number };
  await using proxy = await startProxy({ upstream: `http://127.0.0.1:${port}` });
  const agents = [1, 2].map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
  const create = (id: number) =>
    send(proxy.url, { headers: fields, body: plant(id), agent: agents[id % 2] as Agent });
  // Until one has shown that it stays open.
  expect((await create(0)).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 40));
  connections = 0;
  for (let id = 1; id <= 50; id++) expect((await create(id)).status).toBe(200);
  expect(connections).toBeLessThanOrEqual(2);
  for (const agent of agents) agent.destroy();
  expect(await proxy.report()).toMatchObject({ traffic: { exchanges: 51, withoutResponse: 0 } });
});

test.each([
  ['evil.example', false],
  ['evil.example:4011', false],
  ['192.0.2.1', false],
  ['[2001:db8::1]:4011', false],
  ['localhost', true],
  ['127.0.0.1:4011', true],
  ['[::1]:4011', true],
  ['a.localhost', true],
])('on the loopback interface, the Host %s is accepted: %s', async (host, isAccepted) => {
  await using store = await startPlantStore({ token: TOKEN });
  await using proxy = await startProxy({ upstream: store.url });
  using raw = await RawSocket.open(proxy.port);
  raw.write(`GET /plants HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  expect((await raw.response()).status).toBe(isAccepted ? 405 : 400);
  expect(store.received()).toHaveLength(isAccepted ? 1 : 0);
});

/** Joins a connection with one to a port. */
function pipe(socket: Socket, port: number): void {
  const other = connect(port, '127.0.0.1');
  socket.pipe(other).pipe(socket);
  for (const one of [socket, other]) one.on('error', () => {});
}

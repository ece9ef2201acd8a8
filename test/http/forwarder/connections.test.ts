import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ClientConnection, connectionOf } from '../../../src/http/forwarder/connections.js';
import { SharedLimit } from '../../../src/http/limits.js';

const get = (...fields: string[]): string =>
  ['GET /x HTTP/1.1', 'Host: store', ...fields, '', ''].join('\r\n');
const MIB = 2 ** 20;

/** A server whose requests wait, since the first one gets no response. */
async function waitingServer(most = MIB) {
  const requests: ServerResponse[] = [];
  const destroyed: ClientConnection[] = [];
  const limit = new SharedLimit<ClientConnection>(most, (connection) => {
    destroyed.push(connection);
    connection.destroy();
  });
  const server = createServer((incoming, outgoing) => {
    requests.push(outgoing);
    const connection = connectionOf(incoming.socket);
    if (requests.length === 3) connection.reject('400 Bad Request', 'the third');
    else connection.take(outgoing, () => {});
  });
  server.on('connection', (socket) => new ClientConnection(socket, limit));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = (): Socket => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  return { requests, destroyed, client, limit };
}

test('what follows a rejected request is read, and makes no requests', async () => {
  const { requests, client } = await waitingServer();
  const socket = client();
  socket.write(get().repeat(3));
  await expect.poll(() => requests.length).toBe(3);
  const before = requests[0]?.req.socket.bytesRead ?? 0;
  const flood = get().repeat(10_000);
  socket.write(flood);
  await expect.poll(() => requests[0]?.req.socket.bytesRead).toBe(before + flood.length);
  expect(requests.length).toBe(3);
});

test('a client that leaves after a rejected request that waits is seen', async () => {
  const { requests, client } = await waitingServer();
  const socket = client();
  socket.write(get().repeat(3));
  await expect.poll(() => requests.length).toBe(3);
  const closed = once(requests[0] as ServerResponse, 'close');
  socket.destroy();
  await closed;
});

test('the connection that holds the most is closed at once, and the others stay', async () => {
  const { requests, destroyed, client } = await waitingServer(20_000);
  const [quiet, loud] = [client(), client()];
  quiet.write(get());
  await expect.poll(() => requests.length).toBe(1);
  loud.write(get(...Array.from({ length: 100 }, () => 'a: b')));
  await once(loud, 'close');
  expect(destroyed).toEqual([connectionOf(requests[1]?.req.socket as Socket)]);
  expect(requests[0]?.req.socket.destroyed).toBe(false);
});

test('a connection holds nothing after its responses', async () => {
  const { requests, destroyed, client } = await waitingServer(6_000);
  const first = client();
  first.write(get());
  await expect.poll(() => requests.length).toBe(1);
  requests[0]?.end();
  await once(first, 'data');
  client().write(get());
  await expect.poll(() => requests.length).toBe(2);
  expect(destroyed).toEqual([]);
});

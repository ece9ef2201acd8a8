import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { startProxy } from 'plant-store-contract/proxy';
import { test } from 'vitest';

// `close` ends, and ends every connection, whatever clients and upstreams do.

const HEAD = 'POST /plants HTTP/1.1\r\nHost: store\r\n';
const WHOLE = `${HEAD}Content-Length: 2\r\n\r\n{}`;

const CLIENTS: Readonly<Record<string, string>> = {
  'sends nothing': '',
  'stops in the head': HEAD,
  'stops in a chunk': `${HEAD}Transfer-Encoding: chunked\r\n\r\n16\r\n{"na`,
  'asks for an upgrade and sends a malformed chunk': `${HEAD}Connection: Upgrade\r\nUpgrade: h2c\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}}`,
  'sends many requests': WHOLE.repeat(50),
  'asks for a tunnel': `${WHOLE}CONNECT other:1 HTTP/1.1\r\nHost: other:1\r\n\r\nbytes`,
  'sends what is no HTTP': `${WHOLE}garbage\r\n\r\n`,
  'sends a long body': `${HEAD}Content-Length: 100000000\r\n\r\n${'x'.repeat(2_000_000)}`,
};

const whileItReads = (socket: Socket, bytes: string): void => {
  const write = (): void => {
    let isRead = true;
    for (let times = 0; isRead && times < 100 && !socket.destroyed; times++) isRead = socket.write(bytes);
  };
  socket.on('drain', write);
  write();
};

const UPSTREAMS: Readonly<Record<string, (socket: Socket) => void>> = {
  'never responds': () => {},
  'does not read': (socket) => void socket.pause(),
  'stops in the body': (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}'),
  'responds before it has read': (socket) =>
    void socket.write('HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n'),
  'responds without an end': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    whileItReads(socket, `400\r\n${'x'.repeat(1_024)}\r\n`);
  },
  'sends 100 for ever': (socket) => whileItReads(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),
  'closes its side': (socket) => void socket.end(),
};

const STAYS: Readonly<Record<string, (socket: Socket) => void>> = {
  reads: () => {},
  'does not read': (socket) => void socket.pause(),
  'has closed its side': (socket) => void socket.end(),
};

// All of them wait for seconds, and use little of the processor.
test.concurrent.for(Object.entries(UPSTREAMS))(
  'behind an upstream that %s',
  { timeout: 60_000 },
  async ([_how, respond], { expect, onTestFinished }) => {
    const open = new Set<Socket>();
    const upstream = createServer({ allowHalfOpen: true }, (socket) => {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('end', () => open.delete(socket)).on('close', () => open.delete(socket));
      socket.once('data', () => respond(socket));
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void upstream.close());
    const { port } = upstream.address() as AddressInfo;
    const took = await Promise.all(
      Object.values(CLIENTS).flatMap((bytes) =>
        Object.values(STAYS).map(async (stay) => {
          const proxy = await startProxy({ upstream: `http://127.0.0.1:${port}` });
          const client = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true });
          onTestFinished(() => void client.destroy());
          const isClosed = new Promise((resolve) => client.on('close', resolve).on('end', resolve));
          client.on('error', () => {}).on('data', () => {});
          client.write(bytes, 'latin1', () => stay(client));
          await new Promise((resolve) => setTimeout(resolve, 300));
          const start = performance.now();
          await proxy.close();
          const ms = performance.now() - start;
          client.resume();
          await isClosed;
          return ms;
        }),
      ),
    );
    // One second is the grace for exchanges under way. All of them close at once here, on a machine that may be busy.
    expect(Math.max(...took)).toBeLessThan(20_000);
    // One that stops reading may do so only now.
    const left = (): number => {
      for (const socket of open) socket.resume();
      return open.size;
    };
    await expect.poll(left).toBe(0);
  },
);

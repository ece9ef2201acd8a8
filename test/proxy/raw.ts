import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** An upstream that responds with fixed bytes, and keeps what it receives. */
export interface RawUpstream {
  readonly url: string;
  sent(): string;
}

/** Whether a request is complete. */
function isWhole(text: string): boolean {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  if (rest.length === 0) return false;
  const body = text.slice(head.length + 4);
  if (/^transfer-encoding: *chunked/im.test(head)) return /(?:^|\r\n)0\r\n(?:[^\r\n]+\r\n)*\r\n$/.test(body);
  return body.length >= Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
}

/** @param respond writes the response, once the request is complete */
export async function startRaw(respond: (socket: Socket) => void): Promise<RawUpstream> {
  let sent = '';
  const server = createServer((socket) => {
    let own = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      own += chunk.toString('latin1');
      if (!isWhole(own)) return;
      sent += own;
      own = '';
      respond(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent: () => sent };
}

/** Sends bytes to a port, and returns everything that comes back until the connection ends. */
export function sendRaw(url: string, request: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
    socket.write(request, 'latin1');
  });
}

import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Transfer } from '../../../src/conformance/exchange.js';
import { sendOn } from '../../../src/conformance/send/http.js';
import { piecesOf } from '../../../src/conformance/send/pieces.js';
import type { Route } from '../../../src/http/route.js';

const RESPONSE = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';

/** Listens, and calls this for each part of a message, with all that was received so far. */
async function listening(take: (received: string, socket: Socket) => void): Promise<Route> {
  const server = createServer((socket) => {
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      take(received, socket);
    });
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/plants`);
  return { url, headers: [], insecure: false };
}

function sent(target: Route, transfer: Transfer, chunked?: true) {
  const request = {
    headers: [],
    body: Buffer.from('{"name":"Aloe"}'),
    transfer,
    ...(chunked && { chunked }),
  };
  const { signal } = new AbortController();
  return sendOn(target, request, { timeoutMs: 20_000, signal });
}

describe('a message in pieces', () => {
  test.each<[string, Transfer, true?]>([
    ['whose body is cut', { bodyCuts: [0, 1, -1] }],
    ['with a body in chunks', { chunks: [4, 3] }, true],
  ])('%s arrives whole, and its response is read', async (_what, transfer, chunked) => {
    let message = '';
    const target = await listening((received, socket) => {
      message = received;
      if (received.endsWith(chunked ? '\r\n0\r\n\r\n' : '"Aloe"}')) socket.end(RESPONSE);
    });
    const { response } = await sent(target, transfer, chunked);
    expect(response).toMatchObject({ status: 200, complete: true, surplus: 0 });
    const [head = '', body] = message.split(/(?<=\r\n\r\n)/s);
    expect(head).toMatch(/^POST \/plants HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\n/);
    expect(head).toMatch(/\r\nConnection: close\r\n\r\n$/);
    expect(body).toBe(
      chunked ? '4\r\n{"na\r\n3\r\nme"\r\n3\r\n:"A\r\n3\r\nloe\r\n2\r\n"}\r\n0\r\n\r\n' : '{"name":"Aloe"}',
    );
  });

  test('waits for a 100 before its body', async () => {
    const seen: string[] = [];
    const target = await listening((received, socket) => {
      seen.push(received);
      socket.write(seen.length === 1 ? 'HTTP/1.1 100 Continue\r\n\r\n' : RESPONSE);
    });
    const { response } = await sent(target, { awaitContinue: true });
    expect(response?.status).toBe(200);
    expect(seen[0]).toMatch(/\r\n\r\n$/);
    expect(seen[1]).toMatch(/\r\n\r\n\{"name":"Aloe"\}$/);
  });

  // Django's server reads the rest of the request before it closes the connection.
  test('sends its body after a 100, although the final response comes with it', async () => {
    const target = await listening((received, socket) => {
      if (received.endsWith('\r\n\r\n'))
        socket.write(
          'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\nno token',
        );
      else if (received.endsWith('"Aloe"}')) socket.end();
    });
    const { response } = await sent(target, { awaitContinue: true });
    expect(response).toMatchObject({ status: 401, complete: true });
    expect(Buffer.from(response?.body ?? []).toString()).toBe('no token');
  });

  test('sends no body after a final response', async () => {
    let message = '';
    const target = await listening((received, socket) => {
      message = received;
      socket.end('HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n');
    });
    const { response } = await sent(target, { awaitContinue: true });
    expect(response?.status).toBe(417);
    expect(message).toMatch(/\r\n\r\n$/);
  });

  test('says why there was no response', async () => {
    const reset = await listening((_received, socket) => socket.destroy());
    expect((await sent(reset, { bodyCuts: [3] })).failure?.kind).toBe('reset');
    const nowhere = { ...reset, url: new URL('http://127.0.0.1:9/plants') };
    expect((await sent(nowhere, { bodyCuts: [3] })).failure?.kind).toBe('unreachable');
  });
});

describe('the pieces of a message', () => {
  const pieces = (transfer: Transfer): string[] =>
    piecesOf('POST / HTTP/1.1', Buffer.from('abcdef'), false, transfer).map(String);

  test.each<[Transfer, string[]]>([
    [{}, ['POST / HTTP/1.1\r\n\r\nabcdef']],
    [{ bodyCuts: [0] }, ['POST / HTTP/1.1\r\n\r\n', 'abcdef']],
    [{ bodyCuts: [4, 1, 4, 99] }, ['POST / HTTP/1.1\r\n\r\na', 'bcd', 'ef']],
  ])('with %j', (transfer, expected) => {
    expect(pieces(transfer)).toEqual(expected);
  });
});

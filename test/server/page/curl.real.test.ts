import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ShownFields } from '../../../src/server/page/browser/wire.js';
import { curlLines } from '../../../src/server/page/show.js';
import { hasCurl } from '../../tools.js';

const exec = promisify(execFile);

interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: ShownFields;
  readonly body: Buffer;
}

/** The request that a shell sends with these lines. */
async function sentBy(given: Partial<Sent>): Promise<IncomingMessage & { bytes: Buffer }> {
  const { method = 'POST', target = '/plants', headers = [], body = Buffer.alloc(0) } = given;
  let seen: (IncomingMessage & { bytes: Buffer }) | undefined;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    seen = Object.assign(request, { bytes: Buffer.concat(chunks) });
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const isText = Buffer.from(body.toString()).equals(body);
  const shown = {
    ...(isText ? { text: body.toString() } : { base64: body.toString('base64') }),
    bytes: body.length,
  };
  const lines = curlLines(
    { method, target, headers, body: shown, trailers: [], complete: true },
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  );
  try {
    await exec('sh', ['-c', lines], { env: { PATH: process.env.PATH, PLANT_STORE_TOKEN: 'the-token' } });
  } finally {
    server.close();
    server.closeAllConnections();
  }
  if (seen === undefined) throw new Error(`nothing was sent by ${lines}`);
  return seen;
}

describe.skipIf(!hasCurl)('the copied lines', () => {
  test('send the request again, with the token of the environment', async () => {
    const { method, url, headers, bytes } = await sentBy({
      headers: [
        ['Authorization', 'Bearer redacted'],
        ['Content-Type', 'application/json'],
        ['Content-Length', '99'],
        ['X-Empty', ''],
      ],
      body: Buffer.from('{"name":"Café \'n\' $HOME `id`","id":9007199254740993}'),
    });
    expect({ method, url }).toEqual({ method: 'POST', url: '/plants' });
    expect(headers).toMatchObject({
      authorization: 'Bearer the-token',
      'content-type': 'application/json',
      'x-empty': '',
    });
    expect(bytes.toString()).toBe('{"name":"Café \'n\' $HOME `id`","id":9007199254740993}');
  });

  test.each([
    ['begins like the name of a file', Buffer.from('@/etc/passwd')],
    ['has line breaks and a percent sign', Buffer.from('{\n"name":"100%d\\n",\r\n"id":1}\t')],
    ['is no text', Buffer.from([0, 255, 10, 39, 92, 37, 128])],
    ['has a byte-order mark', Buffer.from('\ufeff{}')],
  ])('send a body that %s byte by byte', async (_what, body) => {
    expect((await sentBy({ body })).bytes).toEqual(body);
  });

  test.each([
    "/plants?a='; touch /tmp/owned; '",
    '/a/../plants?{1..3}[x]',
    '/plants?$(id)`id`',
    '/--config=/etc/passwd',
  ])('send the target %s as it is', async (target) => {
    expect((await sentBy({ target: target.replaceAll(' ', '%20') })).url).toBe(target.replaceAll(' ', '%20'));
  });

  test('send hostile names and values of fields as they are', async () => {
    const { headers } = await sentBy({
      headers: [
        ['X-`id`', 'Bearer redacted'],
        ['X-A', "'; touch /tmp/owned; '$(id)"],
        ['X-B', '@/etc/passwd'],
      ],
    });
    expect(headers).toMatchObject({
      'x-`id`': 'Bearer the-token',
      'x-a': "'; touch /tmp/owned; '$(id)",
      'x-b': '@/etc/passwd',
    });
  });

  test('send a request without a body, and say if one was not complete', async () => {
    expect((await sentBy({ method: 'GET', target: '/' })).bytes.length).toBe(0);
    const shown = { method: 'POST', target: '/plants', headers: [], trailers: [] };
    const body = { text: 'a', bytes: 2, note: 'the first 1 bytes', cut: true };
    expect(curlLines({ ...shown, body, complete: true }, 'http://a')).toMatch(
      /^# Its body is not complete\.\n/,
    );
  });
});

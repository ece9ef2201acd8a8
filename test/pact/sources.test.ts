import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type BrokerOptions, PactServers } from '../../src/pact/broker/broker.js';
import { pactsFrom } from '../../src/pact/pacts.js';
import { folderWith } from '../folder.js';
import { startReader } from './verification/provider.js';

/** A broker at this URL, with credentials. */
const servers = (url: string, credentials: Partial<BrokerOptions> = {}, timeoutMs = 20_000): PactServers =>
  new PactServers({ url, ...credentials }, (text) => text.replaceAll(token, '[token]'), undefined, timeoutMs);

const token = 'the-token-of-the-server';

/** Why sources cannot be read. */
async function whyUnread(...given: Parameters<typeof pactsFrom>): Promise<string[]> {
  return (await pactsFrom(...given)).map((one) => ('problem' in one ? one.problem : 'it was read'));
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

describe('at a URL', () => {
  test.each<[string, Partial<BrokerOptions>, string | undefined]>([
    ['a token', { token }, `Bearer ${token}`],
    ['a user and a password', { username: 'me', password: 'pass' }, `Basic ${btoa('me:pass')}`],
    ['nothing', {}, undefined],
  ])('the broker gets %s, and another server nothing', async (_what, credentials, authorization) => {
    const seen: unknown[] = [];
    await using server = await startReader(({ headers }, response) => {
      seen.push(headers.authorization);
      response.end('{"id":9223372036854775807}');
    });
    const [source] = await pactsFrom([`${server.url}/pact`], servers(server.url, credentials));
    expect(source).toEqual({ where: `${server.url}/pact`, text: '{"id":9223372036854775807}' });
    await pactsFrom([server.url], servers('http://broker.example', credentials));
    expect(seen).toEqual([authorization, undefined]);
  });

  test('a redirect to another server does not get the credentials', async () => {
    const seen: unknown[] = [];
    await using other = await startReader(({ headers }, response) => {
      seen.push(headers.authorization);
      response.end('{"from":"other"}');
    });
    await using server = await startReader(({ url }, response) => {
      const location = url === '/pact' ? '/moved' : other.url;
      response.writeHead(302, { location }).end();
    });
    const [source] = await pactsFrom([`${server.url}/pact`], servers(server.url, { token }));
    expect(source).toEqual({ where: `${server.url}/pact`, text: '{"from":"other"}' });
    expect(seen).toEqual([undefined]);
  });

  test.each<[string, Answer]>([
    ['never responds', () => {}],
    ['never ends its response', (_request, response) => void response.writeHead(200).write('{')],
  ])('a server that %s is given up in time', async (_what, answer) => {
    await using server = await startReader((request, response) => answer(request, response));
    expect(await whyUnread([server.url], servers(server.url, {}, 200))).toEqual([
      expect.stringMatching(/no whole response within 200 ms$/),
    ]);
  });

  test.each<[string, Answer, RegExp]>([
    [
      'sends more than a pact may have',
      (_request, response) => {
        const mebibyte = Buffer.alloc(2 ** 20, ' ');
        const more = (problem?: Error | null): void => {
          if (problem == null) response.write(mebibyte, more);
        };
        response.writeHead(200);
        more();
      },
      /the response is longer than 16 MiB$/,
    ],
    [
      'sends a gzip bomb',
      (_request, response) => {
        response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(17 * 2 ** 20)));
      },
      /the response is longer than 16 MiB$/,
    ],
    [
      'needs credentials',
      (_request, response) => response.writeHead(401).end(),
      /: the response has the status 401: are the credentials of the broker right\?$/,
    ],
    [
      'names its error, with an escape sequence',
      (_request, response) => response.writeHead(400).end('no\u001b[2J'),
      /the response has the status 400: no\\u001b\[2J$/,
    ],
    [
      'is not in UTF-8',
      (_request, response) => response.end(Buffer.from([0xff])),
      /not valid for encoding utf-8/,
    ],
  ])('a server that %s', async (_what, answer, why) => {
    await using server = await startReader((request, response) => answer(request, response));
    expect(await whyUnread([server.url], servers(server.url))).toEqual([expect.stringMatching(why)]);
  });

  test('an error does not show the credentials', async () => {
    await using server = await startReader(({ headers }, response) =>
      response.writeHead(500).end(JSON.stringify({ error: `wrong: ${headers.authorization}` })),
    );
    expect(await whyUnread([server.url], servers(server.url, { token }))).toEqual([
      expect.stringContaining('the response has the status 500: {"error":"wrong: Bearer [token]"}'),
    ]);
  });
});

describe('what cannot be read is named', () => {
  test('all at once, and the others are read', async () => {
    const folder = folderWith({
      'b.json': '2',
      'a.json': '1',
      'empty/b.txt': '3',
      'wrong.json': Buffer.of(0xff),
    });
    const missing = join(folder, 'none.json');
    const empty = join(folder, 'empty');
    const unread = (where: string, problem: string | RegExp) => ({
      where,
      problem: expect.stringMatching(problem),
    });
    expect(await pactsFrom([missing, folder, empty])).toEqual([
      unread(missing, `cannot read a pact from ${missing}: there is no such file`),
      { where: join(folder, 'a.json'), text: '1' },
      { where: join(folder, 'b.json'), text: '2' },
      unread(join(folder, 'wrong.json'), /wrong\.json: .* not valid for encoding utf-8$/),
      unread(empty, `the folder ${empty} has no .json file`),
    ]);
  });

  test.each([
    // Only the administrator may listen there, and no service does.
    [
      'http://127.0.0.1:2/pact',
      /^cannot read a pact: http:\/\/127.0.0.1:2\/pact: connect ECONNREFUSED 127\.0\.0\.1:2$/,
    ],
    ['http://me:secret@a', /^cannot read a pact from http:\/\/a: a URL must not have a user or a password/],
  ])('%s', async (url, why) => {
    const [message] = await whyUnread([url]);
    expect(message).toMatch(why);
  });
});

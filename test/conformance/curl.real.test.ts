import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CurlTarget, curlLines } from '../../src/conformance/curl.js';
import type { ProbeRequest } from '../../src/conformance/exchange.js';
import { listen } from '../../src/http/address.js';
import { hasCurl } from '../tools.js';

const exec = promisify(execFile);

// With what a shell must quote.
const token = 'it$is"a`b\\c=';
const target: CurlTarget = {
  url: new URL('http://plants.example/api/plants'),
  tokens: [token],
  headers: [],
  insecure: false,
};
const JSON_TYPE = ['Content-Type', 'application/json'] as const;

function request(body: string | Uint8Array, given: Partial<ProbeRequest> = {}): ProbeRequest {
  return { headers: [JSON_TYPE], body: Buffer.from(body as string), ...given };
}

const CURL = "curl -i 'http://plants.example/api/plants'";
const TYPED = `${CURL} -H 'Content-Type: application/json'`;
const NEW_ID = 'id=$((RANDOM * 32768 + RANDOM))';

describe('the lines for', () => {
  test.each<[string, ProbeRequest, readonly string[], Partial<CurlTarget>?]>([
    ['a body', request('{"a":1}'), [`${TYPED} -d '{"a":1}'`]],
    ['what a CI system takes for a command', request('##[error]'), [`${TYPED} -d '#''#[error]'`]],
    ['a quote in a body', request("it's"), [`${TYPED} -d 'it'\\''s'`]],
    ['an id', request('{"id":7}', { id: 7 }), [NEW_ID, `${TYPED} -d '{"id":'"$id"'}'`]],
    ['a body that is only an id', request('7', { id: 7 }), [NEW_ID, `${TYPED} -d "$id"`]],
    [
      'an id twice',
      request('{"id":7,"x":7}', { id: 7 }),
      [NEW_ID, `${TYPED} -d '{"id":'"$id"',"x":'"$id"'}'`],
    ],
    [
      'an id in its own range',
      request('-7', { id: -7n, shell: { newId: '0 - RANDOM' } }),
      ['id=$((0 - (RANDOM * 32768 + RANDOM)))', `${TYPED} -d "$id"`],
    ],
    ['no body', request(''), [`${TYPED.replace('-i', '-i -X POST')} -H 'Content-Length: 0'`]],
    ['no media type', request('{}', { headers: [] }), [`${CURL} -H 'Content-Type:' -d '{}'`]],
    [
      'an empty header',
      request('{}', { headers: [['X-A', ''], JSON_TYPE] }),
      [`${CURL} -H 'X-A;' -H 'Content-Type: application/json' -d '{}'`],
    ],
    ['chunks', request('{}', { chunked: true }), [`${TYPED} -H 'Transfer-Encoding: chunked' -d '{}'`]],
    [
      'bytes that are not text',
      request(Buffer.from([0xef, 0x25, 0x5c, 0x37]), { id: 7 }),
      [NEW_ID, `printf '\\357%%\\\\%s' "$id" | ${TYPED} --data-binary @-`],
    ],
    [
      'a body that a command writes',
      request('long', { shell: { body: 'head -c 9 /dev/zero' } }),
      [`{ head -c 9 /dev/zero; } | ${TYPED} -H 'Expect:' --data-binary @-`],
    ],
    [
      'a query',
      request('{}', { query: '?a=[1]' }),
      [`curl -i -g 'http://plants.example/api/plants?a=[1]' -H 'Content-Type: application/json' -d '{}'`],
    ],
    [
      'another path and method',
      request('', { otherOperation: { method: 'GET', path: '/plants/7' }, headers: [] }),
      ["curl -i 'http://plants.example/api/plants/7'"],
    ],
    [
      'the token',
      request('{}', { headers: [['Authorization', `Bearer ${token}`]] }),
      [`${CURL} -H "Authorization: Bearer $PLANT_STORE_TOKEN" -H 'Content-Type:' -d '{}'`],
    ],
    [
      'a longer token',
      request('{}', { headers: [['Authorization', `Bearer ${token}x`]] }),
      [`${CURL} -H "Authorization: Bearer \${PLANT_STORE_TOKEN}x" -H 'Content-Type:' -d '{}'`],
    ],
    [
      'a text that is derived from the token',
      request('{}', {
        headers: [['Authorization', 'Basic c2VjcmV0']],
        secrets: [{ value: 'c2VjcmV0', shown: '$(printf x)' }],
      }),
      [`${CURL} -H "Authorization: Basic $(printf x)" -H 'Content-Type:' -d '{}'`],
    ],
    [
      'a derived text that contains the token',
      request('{}', {
        headers: [['Authorization', `Bearer ${token}.`]],
        secrets: [{ value: `${token}.`, shown: '$(printf y)' }],
      }),
      [`${CURL} -H "Authorization: Bearer $(printf y)" -H 'Content-Type:' -d '{}'`],
    ],
    [
      'further headers, whose values are secret',
      request('{}'),
      [`${TYPED} -H "X-Key: $PLANT_STORE_HEADER_1" -d '{}'`],
      { headers: [['X-Key', 'hidden']] },
    ],
    [
      'a certificate',
      request('{}'),
      [
        `curl -i --insecure --cacert "$PLANT_STORE_CA" 'http://plants.example/api/plants' -H 'Content-Type: application/json' -d '{}'`,
      ],
      { insecure: true, ca: 'PEM' },
    ],
  ])('%s', (_what, sent, lines, more = {}) => {
    expect(curlLines([sent], { ...target, ...more })).toEqual(lines);
  });
});

describe('the lines for several requests', () => {
  const seven = request('7', { id: 7 });
  const eight = request('8', { id: 8 });
  const send = `${TYPED} -d "$id"`;

  test('share an id only if the requests do', () => {
    expect(curlLines([seven, seven, eight], target)).toEqual([NEW_ID, send, send, NEW_ID, send]);
  });

  test('send concurrent requests at once, and wait', () => {
    expect(curlLines([seven, seven], target, { together: true })).toEqual([
      NEW_ID,
      `${send} &`,
      `${send} &`,
      'wait',
    ]);
  });

  test('use one command for one connection, and another id for later requests', () => {
    expect(curlLines([seven, eight], target, { oneConnection: true })).toEqual([
      NEW_ID,
      `${send} --next ${send.replace('curl ', '').replace('"$id"', '"$((id + 1))"')}`,
    ]);
  });
});

interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly port: number | undefined;
}

describe.skipIf(!hasCurl)('a shell with curl sends', () => {
  const received: Received[] = [];
  const server = createServer(async (incoming, response) => {
    const { method, url: path, headers, socket } = incoming;
    const body = (await buffer(incoming)).toString('latin1');
    received.push({ method, path, headers, body, port: socket.remotePort });
    response.end();
  });
  let url = new URL('http://127.0.0.1');
  beforeAll(async () => {
    url = new URL(`${(await listen(server, '127.0.0.1', 0)).url}/plants`);
  });
  afterAll(() => void server.close());

  async function sent(
    requests: readonly ProbeRequest[],
    how?: Parameters<typeof curlLines>[2],
    headers: CurlTarget['headers'] = [],
  ): Promise<readonly Received[]> {
    received.length = 0;
    const env = { ...process.env, PLANT_STORE_TOKEN: token, PLANT_STORE_HEADER_1: headers[0]?.[1] };
    const lines = curlLines(requests, { ...target, url, headers }, how);
    await exec('bash', ['-c', lines.join('\n')], { env });
    return [...received];
  }

  test.each<[string, ProbeRequest, Partial<Received>]>([
    ['a body with quotes', request(`it's "x" $HOME \`id\` \\`), { body: `it's "x" $HOME \`id\` \\` }],
    ['a body that looks like the name of a file', request('@/dev/null'), { body: '@/dev/null' }],
    ['bytes', request(Buffer.from([0, 0xff, 0x25, 0x5c])), { body: '\0\xff%\\' }],
    ['no body', request(''), { body: '', headers: expect.objectContaining({ 'content-length': '0' }) }],
    [
      'the token, and what follows it',
      request('{}', { headers: [['Authorization', `Bearer ${token}x`]] }),
      { headers: expect.objectContaining({ authorization: `Bearer ${token}x` }) },
    ],
    [
      'an empty header, and no media type',
      request('{}', { headers: [['X-A', '']] }),
      { headers: expect.objectContaining({ 'x-a': '' }) },
    ],
    [
      'chunks',
      request('{}', { chunked: true }),
      { body: '{}', headers: expect.objectContaining({ 'transfer-encoding': 'chunked' }) },
    ],
    [
      'a query, and another path and method',
      request('', { otherOperation: { method: 'DELETE', path: '/x' }, query: "?a='[b]" }),
      { method: 'DELETE', path: "/x?a='[b]" },
    ],
  ])('%s', async (_what, one, expected) => {
    expect(await sent([one])).toEqual([expect.objectContaining(expected)]);
  });

  test('no media type unless the request has one', async () => {
    const [plain] = await sent([request('{}', { headers: [] })]);
    expect(plain?.headers).not.toHaveProperty('content-type');
  });

  test('further headers from the environment', async () => {
    const [one] = await sent([request('{}')], {}, [['X-Key', 'a $b "c"']]);
    expect(one?.headers['x-key']).toBe('a $b "c"');
  });

  test('the same new id in the same range to every request that shares one', async () => {
    const seven = request('7', { id: 7, shell: { newId: '1000 + RANDOM % 9' } });
    const bodies = (await sent([seven, seven])).map(({ body }) => body);
    expect(bodies[0]).toMatch(/^100[0-8]$/);
    expect(bodies[1]).toBe(bodies[0]);
  });

  test('the requests of one connection over one connection', async () => {
    const [first, second] = await sent([request('7', { id: 7 }), request('8', { id: 8 })], {
      oneConnection: true,
    });
    expect(second?.port).toBe(first?.port);
    expect(BigInt(second?.body ?? 0)).toBe(BigInt(first?.body ?? 0) + 1n);
  });

  test('concurrent requests, all of them', async () => {
    const all = await sent([request('a'), request('b'), request('c')], { together: true });
    expect(all.map(({ body }) => body).sort()).toEqual(['a', 'b', 'c']);
  });
});

import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import {
  type JudgedExchange,
  type ProxyOptions,
  type ProxyReport,
  startProxy,
} from 'plant-store-contract/proxy';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startReader } from '../pact/verification/provider.js';
import { sendRaw, startRaw } from './raw.js';

const CRLF = '\r\n';
const PLANT = '{"name":"Aloe"}';
const NEW_PLANT = '{"name":"Aloe","id":7}';

/** A proxy in front of a provider that responds to each connection once, with these bytes. */
async function inFrontOf(response: string, options: Partial<ProxyOptions> = {}) {
  const upstream = await startRaw((socket) => void socket.end(response));
  const judged: JudgedExchange[] = [];
  const proxy = await startProxy({
    upstream: upstream.url,
    failOn: 'both',
    ...options,
    onJudged: (one) => void judged.push(one),
  });
  onTestFinished(async () => void (await proxy.close()));
  return { url: proxy.url, judged, close: (): Promise<ProxyReport> => proxy.close() };
}

function responseWith(framing: string, body: string, status = '200 OK'): string {
  return [`HTTP/1.1 ${status}`, 'Content-Type: application/json', framing, '', body].join(CRLF);
}

interface Sent {
  readonly target?: string;
  readonly token?: string;
  readonly body?: string;
  readonly length?: number;
}

function post({ target = '/plants', token = 'Bearer secret', body = NEW_PLANT, length }: Sent): string {
  const fields = ['Host: store', `Authorization: ${token}`, 'Content-Type: application/json'];
  const start = `POST ${target} HTTP/1.1`;
  return [start, ...fields, `Content-Length: ${length ?? body.length}`, 'Connection: close', '', body].join(
    CRLF,
  );
}

test.each([
  ['Content-Length: 100', PLANT, 'it is incomplete after 15 bytes'],
  ['Transfer-Encoding: chunked', `f${CRLF}${PLANT}${CRLF}`, 'it is incomplete after 15 bytes'],
  ['Transfer-Encoding: chunked', `f${CRLF}${PLANT}${CRLF}nonsense`, 'it is incomplete after 15 bytes'],
  ['Content-Length: 15', `${PLANT}more`, 'more follows after its 15 bytes'],
])('a response of another length than it says is a violation: %s, and %j', async (framing, body, actual) => {
  const { url, close } = await inFrontOf(responseWith(framing, body));
  expect(await sendRaw(url, post({}))).toContain(PLANT);
  const message = `the response must have a body of the length that its Content-Length or its chunks say; ${actual}`;
  expect(await close()).toMatchObject({
    conclusion: 'does-not-conform',
    violationKinds: [{ side: 'response', keyword: 'framing', message }],
    traffic: { withoutResponse: 0 },
  });
});

test.each<readonly [what: string, status: string, body: string, strict: boolean, severities: string[]]>([
  ['a 413 with HTML', '413 Content Too Large', '<h1>Too large</h1>', true, []],
  ['a 401 with HTML', '401 Unauthorized', '<h1>Who?</h1>', false, ['warning']],
  ['a 401 with HTML, if it is strict', '401 Unauthorized', '<h1>Who?</h1>', true, ['error']],
])('%s', async (_what, status, body, strict, severities) => {
  const { url, close } = await inFrontOf(responseWith(`Content-Length: ${body.length}`, body, status), {
    strict,
  });
  await sendRaw(url, post({}));
  const report = await close();
  expect(report.violationKinds.map(({ severity }) => severity)).toEqual(severities);
  expect(report.conclusion).toBe(severities.includes('error') ? 'does-not-conform' : 'conforms');
  expect(report.counts.warn).toBe(severities.includes('warning') ? 1 : 0);
});

test.each([
  ['a plant', NEW_PLANT, 'error'],
  ['an id outside int64', '{"name":"Aloe","id":9223372036854775808}', 'warning'],
])('a 5xx to %s is a violation', async (_what, body, severity) => {
  const { url, close } = await inFrontOf(`HTTP/1.1 500 Oops${CRLF}Content-Length: 0${CRLF}${CRLF}`);
  await sendRaw(url, post({ body }));
  const found = (await close()).violationKinds.filter(({ side }) => side === 'response');
  expect(found).toMatchObject([{ severity, keyword: 'status' }]);
});

test('a client that goes away while it sends is no violation', async () => {
  const { url, close, judged } = await inFrontOf(responseWith('Content-Length: 15', PLANT));
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(post({ length: 99 }), () => socket.resetAndDestroy());
  await expect.poll(() => judged.length).toBe(1);
  expect(judged[0]?.notes).toEqual([
    expect.stringMatching(/^the request was not judged: it is incomplete after \d+ bytes of its body$/),
  ]);
  expect(await close()).toMatchObject({
    traffic: { judgedRequests: 0, judgedResponses: 0 },
    violationKinds: [],
  });
});

test.each([
  ['/v1/plants?next=/login', 1],
  ['http://store/plants', 1],
  ['/login?next=/plants', 0],
  ['/plants/7', 0],
  ['/login#/plants', 0],
])('%s is judged: %d', async (target, judgedResponses) => {
  const { url, close } = await inFrontOf(responseWith('Content-Length: 15', PLANT));
  await sendRaw(url, post({ target }));
  expect(await close()).toMatchObject({ traffic: { exchanges: 1, judgedResponses } });
});

test.each(['Basic cGxhbnQ6c2VjcmV0', 'Bearer two words-of-it', 'a-bare-token'])(
  'an Authorization of %j that a provider sends back is in no report',
  async (token) => {
    const body = `{"name":"","${token}":1}`;
    const { url, close, judged } = await inFrontOf(responseWith(`Content-Length: ${body.length}`, body));
    await sendRaw(url, post({ token }));
    const found = judged.map(({ violations, notes }) => [violations, notes]);
    const written = JSON.stringify([await close(), found]);
    expect(written).toContain('[redacted]');
    for (const part of token.split(' ').filter((word) => word.length > 6))
      expect(written).not.toContain(part);
  },
);

describe('a 2xx to a request that must be rejected', () => {
  test('is a violation of the response, by its cause', async () => {
    const { url, close } = await inFrontOf(responseWith('Content-Length: 15', PLANT));
    for (const body of ['{"name":"Aloe","id":1.5}', '{"name":"Aloe","id":"7"}', '{"id":7}'])
      await sendRaw(url, post({ body }));
    const { violationKinds } = await close();
    expect(violationKinds.map(({ side, part, pointer, count }) => [side, part, pointer, count])).toEqual([
      ['response', 'status', '/id', 2],
      ['response', 'status', '/name', 1],
      ['request', 'body', '/id', 2],
      ['request', 'body', '/name', 1],
    ]);
    const why = '"id" must be an integer in the range of int64; got 1.5';
    expect(violationKinds[0]?.message).toBe(`accepted a wrong request: ${why}`);
  });

  test('is none if the request is not all there, or cannot be decoded', async () => {
    const { url, close } = await inFrontOf(responseWith('Content-Length: 15', PLANT));
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(post({ length: 99 }).replace('Connection: close', 'Content-Encoding: br'), () =>
      socket.end(),
    );
    await sendRaw(url, post({}).replace('Connection: close', 'Content-Encoding: rot13\r\nConnection: close'));
    socket.destroy();
    expect((await close()).violationKinds).toEqual([]);
  });
});

describe('a response in gzip', () => {
  const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
  const broken = gzipSync(PLANT);
  broken[broken.length - 6] = (broken[broken.length - 6] ?? 0) ^ 0xff;

  test.for<readonly [what: string, body: Buffer, found: object]>([
    ['is decoded', gzipSync(NEW_PLANT), { pointer: '/id', keyword: 'additionalProperties' }],
    ['that nobody can decode is a violation', broken, { part: 'body', keyword: 'content-encoding' }],
  ])('%s', async ([, body, found]) => {
    await using provider = await startReader((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(body);
    });
    await using proxy = await startProxy({ upstream: provider.url });
    const sent = fetch(`${proxy.url}/plants`, { method: 'POST', headers, body: NEW_PLANT });
    await sent.then((response) => response.arrayBuffer()).catch(() => {});
    expect((await proxy.report()).violationKinds).toMatchObject([{ side: 'response', ...found }]);
  });
});

test('a body of more than 2 MiB is not judged', async () => {
  const body = `"${'x'.repeat(3_000_000)}"`;
  const { url, close, judged } = await inFrontOf(responseWith(`Content-Length: ${body.length}`, body));
  await sendRaw(url, post({ body: 'x'.repeat(2_500_000) }));
  expect((await close()).violationKinds).toEqual([]);
  expect(judged[0]?.notes).toEqual([
    'the request was forwarded, not judged: its body has 2500000 bytes, and the proxy kept 2097152',
    'the response was forwarded, not judged: its body has 3000002 bytes, and the proxy kept 2097152',
  ]);
});

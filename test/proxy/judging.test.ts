import { connect } from 'node:net';
import {
  type JudgedExchange,
  type ProxyOptions,
  type ProxyReport,
  startProxy,
} from 'plant-store-contract/proxy';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sendRaw, startRaw } from './raw.js';

const CRLF = '\r\n';
const PLANT = '{"name":"Aloe"}';

/** A proxy in front of a provider that responds to each connection once, with these bytes. */
async function inFrontOf(response: string, options: Partial<ProxyOptions> = {}) {
  const upstream = await startRaw((socket) => void socket.end(response));
  const judged: JudgedExchange[] = [];
  const proxy = await startProxy({
    ...{ upstream: upstream.url, failOn: 'both', ...options },
    onJudged: (one) => void judged.push(one),
  });
  onTestFinished(async () => void (await proxy.close()));
  return { url: proxy.url, judged, close: (): Promise<ProxyReport> => proxy.close() };
}

function responseWith(framing: string, body: string): string {
  return ['HTTP/1.1 200 OK', 'Content-Type: application/json', framing, '', body].join(CRLF);
}

function post({
  target = '/plants',
  token = 'Bearer secret',
  length = 22,
  body = '{"name":"Aloe","id":7}',
}): string {
  const fields = ['Host: store', `Authorization: ${token}`, 'Content-Type: application/json'];
  return [
    `POST ${target} HTTP/1.1`,
    ...fields,
    `Content-Length: ${length}`,
    'Connection: close',
    '',
    body,
  ].join(CRLF);
}

describe('a response that is shorter or longer than its framing says is a violation', () => {
  test.each([
    ['Content-Length: 100', PLANT, 'it is incomplete after 15 bytes'],
    ['Transfer-Encoding: chunked', `f${CRLF}${PLANT}${CRLF}`, 'it is incomplete after 15 bytes'],
    ['Transfer-Encoding: chunked', `f${CRLF}${PLANT}${CRLF}nonsense`, 'it is incomplete after 15 bytes'],
    ['Content-Length: 15', `${PLANT}more`, 'more follows after its 15 bytes'],
  ])('%s, and %j', async (framing, body, actual) => {
    const { url, close } = await inFrontOf(responseWith(framing, body));
    expect(await sendRaw(url, post({}))).toContain(PLANT);
    const { violationKinds, conclusion, traffic } = await close();
    expect(violationKinds.map(({ side, keyword, message }) => [side, keyword, message])).toEqual([
      [
        'response',
        'framing',
        `the response must have a body of the length that its Content-Length or its chunks say; ${actual}`,
      ],
    ]);
    expect(conclusion).toBe('does-not-conform');
    expect(traffic.withoutResponse).toBe(0);
  });
});

describe('the body of a failure', () => {
  const responses = [
    ['missing in a 401', '401 Unauthorized', ''],
    ['HTML in a 413', '413 Content Too Large', '<h1>Too large</h1>'],
  ] as const;

  test.each(responses)('%s is no violation', async (_what, status, body) => {
    const { url, close } = await inFrontOf(
      [`HTTP/1.1 ${status}`, 'Content-Type: text/html', `Content-Length: ${body.length}`, '', body].join(
        CRLF,
      ),
    );
    expect(await sendRaw(url, post({}))).toContain(status);
    expect(await close()).toMatchObject({ conclusion: 'conforms', violationKinds: [] });
  });

  test.each([
    ['missing in a 400, is an error', '400 Bad Request', '', {}, 'does-not-conform'],
    ['HTML in a 401, is a warning', '401 Unauthorized', '<h1>Who?</h1>', {}, 'conforms'],
    [
      'HTML in a 401, is an error if strict',
      '401 Unauthorized',
      '<h1>Who?</h1>',
      { strict: true },
      'does-not-conform',
    ],
  ] as const)('%s', async (_what, status, body, options, conclusion) => {
    const { url, close } = await inFrontOf(
      [
        `HTTP/1.1 ${status}`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        '',
        body,
      ].join(CRLF),
      options,
    );
    await sendRaw(url, post({}));
    const report = await close();
    expect(report.conclusion).toBe(conclusion);
    const isWarning = conclusion === 'conforms';
    expect(report.violationKinds.map(({ severity }) => severity)).toEqual([isWarning ? 'warning' : 'error']);
    expect(report.counts.warn).toBe(isWarning ? 1 : 0);
  });
});

describe('a 5xx is a violation', () => {
  const failing = async (request: Parameters<typeof post>[0]) => {
    const { url, close } = await inFrontOf(`HTTP/1.1 500 Oops${CRLF}Content-Length: 0${CRLF}${CRLF}`, {
      failOn: 'response',
    });
    await sendRaw(url, post(request));
    const { conclusion, violations, warnings } = await close();
    return [conclusion, violations.response, warnings.response];
  };

  test.each<[what: string, body: string]>([['a plant', '{"name":"Aloe","id":7}']])(
    'and an error, if it responds to %s',
    async (_what, body) => {
      expect(await failing({ body, length: body.length })).toEqual(['does-not-conform', 1, 0]);
    },
  );

  test.each<[what: string, body: string]>([
    ['an id outside int64', '{"name":"Aloe","id":9223372036854775808}'],
  ])('and a warning, if it responds to %s', async (_what, body) => {
    expect(await failing({ body, length: body.length })).toEqual(['conforms', 0, 1]);
  });
});

test('a response whose length is counted in characters arrives as it does without a proxy', async () => {
  const body = Buffer.from('{"name":"Älöe"}');
  const { url, close } = await inFrontOf(responseWith('Content-Length: 15', body.toString()));
  const [, arrived] = (await sendRaw(url, post({}))).split(`${CRLF}${CRLF}`);
  expect(arrived).toBe(body.subarray(0, 15).toString('latin1'));
  expect(await close()).toMatchObject({
    traffic: { withoutResponse: 0 },
    conclusion: 'does-not-conform',
  });
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
  ['/plants', 1],
  ['/v1/plants?next=/login', 1],
  ['http://store/plants', 1],
  ['/login?next=/plants', 0],
  ['/plants/7', 0],
  ['/login#/plants', 0],
])('%s is judged: %d', async (target, judged) => {
  const { url, close } = await inFrontOf(responseWith('Content-Length: 15', PLANT));
  await sendRaw(url, post({ target }));
  expect(await close()).toMatchObject({ traffic: { exchanges: 1, judged } });
});

test.each(['Basic cGxhbnQ6c2VjcmV0', 'Bearer two words-of-it', 'a-bare-token'])(
  'an Authorization of %j that a provider sends back is in no report',
  async (token) => {
    const body = `{"name":"","${token}":1}`;
    const { url, close, judged } = await inFrontOf(responseWith(`Content-Length: ${body.length}`, body));
    await sendRaw(url, post({ token }));
    const written = JSON.stringify([
      await close(),
      judged.map(({ violations, notes }) => [violations, notes]),
    ]);
    expect(written).toContain('[redacted]');
    for (const part of token.split(' ').filter((word) => word.length > 6))
      expect(written).not.toContain(part);
  },
);

describe('a 2xx to a request that must be rejected', () => {
  const accepting = () => inFrontOf(responseWith('Content-Length: 15', PLANT));

  test.each([
    [
      { body: '{"name":"Fraction","id":1.5}', length: 28 },
      '/id',
      '"id" must be an integer in the range of int64; got 1.5',
    ],
  ])('is a violation of the response: %j', async (request, pointer, why) => {
    const { url, judged, close } = await accepting();
    await sendRaw(url, post(request));
    const { conclusion, violations, violationKinds } = await close();
    expect([conclusion, violations]).toEqual(['does-not-conform', { request: 1, response: 1 }]);
    const message = `accepted a wrong request: ${why}`;
    expect(violationKinds[0]).toMatchObject({
      side: 'response',
      part: 'status',
      pointer,
      keyword: 'accepted',
      message,
    });
    expect(judged[0]?.violations.map(({ side }) => side)).toEqual(['request', 'response']);
  });

  test('is none if the request is not all there, or cannot be decoded', async () => {
    const { url, close } = await accepting();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(post({ length: 99 }).replace('Connection: close', 'Content-Encoding: br'), () =>
      socket.end(),
    );
    await sendRaw(url, post({}).replace('Connection: close', 'Content-Encoding: rot13\r\nConnection: close'));
    socket.destroy();
    expect((await close()).violations.response).toBe(0);
  });

  test('is counted by its cause', async () => {
    const { url, close } = await accepting();
    for (const body of ['{"name":"Aloe","id":1.5}', '{"name":"Aloe","id":"7"}', '{"id":7}'])
      await sendRaw(url, post({ body, length: body.length }));
    const { violationKinds } = await close();
    expect(violationKinds.map(({ side, pointer, count }) => [side, pointer, count])).toEqual([
      ['response', '/id', 2],
      ['response', '/name', 1],
      ['request', '/id', 2],
      ['request', '/name', 1],
    ]);
  });
});

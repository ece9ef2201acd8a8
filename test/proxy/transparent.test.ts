import type { Socket } from 'node:net';
import { startProxy } from 'plant-store-contract/proxy';
import { expect, test } from 'vitest';
import { sendRaw, startRaw } from './raw.js';

// What a client and a provider receive, with the proxy between them and without it.

const CRLF = '\r\n';

interface Exchange {
  readonly request?: string;
  readonly response: string | ((socket: Socket) => void);
}

function post(body: string, ...headers: string[]): string {
  const fields = ['Authorization: Bearer secret', 'content-type: application/json', ...headers];
  const length = headers.some((field) => /^(?:content-length|transfer-encoding)/i.test(field))
    ? []
    : [`Content-Length: ${Buffer.byteLength(body, 'latin1')}`];
  return ['POST /plants HTTP/1.1', 'Host: store', ...fields, ...length, '', body].join(CRLF);
}

function respond(status: string, headers: readonly string[], body: string): string {
  return [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${body.length}`, '', body].join(CRLF);
}

const JSON_TYPE = 'Content-Type: application/json';
const PLANT = respond('200 OK', [JSON_TYPE], '{"name":"Aloe"}');

const EXCHANGES: Readonly<Record<string, Exchange>> = {
  'an unknown status and reason': { response: respond('501 Not  Yet', [JSON_TYPE], '{}') },
  'several cookies': {
    response: respond('200 OK', ['Set-Cookie: a=1', 'set-cookie: b=2; Path=/', 'SET-COOKIE: c'], '{}'),
  },
  'header names in any case and order': {
    response: respond('200 OK', ['x-b: 1', 'X-A: 2', 'X-b: 3', 'eTag: "x"'], '{}'),
  },
  'header values beyond ASCII': { response: respond('200 OK', ['X-Name: \xc4gypten \xff'], '{}') },
  'bytes that are not text': {
    request: post('\xff\x00\xfe'),
    response: respond('200 OK', [], '\x00\xff\r\n\r\n'),
  },
  'a body in chunks': {
    response: `HTTP/1.1 200 OK${CRLF}${JSON_TYPE}${CRLF}Transfer-Encoding: chunked${CRLF}${CRLF}f${CRLF}{"name":"Aloe"}${CRLF}0${CRLF}${CRLF}`,
  },
  'a request body in chunks': {
    request: `${post('', 'Transfer-Encoding: chunked')}7${CRLF}{"id":7${CRLF}1${CRLF}}${CRLF}0${CRLF}${CRLF}`,
    response: PLANT,
  },
  'no body': { response: `HTTP/1.1 204 No Content${CRLF}X-A: 1${CRLF}${CRLF}` },
  'a target with unusual characters': {
    request: post('{}').replace('/plants', '/a/../plants//%2f%zz?q=a+b&q=%20&=;"'),
    response: PLANT,
  },
  'a HEAD request': {
    request: `HEAD /plants HTTP/1.1${CRLF}Host: store${CRLF}${CRLF}`,
    response: `HTTP/1.1 200 OK${CRLF}Content-Length: 99${CRLF}${CRLF}`,
  },
  'a large body': {
    request: post(`"${'x'.repeat(300_000)}"`),
    response: respond('200 OK', [], 'y'.repeat(300_000)),
  },
  'a reset': { response: (socket) => void socket.resetAndDestroy() },
  'a connection that is closed without a response': { response: (socket) => void socket.end() },
  'an incomplete response': {
    response: (socket) => void socket.end(`HTTP/1.1 200 OK${CRLF}Content-Length: 99${CRLF}${CRLF}{"na`),
  },
  'a response to the end of the connection': {
    response: (socket) => void socket.end(`HTTP/1.1 200 OK${CRLF}${JSON_TYPE}${CRLF}${CRLF}{"name":"Aloe"}`),
  },
};

/** A message without what belongs to one connection, and with its chunks joined. */
function endToEnd(message: string): { start: string; headers: string[]; body: string } {
  const end = message.indexOf(`${CRLF}${CRLF}`);
  const [start = '', ...fields] = (end === -1 ? message : message.slice(0, end)).split(CRLF);
  const isChunked = fields.some((field) => /^transfer-encoding: chunked$/i.test(field));
  const body = end === -1 ? '' : message.slice(end + 4);
  return {
    start,
    headers: fields.filter((field) => !/^(?:host|connection|keep-alive|transfer-encoding):/i.test(field)),
    body: isChunked ? joined(body) : body,
  };
}

/** The chunks joined, and the trailers; or a mark if there is no end. */
function joined(body: string): string {
  let rest = body;
  let all = '';
  for (;;) {
    const line = rest.indexOf(CRLF);
    const size = Number.parseInt(rest.slice(0, line), 16);
    if (line === -1 || Number.isNaN(size)) return `${all}|no end`;
    if (size === 0) return `${all}|${rest.slice(line + 2)}`;
    all += rest.slice(line + 2, line + 2 + size);
    rest = rest.slice(line + 4 + size);
  }
}

test.for(Object.entries(EXCHANGES))(
  '%s',
  async ([, { request = post('{"name":"Aloe","id":7}'), response: given }]) => {
    const write = typeof given === 'string' ? (socket: Socket) => void socket.end(given, 'latin1') : given;
    const [direct, proxied] = [await startRaw(write), await startRaw(write)];
    await using proxy = await startProxy({ upstream: proxied.url });
    const closing = request.replace(CRLF, `${CRLF}Connection: close${CRLF}`);
    const [without, through] = await Promise.all([sendRaw(direct.url, closing), sendRaw(proxy.url, closing)]);
    expect(endToEnd(proxied.sent())).toEqual(endToEnd(direct.sent()));
    // To the end of the connection, or in chunks: both are framing.
    const [expected, got] = [endToEnd(without), endToEnd(through)];
    const isFramed =
      /content-length|chunked/i.test(without) || without === '' || /^HTTP\S+ 204/.test(without);
    expect(got).toEqual(isFramed ? expected : { ...expected, body: `${expected.body}|${CRLF}` });
    expect((await proxy.report()).traffic.exchanges).toBe(1);
  },
);

test('a body is forwarded while it comes, in both directions', async () => {
  const upstream = await startRaw((socket) => {
    socket.write(`HTTP/1.1 200 OK${CRLF}Content-Length: 4${CRLF}${CRLF}{"`);
    setTimeout(() => socket.end('a}'), 50);
  });
  await using proxy = await startProxy({ upstream: upstream.url });
  const response = await fetch(`${proxy.url}/plants`, { method: 'POST', body: '{}' });
  const reader = response.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('{"');
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('a}');
});

const AWKWARD: Readonly<Record<string, { request?: string; response?: string }>> = {
  'a request that announces trailers and has none': { request: post('{}', 'Trailer: X-Sum') },
  'a GET that announces trailers': {
    request: `GET /plants HTTP/1.1${CRLF}Host: store${CRLF}Trailer: X${CRLF}${CRLF}`,
  },
  'a response that announces trailers and has a length': {
    response: respond('200 OK', ['Trailer: X-Sum'], '{}'),
  },
  'a reason with a control character': { response: respond('200 O\x01K', [], '{}') },
  'an invalid status': { response: respond('099 Odd', [], '{}') },
  'another protocol': {
    response: `HTTP/1.1 101 Other${CRLF}Connection: Upgrade${CRLF}Upgrade: x${CRLF}${CRLF}`,
  },
  'an unknown expectation': { request: post('{}', 'Expect: foo') },
};

test.for(Object.entries(AWKWARD))('%s does not end the proxy', async ([, awkward]) => {
  const { request = post('{"name":"Aloe","id":7}'), response: given = PLANT } = awkward;
  const upstream = await startRaw((socket) => void socket.end(given, 'latin1'));
  await using proxy = await startProxy({ upstream: upstream.url });
  await sendRaw(proxy.url, request.replace(CRLF, `${CRLF}Connection: close${CRLF}`));
  expect(upstream.sent()).not.toBe('');
  expect((await proxy.report()).traffic.exchanges).toBe(1);
});

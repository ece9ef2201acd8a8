import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as matchers from 'plant-store-contract/matchers';
import { describe, expect, test } from 'vitest';

expect.extend(matchers);

const JSON_TYPE = { 'content-type': 'application/json' };

interface Thrown {
  readonly message: string;
  readonly actual?: unknown;
  readonly expected?: unknown;
}

/** What a failing assertion throws. */
async function thrown(assert: () => unknown): Promise<Thrown> {
  try {
    await assert();
  } catch (error) {
    return error as Thrown;
  }
  throw new Error('nothing was thrown');
}

/** As JSON; what the interface requires is then a string. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

describe('a message', () => {
  test('lists every violation: where it is, what was expected, and what was received', async () => {
    const response = {
      status: 200,
      headers: { 'content-type': 'text/plain' },
      body: '{"name":"Aloe","tag":null,"id":7}',
    };
    const { message, actual, expected } = await thrown(() => expect(response).toConformToPlantStore());
    expect(message).toBe(
      [
        'this is not a conforming response (status 200):',
        '  header /content-type: the Content-Type must be application/json; got "text/plain"',
        '  body /tag: "tag" must be a string; got null',
        '  body /id: a Plant has no field "id"; got 7',
      ].join('\n'),
    );
    expect(plain(actual)).toEqual({
      status: 200,
      'content-type': 'text/plain',
      body: { name: 'Aloe', tag: null, id: 7 },
    });
    expect(plain(expected)).toEqual({
      status: 200,
      'content-type': 'application/json',
      body: { name: 'Aloe', tag: 'a string' },
    });
  });

  test.each<[string, object, object, object]>([
    [
      'an undocumented status',
      { status: 302, headers: {}, body: '' },
      { status: 302, body: 'nothing' },
      { status: '200, 400 or another 4xx', body: 'nothing' },
    ],
    [
      'a field that is missing',
      { status: 400, headers: JSON_TYPE, body: '{"message":"no"}' },
      { status: 400, 'content-type': 'application/json', body: { message: 'no' } },
      {
        status: 400,
        'content-type': 'application/json',
        body: { message: 'no', error: 'required' },
      },
    ],
    [
      'a body that is not JSON',
      { status: 400, headers: {}, body: Buffer.from('<h1>no</h1>') },
      { status: 400, body: '"<h1>no</h1>"' },
      { status: 400, 'content-type': 'application/json', body: 'an Error as JSON' },
    ],
    [
      'a number that a double would round',
      { status: 400, headers: JSON_TYPE, body: '{"error":9007199254740993,"message":"no"}' },
      { status: 400, 'content-type': 'application/json', body: { error: '9007199254740993', message: 'no' } },
      {
        status: 400,
        'content-type': 'application/json',
        body: { error: 'an integer in the range of int32', message: 'no' },
      },
    ],
    [
      'two media types',
      { status: 200, headers: { 'content-type': ['text/plain', 'text/html'] }, body: '{"name":"Aloe"}' },
      { status: 200, 'content-type': ['text/plain', 'text/html'], body: { name: 'Aloe' } },
      { status: 200, 'content-type': 'application/json', body: { name: 'Aloe' } },
    ],
  ])('shows %s as a diff', async (_what, response, actual, expected) => {
    const found = await thrown(() => expect(response).toConformToPlantStore());
    expect(plain(found.actual)).toEqual(actual);
    expect(plain(found.expected)).toEqual(expected);
  });

  test('about a value shows the value alone', async () => {
    const { message, actual, expected } = await thrown(() =>
      expect({ name: 'Aloe', id: '7' }).toBeNewPlant(),
    );
    expect(message).toBe(
      'this is not a NewPlant:\n  body /id: "id" must be an integer in the range of int64; got the string "7"',
    );
    expect(plain(actual)).toEqual({ name: 'Aloe', id: '7' });
    expect(plain(expected)).toEqual({ name: 'Aloe', id: 'an integer in the range of int64' });
  });

  test('about a response with another status says which status was expected', async () => {
    const rejection = { status: 400, headers: JSON_TYPE, body: '{"error":40,"message":"duplicate"}' };
    const { message, actual } = await thrown(() => expect(rejection).toBePlant());
    expect(message).toBe('this is not a Plant (status 400):\n  the status must be 200; got 400');
    // The reason of the rejection helps most here.
    expect(plain(actual)).toMatchObject({ body: { message: 'duplicate' } });
    const plant = { status: 200, headers: JSON_TYPE, body: '{"name":"Aloe"}' };
    const other = await thrown(() => expect(plant).toBePlantStoreError());
    expect(other.message).toContain('the status must be 400 or another 4xx; got 200');
    const broken = await thrown(() => expect({ ...rejection, status: 500 }).toBePlantStoreError());
    expect(broken.message).toContain('the status must be 400 or another 4xx; got 500');
    // Here an Error is asked for, so a 4xx without one is not enough.
    const empty = await thrown(() => expect({ status: 401, headers: {}, body: '' }).toBePlantStoreError());
    expect(empty.message).toContain('the body is missing');
    expect({ status: 401, headers: {}, body: '' }).toConformToPlantStore();
  });

  test('is short, however long the body is', async () => {
    const long = { name: 'a'.repeat(1e6), list: Array(1e5).fill(1), id: 'b'.repeat(1e6) };
    const { message, actual, expected } = await thrown(() => expect(long).toBePlant());
    expect(message.length + JSON.stringify(plain([actual, expected])).length).toBeLessThan(5_000);
    const text = await thrown(() =>
      expect({ status: 400, headers: {}, body: '<'.repeat(1e6) }).toConformToPlantStore(),
    );
    expect(JSON.stringify(plain(text.actual)).length).toBeLessThan(300);
  });

  test.each<[string, () => unknown]>([
    [
      'a conforming response',
      () => expect({ status: 200, headers: JSON_TYPE, body: '{"name":"a"}' }).not.toConformToPlantStore(),
    ],
    ['a Plant', () => expect({ name: 'Aloe' }).not.toBePlant()],
    ['a NewPlant', () => expect({ name: 'Aloe', id: 7 }).not.toBeNewPlant()],
    ['a plant store Error', () => expect({ error: 1, message: '' }).not.toBePlantStoreError()],
  ])('of .not says that it is %s', async (wanted, assert) => {
    const { message, actual, expected } = await thrown(assert);
    expect(message).toMatch(new RegExp(`^expected anything but ${wanted}; this is one`));
    expect([actual, expected]).toEqual([undefined, undefined]);
  });

  test('contains the diff if the runner does not show one by itself', async () => {
    const context = { isNot: false, utils: { diff: (...sides: unknown[]) => JSON.stringify(sides) } };
    const result = await matchers.toBePlant.call(context, { name: 7 });
    expect(result.message()).toBe(
      'this is not a Plant:\n  body /name: "name" must be a string; got 7\n\n[{"name":"a string"},{"name":7}]',
    );
    expect(
      (await matchers.toBePlant.call({ ...context, utils: { diff: () => null } }, {})).message(),
    ).not.toContain('null');
    expect((await matchers.toBePlant.call({}, {})).message()).toMatch(/^this is not a Plant:\n.*$/);
  });
});

describe('what cannot be judged fails, also with .not', () => {
  const consumed = Response.json({ name: 'Aloe' });
  const locked = Response.json({ name: 'Aloe' });
  locked.body?.getReader();
  const stream = new ReadableStream();

  test.for<[string, unknown, RegExp]>([
    ['nothing', undefined, /: undefined was given$/],
    ['a function', () => ({ status: 200 }), /a function was given/],
    ['a symbol', Symbol('a'), /a symbol was given/],
    ['a promise', Promise.resolve(Response.json({ name: 'Aloe' })), /a promise was given; await it first/],
    ['a stream', stream, /a stream was given; read it first/],
    ['a response whose body was read', consumed, /its body has been read already/],
    ['a response whose body is being read', locked, /its body cannot be read: \S/],
    [
      'a response whose body is a stream',
      { status: 200, headers: {}, body: stream },
      /its body is a stream; read it first/,
    ],
    [
      'a body of undici that was read',
      { status: 200, headers: {}, body: { bodyUsed: true, arrayBuffer() {}, pipe() {} } },
      /read already/,
    ],
  ])('%s', async ([, received, why]) => {
    if (received === consumed && !consumed.bodyUsed) await consumed.text();
    for (const name of ['toConformToPlantStore', 'toBePlant', 'toBePlantStoreError'] as const) {
      expect((await thrown(() => expect(received)[name]())).message).toMatch(why);
      expect((await thrown(() => expect(received).not[name]())).message).toMatch(why);
    }
  });

  test.for<[string, unknown]>([
    ['a plant', { name: 'Aloe' }],
    ['a string', '{"name":"Aloe"}'],
    ['null', null],
    ['a request', new Request('http://localhost/plants', { method: 'POST', body: '{}' })],
    ['a status that is a string', { status: '200', headers: {}, body: '{}' }],
  ])('%s instead of a response', async ([, received]) => {
    const why = /it is not a response; a response has a status, headers and a body/;
    expect((await thrown(() => expect(received).toConformToPlantStore())).message).toMatch(why);
    expect((await thrown(() => expect(received).not.toConformToPlantStore())).message).toMatch(why);
  });

  test('a request instead of a response, and a response instead of a request', async () => {
    const request = { method: 'POST', headers: JSON_TYPE, body: '{}' };
    const response = { status: 200, headers: JSON_TYPE, body: '{}' };
    expect((await thrown(() => expect(request).not.toBePlant())).message).toMatch(/it is a request/);
    expect((await thrown(() => expect(request).not.toBePlantStoreError())).message).toMatch(
      /it is a request/,
    );
    expect((await thrown(() => expect(response).not.toBeNewPlant())).message).toMatch(/it is a response/);
  });

  test('a response of node:http, whose body has not arrived', async () => {
    const server = createServer((_request, response) => response.end('{"name":"Aloe"}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const incoming = await new Promise<IncomingMessage>((resolve) =>
      get({ port, host: '127.0.0.1' }, resolve),
    );
    const why = /its body is a stream; read it first, and pass \{ status, headers, body \}/;
    expect((await thrown(() => expect(incoming).toBePlant())).message).toMatch(why);
    expect((await thrown(() => expect(incoming).not.toBePlant())).message).toMatch(why);
    incoming.destroy();
    server.close();
  });
});

test('the module exports the matchers only, so it can be passed to expect.extend', () => {
  expect(Object.keys(matchers).sort()).toEqual([
    ...['toBeNewPlant', 'toBePlant', 'toBePlantStoreError', 'toConformToPlantStore'],
  ]);
});

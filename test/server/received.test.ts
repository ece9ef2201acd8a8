import {
  createPlantStore,
  type PlantStore,
  type ReceivedRequest,
  startPlantStore,
} from 'plant-store-contract/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Journal } from '../../src/server/journal.js';
import { creation, plant, send, TOKEN } from './plant-request.js';
import { head, responseTo, wholeRequest } from './raw-socket.js';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Sends invalid requests, numbered in their query, to a store without a port. */
async function knock(store: PlantStore, count: number): Promise<void> {
  for (let number = 0; number < count; number++)
    await store.fetch(new Request(`http://localhost/plants?${number}`, { method: 'POST' }));
}

function numbers(store: PlantStore): number[] {
  return store.received().map(({ target }) => Number(target.split('?')[1]));
}

test('the last 1,000 requests are kept, oldest first', async () => {
  const store = createPlantStore();
  expect(store.received()).toEqual([]);
  await knock(store, 1_005);
  expect(numbers(store)).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 5));
  store.reset();
  expect(store.received()).toEqual([]);
  await knock(store, 2);
  expect(numbers(store)).toEqual([0, 1]);
});

test('a request is kept unchanged: method, target, headers in order and case, body bytes', async () => {
  await using store = await startPlantStore({ token: TOKEN });
  const body = Buffer.from([0x7b, 0xff, 0x00, 0xe9, 0x0d, 0x0a, 0x80]);
  const start =
    'PATCH /pl%61nts?x=%20 HTTP/1.1\r\nhOST: localhost\r\nX-a: 1\r\nx-B:  two \r\nX-A: 3\r\nx-c:\r\n';
  const before = Date.now();
  await responseTo(store.port, Buffer.concat([Buffer.from(`${start}Content-Length: 7\r\n\r\n`), body]));
  const [request, ...more] = store.received();
  expect(more).toEqual([]);
  expect(request).toMatchObject({ method: 'PATCH', target: '/pl%61nts?x=%20', status: 404 });
  expect(request?.headers).toEqual([
    ['hOST', 'localhost'],
    ['X-a', '1'],
    ['x-B', 'two'],
    ['X-A', '3'],
    ['x-c', ''],
    ['Content-Length', '7'],
  ]);
  expect(Buffer.from(request?.body ?? [])).toEqual(body);
  expect(request?.at.getTime()).toBeGreaterThanOrEqual(before);
  expect(request?.at.getTime()).toBeLessThanOrEqual(Date.now());
});

test('a success has no rejection, and a rejection says why', async () => {
  await using store = await startPlantStore({ token: TOKEN });
  await send(store.url);
  const { text } = await send(store.url, { body: '{' });
  const [success, rejected] = store.received();
  expect(success).toMatchObject({ status: 200 });
  expect(success).not.toHaveProperty('rejection');
  expect(rejected).toMatchObject({ status: 400, rejection: JSON.parse(text).message });
});

test('a body is there as JSON too, with exact numbers', async () => {
  await using store = await startPlantStore({ token: TOKEN });
  await send(store.url, { body: '{"name":"Aloe","id":9223372036854775807,"rank":1.5}' });
  await send(store.url, { body: '{"id":7,"id":8}' });
  await send(store.url, { body: '{' });
  expect(store.received().map(({ json }) => json)).toEqual([
    { name: 'Aloe', id: 9223372036854775807n, rank: 1.5 },
    { id: 8 },
    undefined,
  ]);
  // A getter would not print as data.
  expect(Object.getOwnPropertyDescriptor(store.received()[0], 'json')).toHaveProperty('value');
});

test('received() and the logger get copies', async () => {
  let logged: ReceivedRequest | undefined;
  const logger = (entry: ReceivedRequest): void => {
    logged = entry;
  };
  await using store = await startPlantStore({ token: TOKEN, logger });
  await responseTo(store.port, wholeRequest(plant(7)));
  logged?.body.fill(0x61);
  store.received()[0]?.body.fill(0x62);
  store.received()[0]?.at.setTime(0);
  (store.received() as unknown[]).length = 0;
  const [request] = store.received();
  expect(Buffer.from(request?.body ?? []).toString()).toBe(plant(7));
  expect(request?.at.getTime()).toBeGreaterThan(0);
});

describe('a request is there from its arrival', () => {
  const numbersAndStatuses = (store: PlantStore) =>
    store.received().map(({ json, status }) => [(json as { id: number }).id, status]);

  test('in the order of arrival, with the status 0 until it is answered', async () => {
    await using store = await startPlantStore({ token: TOKEN });
    store.next({ delayMs: 300 });
    const slow = send(store.url, { body: plant(1) });
    await vi.waitFor(() => expect(numbersAndStatuses(store)).toEqual([[1, 0]]));
    await send(store.url, { body: plant(2) });
    expect(numbersAndStatuses(store)).toEqual([
      [1, 0],
      [2, 200],
    ]);
    await slow;
    expect(numbersAndStatuses(store)).toEqual([
      [1, 200],
      [2, 200],
    ]);
  });

  test.each(['reset', 'a full journal'])('and is not added again after %s', async (what) => {
    const store = createPlantStore({ token: TOKEN });
    store.next({ delayMs: 50 });
    const slow = store.fetch(creation(undefined, { body: plant(1) }));
    await vi.waitFor(() => expect(store.received()).toHaveLength(1));
    if (what === 'reset') store.reset();
    else await knock(store, 1_000);
    await slow;
    expect(store.received().filter(({ status }) => status === 200)).toEqual([]);
  });
});

test('what cannot be read as a request is there, and in the log', async () => {
  const logged: ReceivedRequest[] = [];
  await using store = await startPlantStore({ token: TOKEN, logger: (entry) => logged.push(entry) });
  for (const bytes of [
    Buffer.from('160301020001000001fc0303', 'hex'),
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    `POST /plants HTTP/1.1\r\nHost: a\r\nCookie: ${'c'.repeat(17_000)}\r\n\r\n`,
    `${head('Transfer-Encoding: chunked')}x\r\n`,
  ])
    await responseTo(store.port, bytes);
  expect(store.received()).toMatchObject([
    { method: '', target: '', status: 400, rejection: expect.stringContaining('it is TLS') },
    { method: '', target: '', status: 400, rejection: expect.stringContaining('it is HTTP/2') },
    { method: '', target: '', status: 400, rejection: expect.stringContaining('larger than 16 KiB') },
    { method: 'POST', target: '/plants', status: 400, rejection: expect.stringContaining('well-formed') },
  ]);
  expect(logged).toEqual(store.received());
});

test('a body of JSON stays JSON without the token, and its numbers stay', async () => {
  const store = createPlantStore({ token: '12345' });
  const authorization = 'Bearer 12345';
  const body = '{"name":"the 12345","id":12345,"access_token":"x","n":{"access_token":1}}';
  await store.fetch(creation(undefined, { headers: { authorization }, body }));
  const [request] = store.received();
  expect(Buffer.from(request?.body ?? []).toString()).toBe(
    '{"name":"the [redacted]","id":12345,"access_token":"[redacted]","n":{"access_token":1}}',
  );
  expect(request?.json).toMatchObject({ name: 'the [redacted]', id: 12345 });
  expect(request?.response?.body).toBe('{"name":"the [redacted]"}');
});

describe('bodies are kept up to 64 MiB together', () => {
  const large = new Uint8Array(2 ** 24);

  /** Adds requests, numbered in their targets, and gives the numbers of those that are kept. */
  function add(journal: Journal, count: number, body = large): number[] {
    for (let number = 0; number < count; number++)
      journal.add({ method: 'POST', target: `/plants?${number}`, headers: [], body });
    return Array.from(journal.entries(), ({ target }) => Number(target.split('?')[1]));
  }

  test('of many large bodies, the last ones are kept', () => {
    const journal = new Journal([]);
    expect(add(journal, 6)).toEqual([2, 3, 4, 5]);
    expect(add(journal, 1_002, new Uint8Array(1))).toEqual(Array.from({ length: 1_000 }, (_, at) => at + 2));
  });
});

describe('the logger', () => {
  test('receives the entries of received(), in order', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(1_700_000_000_000);
    const entries: ReceivedRequest[] = [];
    await using store = await startPlantStore({ token: TOKEN, logger: (entry) => entries.push(entry) });
    await send(store.url);
    await send(store.url, { body: '{' });
    await send(store.url, { method: 'GET', path: `/?a=${TOKEN}` });
    expect(entries.map(({ status }) => status)).toEqual([200, 400, 404]);
    expect(entries).toEqual(store.received());
  });

  test('that throws causes a warning and nothing else', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const logger = (): void => {
      throw new Error('the disk is full');
    };
    await using store = await startPlantStore({ token: TOKEN, logger });
    expect(await send(store.url)).toMatchObject({ status: 200, text: '{"name":"Aloe"}' });
    expect(store.plants()).toHaveLength(1);
    expect(store.received()).toHaveLength(1);
    expect(warn).toHaveBeenCalledWith('the logger of the plant store threw: Error: the disk is full');
  });
});

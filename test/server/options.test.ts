import { networkInterfaces } from 'node:os';
import { createPlantStore, type PlantStoreOptions, startPlantStore } from 'plant-store-contract/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { checkConformance } from '../../src/conformance/index.js';
import { creation, plant, rejection, type Sent, send, TOKEN } from './plant-request.js';

afterEach(() => {
  vi.useRealTimers();
});

test('without options it listens on a free port of 127.0.0.1', async () => {
  await using store = await startPlantStore();
  await using other = await startPlantStore();
  expect(store.url).toBe(`http://127.0.0.1:${store.port}`);
  expect(other.port).not.toBe(store.port);
});

test('host and port set where it listens', async () => {
  const first = await startPlantStore({ host: 'localhost', token: TOKEN });
  await first.close();
  await using store = await startPlantStore({ host: 'localhost', port: first.port, token: TOKEN });
  expect(store.port).toBe(first.port);
  expect((await send(`http://localhost:${store.port}`)).status).toBe(200);
});

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

test.runIf(hasIpv6)('the URL of an IPv6 address has brackets', async () => {
  await using store = await startPlantStore({ host: '::1', token: TOKEN });
  expect(store.url).toBe(`http://[::1]:${store.port}`);
  expect((await send(store.url)).status).toBe(200);
});

test.each([
  [{}, 1_048_576],
  [{ bodyBytes: 100 }, 100],
])('%o: a body of %i bytes is read, one byte more is rejected', async (options, limit) => {
  await using store = await startPlantStore({ token: TOKEN, ...options });
  const ofBytes = (bytes: number): Sent => ({ body: plant(7, 'a'.repeat(bytes - plant(7, '').length)) });
  expect((await send(store.url, ofBytes(limit))).status).toBe(200);
  expect(rejection(await send(store.url, ofBytes(limit + 1)))).toMatchObject({
    status: 400,
    name: 'body-too-large',
    message: expect.stringContaining(`${limit} bytes`),
  });
});

test('delayMs: each response is delayed, error responses too', async () => {
  vi.useFakeTimers();
  const store = createPlantStore({ token: TOKEN, delayMs: 250 });
  const answered = vi.fn();
  const response = store.fetch(creation(undefined, { body: '{' })).then(answered);
  await vi.advanceTimersByTimeAsync(249);
  expect(answered).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await response;
  expect(answered).toHaveBeenCalledOnce();
});

const same = [plant(7, 'a', 'b'), plant(7, 'a', 'b'), plant(7, 'a'), plant(7, 'c', 'b')];
const types = ['application/json', 'text/plain; charset=utf-8', 'application/vnd.api+json', undefined];
const REQUESTS: Readonly<Record<string, readonly Sent[]>> = {
  'the same plant again, and others with its id': same.map((body) => ({ body })),
  'the scheme as documented, and in lower case': ['Bearer', 'bearer'].map((scheme, at) => ({
    headers: { authorization: `${scheme} ${TOKEN}` },
    body: plant(at),
  })),
  'media types, and none': types.map((type, at) => ({ headers: { 'content-type': type }, body: plant(at) })),
};
const [DUPLICATES, SCHEMES, TYPES] = Object.keys(REQUESTS) as [string, string, string];

test.for<[PlantStoreOptions, string, number[]]>([
  [{}, DUPLICATES, [200, 400, 400, 400]],
  [{ duplicateId: 'replace' }, DUPLICATES, [200, 200, 200, 200]],
  [{ duplicateId: 'reject-different' }, DUPLICATES, [200, 200, 400, 400]],
  [{}, SCHEMES, [200, 200]],
  [{ schemeCase: 'exact' }, SCHEMES, [200, 400]],
  [{}, TYPES, [200, 400, 400, 400]],
  [{ mediaTypes: ['text/plain'] }, TYPES, [200, 200, 400, 400]],
  [{ mediaTypes: ['none'] }, TYPES, [200, 400, 400, 200]],
  [{ mediaTypes: ['*/*'] }, TYPES, [200, 200, 200, 400]],
])('%j: %s get %j', async ([options, what, statuses]) => {
  const { fetch, plants } = createPlantStore({ token: TOKEN, ...options });
  const seen: number[] = [];
  for (const { headers = {}, body } of REQUESTS[what] ?? []) {
    const request = creation(undefined, { body: body as string });
    for (const [name, value] of Object.entries(headers))
      if (value === undefined) request.headers.delete(name);
      else request.headers.set(name, String(value));
    seen.push((await fetch(request)).status);
  }
  expect(seen).toEqual(statuses);
  if (what === DUPLICATES) expect(plants()[0]?.name).toBe(options.duplicateId === 'replace' ? 'c' : 'a');
});

describe('rejections', () => {
  test('have the status and the error of their reason', async () => {
    const rejections = { 'id-duplicate': { status: 409, error: -8 }, 'name-missing': { error: 7 } } as const;
    await using store = await startPlantStore({ token: TOKEN, rejections });
    await send(store.url);
    const duplicate = await send(store.url);
    expect([duplicate.status, JSON.parse(duplicate.text).error]).toEqual([409, -8]);
    const missing = await send(store.url, { body: '{"id":8}' });
    expect([missing.status, JSON.parse(missing.text).error]).toEqual([400, 7]);
    expect(rejection(await send(store.url, { body: '{"name":"a"}' })).name).toBe('id-missing');
  });

  test.for<[PlantStoreOptions['errorCodes'] & {}, number]>([
    ['own', 40],
    ['status', 409],
    [-1, -1],
  ])('have the error that errorCodes: %j says: %i', async ([errorCodes, error]) => {
    const rejections = { 'id-duplicate': { status: 409 } } as const;
    await using store = await startPlantStore({ token: TOKEN, rejections, errorCodes });
    await send(store.url);
    expect(JSON.parse((await send(store.url)).text).error).toBe(error);
  });
});

test('no option makes the server nonconforming', async () => {
  const rejected = { status: 422, error: -(2 ** 31) } as const;
  const rejections = {
    'id-duplicate': rejected,
    'json-malformed': rejected,
    'name-invalid': rejected,
    'media-type': rejected,
  };
  const store = createPlantStore({
    token: TOKEN,
    rejections,
    errorCodes: 'status',
    schemeCase: 'exact',
    duplicateId: 'reject-different',
    unknownFields: 'reject',
    mediaTypes: ['*/*', 'none'],
    bodyBytes: 2000,
  });
  const baseUrl = 'http://localhost';
  const report = await checkConformance({ baseUrl, fetch: store.fetch, token: TOKEN, prism: false });
  expect([report.conclusion, report.summary]).toEqual(['conforms', expect.any(String)]);
});

import { networkInterfaces } from 'node:os';
import { createPlantStore, type PlantStoreOptions, startPlantStore } from 'plant-store-contract/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { checkConformance } from '../../src/conformance/index.js';
import { creation, plant, rejection, type Sent, send, TOKEN } from './plant-request.js';

afterEach(() => {
  vi.useRealTimers();
});

/** A plant of a certain number of bytes. */
function plantOfBytes(bytes: number): string {
  return plant(7, 'a'.repeat(bytes - plant(7, '').length));
}

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

describe('bodyBytes', () => {
  test.each([
    [{}, 1_048_576],
    [{ bodyBytes: 100 }, 100],
    [{ bodyBytes: 20 }, 20],
  ])('%o: a body of %i bytes is read, one byte more is rejected', async (options, limit) => {
    await using store = await startPlantStore({ token: TOKEN, ...options });
    expect((await send(store.url, { body: plantOfBytes(limit) })).status).toBe(200);
    const rejected = rejection(await send(store.url, { body: plantOfBytes(limit + 1) }));
    expect(rejected).toMatchObject({ status: 400, name: 'body-too-large' });
    expect(rejected.message).toContain(`${limit} bytes`);
  });
});

describe('delayMs', () => {
  test('each response is delayed, error responses too', async () => {
    vi.useFakeTimers();
    const store = createPlantStore({ token: TOKEN, delayMs: 250 });
    const answered = vi.fn();
    const response = store.fetch(creation()).then(answered);
    await vi.advanceTimersByTimeAsync(249);
    expect(answered).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await response;
    expect(answered).toHaveBeenCalledOnce();
  });
});

/** The statuses of requests to one store, in order. */
async function statusesOf(options: PlantStoreOptions, requests: readonly Sent[]): Promise<number[]> {
  await using store = await startPlantStore({ token: TOKEN, ...options });
  const statuses: number[] = [];
  for (const request of requests) statuses.push((await send(store.url, request)).status);
  return statuses;
}

const withBody = (...bodies: readonly string[]): Sent[] => bodies.map((body) => ({ body }));
const withAuthorization = (...values: readonly (string | string[])[]): Sent[] =>
  values.map((authorization, at) => ({ headers: { authorization }, body: plant(at + 1) }));
const ofType = (...types: readonly (string | undefined)[]): Sent[] =>
  types.map((type, at) => ({ headers: { 'content-type': type }, body: plant(at + 1) }));

describe('duplicates', () => {
  const same = withBody(plant(7, 'a', 'b'), plant(7, 'a', 'b'), plant(7, 'a'), plant(7, 'c', 'b'));

  test.for<[PlantStoreOptions, number[]]>([
    [{}, [200, 400, 400, 400]],
    [{ duplicateId: 'reject' }, [200, 400, 400, 400]],
    [{ duplicateId: 'replace' }, [200, 200, 200, 200]],
    [{ duplicateId: 'reject-different' }, [200, 200, 400, 400]],
  ])('%j: the same plant again, and others with its id, get %j', async ([options, statuses]) => {
    expect(await statusesOf(options, same)).toEqual(statuses);
  });

  test.for<[PlantStoreOptions['duplicateId'], string]>([
    ['reject', 'first'],
    ['replace', 'second'],
  ])('%s: the %s plant is kept', async ([duplicateId = 'reject', kept]) => {
    await using store = await startPlantStore({ token: TOKEN, duplicateId });
    for (const name of ['first', 'second']) await send(store.url, { body: plant(7, name, 'tag') });
    expect(store.plants()).toEqual([{ name: kept, id: 7, tag: 'tag' }]);
  });
});

test.for<[PlantStoreOptions, number[]]>([
  [{}, [200, 200]],
  [{ schemeCase: 'exact' }, [200, 400]],
])('%j: the scheme as documented, and in lower case, get %j', async ([options, statuses]) => {
  expect(await statusesOf(options, withAuthorization(`Bearer ${TOKEN}`, `bearer ${TOKEN}`))).toEqual(
    statuses,
  );
});

test.for<[PlantStoreOptions['challenge'] & {}, string | undefined]>([
  ['Bearer realm="plants"', 'Bearer realm="plants"'],
  [false, undefined],
])('the challenge %j is sent as %j', async ([challenge, sent]) => {
  await using store = await startPlantStore({ token: TOKEN, challenge });
  const response = await send(store.url, { headers: { authorization: 'Bearer wrong' } });
  expect(response.headers['www-authenticate']).toBe(sent);
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

  test.for<[PlantStoreOptions['errorCodes'], number]>([
    ['own', 40],
    ['status', 409],
    [-1, -1],
  ])('have the error that errorCodes: %j says: %i', async ([errorCodes, error]) => {
    const rejections = { 'id-duplicate': { status: 409 } } as const;
    await using store = await startPlantStore({ token: TOKEN, rejections, errorCodes: errorCodes ?? 'own' });
    await send(store.url);
    expect(JSON.parse((await send(store.url)).text).error).toBe(error);
  });
});

describe('media types', () => {
  const types = ofType(
    'application/json',
    'text/plain; charset=utf-8',
    'application/vnd.api+json',
    undefined,
  );

  test.for<[readonly string[], number[]]>([
    [[], [200, 400, 400, 400]],
    [['text/plain'], [200, 200, 400, 400]],
    [['none'], [200, 400, 400, 200]],
    [
      ['*/*', 'none'],
      [200, 200, 200, 200],
    ],
    [['*/*'], [200, 200, 200, 400]],
  ])('%j beside application/json: %j', async ([mediaTypes, statuses]) => {
    expect(await statusesOf({ mediaTypes }, types)).toEqual(statuses);
  });
});

test('no option makes the server nonconforming', async () => {
  const rejected = { status: 422, error: -(2 ** 31) } as const;
  const rejections = {
    ...{ 'id-duplicate': rejected, 'json-malformed': rejected },
    ...{ 'name-invalid': rejected, 'media-type': rejected },
  };
  const store = createPlantStore({
    token: TOKEN,
    rejections,
    errorCodes: 'status',
    challenge: false,
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

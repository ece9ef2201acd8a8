import { networkInterfaces } from 'node:os';
import { createPlantStore, startPlantStore } from 'plant-store-contract/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { plant, send, TOKEN } from './plant-request.js';
import { rejection } from './rejection.js';

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

describe('authenticationFailureStatus', () => {
  test.each([
    [{}, 400],
    [{ authenticationFailureStatus: 400 }, 400],
    [{ authenticationFailureStatus: 401 }, 401],
    [{ authenticationFailureStatus: 403 }, 403],
  ] as const)('%o: an unknown token gets %i', async (options, status) => {
    await using store = await startPlantStore({ token: TOKEN, ...options });
    const response = await send(store.url, { headers: { authorization: 'Bearer wrong' } });
    expect(rejection(response)).toMatchObject({ status, name: 'token-wrong' });
    expect((await send(store.url, { body: '{}' })).status).toBe(400);
  });
});

describe('duplicateId', () => {
  test.each([
    [{}, 400, 'first'],
    [{ duplicateId: 'reject' }, 400, 'first'],
    [{ duplicateId: 'replace' }, 200, 'second'],
  ] as const)('%o: the second creation gets %i, and the %s plant is kept', async (options, status, kept) => {
    await using store = await startPlantStore({ token: TOKEN, ...options });
    await send(store.url, { body: plant(7, 'first', 'tag') });
    const response = await send(store.url, { body: plant(7, 'second', 'tag') });
    expect(response.status).toBe(status);
    expect(store.plants()).toEqual([{ name: kept, id: 7, tag: 'tag' }]);
  });
});

describe('unknownFields', () => {
  test.each([
    [{}, 200],
    [{ unknownFields: 'ignore' }, 200],
    [{ unknownFields: 'reject' }, 400],
  ] as const)('%o: a plant with one more field gets %i', async (options, status) => {
    await using store = await startPlantStore({ token: TOKEN, ...options });
    const response = await send(store.url, { body: '{"name":"Aloe","id":7,"height":3}' });
    expect(response.status).toBe(status);
    expect(store.plants()).toEqual(status === 200 ? [{ name: 'Aloe', id: 7 }] : []);
  });
});

describe('limits.bodyBytes', () => {
  test.each([
    [{}, 1_048_576],
    [{ bodyBytes: 100 }, 100],
    [{ bodyBytes: 20 }, 20],
  ])('%o: a body of %i bytes is read, one byte more is rejected', async (limits, limit) => {
    await using store = await startPlantStore({ token: TOKEN, limits });
    expect((await send(store.url, { body: plantOfBytes(limit) })).status).toBe(200);
    const rejected = rejection(await send(store.url, { body: plantOfBytes(limit + 1) }));
    expect(rejected).toMatchObject({ status: 400, name: 'body-too-large' });
    expect(rejected.message).toContain(`${limit} bytes`);
  });

  test('0: every body is too large', async () => {
    await using store = await startPlantStore({ token: TOKEN, limits: { bodyBytes: 0 } });
    expect(rejection(await send(store.url)).name).toBe('body-too-large');
    expect(rejection(await send(store.url, { body: '' })).name).toBe('body-missing');
  });
});

describe('time limits', () => {
  test.each([
    { requestTimeoutMs: 1_000 },
    { headersTimeoutMs: 60_000 },
    { headersTimeoutMs: 2_000, requestTimeoutMs: 1_000 },
    { headersTimeoutMs: 5_000, requestTimeoutMs: 2 ** 31 - 1 },
  ])('with %o, the server responds', async (limits) => {
    await using store = await startPlantStore({ token: TOKEN, limits });
    expect((await send(store.url)).status).toBe(200);
  });
});

describe('delayMs', () => {
  function creation(): Request {
    return new Request('http://localhost/plants', { method: 'POST', body: plant(7) });
  }

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

  test('by default no timer is set', async () => {
    vi.useFakeTimers();
    const store = createPlantStore({ token: TOKEN });
    expect((await store.fetch(creation())).status).toBe(400);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('a fault makes the server nonconforming; there is none by default', async () => {
  await using right = await startPlantStore({ token: TOKEN });
  await using wrong = await startPlantStore({ token: TOKEN, faults: ['answers-201', 'omits-message'] });
  expect((await send(right.url)).status).toBe(200);
  expect((await send(wrong.url)).status).toBe(201);
  expect((await send(wrong.url)).text).toBe('{"error":40}');
});

test('undefined means the default of each option', async () => {
  await using store = await startPlantStore({
    token: undefined,
    limits: undefined,
    port: undefined,
    logger: undefined,
  } as object);
  expect(store.token).not.toBe('');
});

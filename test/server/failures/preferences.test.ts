import { createPlantStore } from 'plant-store-contract/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { preferredFailure } from '../../../src/server/failures/failure-response.js';
import { creation, plant, rejection, send, sharedStore, TOKEN } from '../plant-request.js';

const store = await sharedStore();

describe('Prefer: code', () => {
  test.each(['code=400', 'code="400"', 'respond-async, code=400', ['respond-async', 'code=400', 'code=500']])(
    '%o asks for the documented failure, and nothing is created',
    async (prefer) => {
      const response = await send(store.url, { headers: { prefer } });
      expect(rejection(response)).toMatchObject({ status: 400, name: 'failure-preferred' });
      expect(response.headers['preference-applied']).toBe('code=400');
      expect(store.plants()).toEqual([]);
    },
  );

  test.each(['', 'code=200', 'code=600', 'xcode=400'])('%o has no effect', async (prefer) => {
    const response = await send(store.url, { headers: { prefer } });
    expect(response.status).toBe(200);
    expect(response.headers).not.toHaveProperty('preference-applied');
  });

  test.each([401, 499, 500, 599])('%i is sent with an Error', async (status) => {
    const response = await send(store.url, { headers: { prefer: `code=${status}` } });
    expect(rejection(response)).toEqual({
      status,
      name: 'failure-preferred',
      message: `the request asked for a ${status} with Prefer: code=${status}`,
    });
    expect(response.headers).toMatchObject({ 'preference-applied': `code=${status}` });
    expect(response.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
    const message = `the request asked for a ${status} with Prefer: code=${status}`;
    expect(store.received()[0]).toMatchObject({ status, failure: { status, message } });
  });

  test('it is read after the token, and before the body', async () => {
    const wrong = await send(store.url, { headers: { prefer: 'code=503', authorization: 'Bearer wrong' } });
    expect(rejection(wrong).name).toBe('token-wrong');
    expect(wrong.headers).not.toHaveProperty('preference-applied');
    const broken = await send(store.url, { headers: { prefer: 'code=503' }, body: '{' });
    expect(rejection(broken)).toMatchObject({ status: 503, name: 'failure-preferred' });
  });

  test('it uses up no failure that is set', async () => {
    store.next({ status: 500 });
    expect((await send(store.url, { headers: { prefer: 'code=503' } })).status).toBe(503);
    expect((await send(store.url)).status).toBe(500);
  });
});

test('it adds to the delay of a failure that is set, and that one is shown', async () => {
  store.next({ status: 500, delayMs: 5 });
  const response = await send(store.url, { headers: { prefer: 'wait=0' } });
  expect([response.status, response.headers['preference-applied']]).toEqual([500, 'wait=0']);
  expect(store.received()[0]?.failure).toEqual({ status: 500, delayMs: 5, times: 1 });
});

describe('Prefer: wait', () => {
  afterEach(() => void vi.useRealTimers());

  test.each([
    ['wait=1', plant(7), 200, 'wait=1'],
    ['wait=1, code=503', plant(7), 503, 'code=503, wait=1'],
  ])('%s delays the response to %s', async (prefer, body, status, applied) => {
    vi.useFakeTimers();
    const portless = createPlantStore({ token: TOKEN });
    const answered = vi.fn();
    const responding = portless.fetch(creation(undefined, { headers: { prefer }, body })).finally(answered);
    await vi.advanceTimersByTimeAsync(999);
    expect(answered).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    const response = await responding;
    expect([response.status, response.headers.get('preference-applied')]).toEqual([status, applied]);
    expect(portless.plants()).toHaveLength(status === 200 ? 1 : 0);
  });

  test.each(['wait=-1', 'wait=0.5', 'wait=1000', 'wait=1s', 'xwait=2'])(
    '%s has no effect',
    async (prefer) => {
      const { status, headers } = await send(store.url, { headers: { prefer } });
      expect(status).toBe(200);
      expect(headers).not.toHaveProperty('preference-applied');
    },
  );
});

test.each([
  ['wait=0', 0],
  ['wait="010"', 10],
  ['wait=999', 999],
  ['wait=1000', undefined],
])('%s waits %s seconds', (prefer, wait) => {
  const preferred = preferredFailure(['prefer', prefer]);
  expect(preferred?.delayMs).toBe(wait && wait * 1_000);
});

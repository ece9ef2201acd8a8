import { describe, expect, test, vi } from 'vitest';
import { rejection, send, sharedStore } from '../plant-request.js';

const store = await sharedStore();

describe('Prefer: code', () => {
  test.each(['code=503', 'code="503"', 'respond-async, code=503', ['respond-async', 'code=503', 'code=500']])(
    '%o asks for this failure, and nothing is created',
    async (prefer) => {
      const response = await send(store.url, { headers: { prefer } });
      expect(rejection(response)).toMatchObject({ status: 503, name: 'failure-set' });
      expect(store.plants()).toEqual([]);
      expect(store.received()[0]).toMatchObject({ status: 503, failure: { status: 503 } });
    },
  );

  test.each([
    '',
    'code=200',
    'code=600',
    'xcode=400',
    'wait=-1',
    'wait=0.5',
    'wait=1000',
    'wait=1s',
    'xwait=2',
  ])('%j has no effect', async (prefer) => {
    const { status } = await send(store.url, { headers: { prefer } });
    expect([status, store.received()[0]?.failure]).toEqual([200, undefined]);
  });

  test('an invalid or unauthorised request gets its own response', async () => {
    const headers = { prefer: 'code=503' };
    const wrong = await send(store.url, { headers: { ...headers, authorization: 'Bearer wrong' } });
    const broken = await send(store.url, { headers, body: '{' });
    expect([wrong, broken].map((response) => rejection(response).status)).toEqual([400, 400]);
  });

  test('it uses up no failure that is set', async () => {
    store.next({ status: 500 });
    expect((await send(store.url, { headers: { prefer: 'code=503' } })).status).toBe(503);
    expect((await send(store.url)).status).toBe(500);
  });
});

// In RFC 7240 it is the longest time that a client waits, and no delay.
test('Prefer: wait changes nothing', async () => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  expect((await send(store.url, { headers: { prefer: 'wait=1' } })).status).toBe(200);
  expect(timers.mock.calls.filter(([, milliseconds]) => milliseconds === 1_000)).toEqual([]);
  timers.mockRestore();
});

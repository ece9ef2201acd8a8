import type { FailureMatch } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { plant, type Sent, send, sharedStore } from '../plant-request.js';

const store = await sharedStore({ duplicateId: 'replace' });

/** The statuses of creations, one after the other. */
async function statuses(...requests: readonly (Sent | undefined)[]): Promise<number[]> {
  const seen: number[] = [];
  for (const request of requests) seen.push((await send(store.url, request)).status);
  return seen;
}

const times = (n: number): undefined[] => Array(n).fill(undefined);

describe('how often', () => {
  test('next: once', async () => {
    store.next({ status: 503 });
    expect(await statuses(...times(3))).toEqual([503, 200, 200]);
  });

  test('next with a number: so often', async () => {
    store.next(3, { status: 503 });
    expect(await statuses(...times(5))).toEqual([503, 503, 503, 200, 200]);
  });

  test('always: until clear', async () => {
    store.always({ status: 503 });
    expect(await statuses(...times(3))).toEqual([503, 503, 503]);
    store.clear();
    expect(await statuses(undefined)).toEqual([200]);
  });

  test('every: each nth, for always and for next', async () => {
    store.always({ status: 503, every: 3 });
    expect(await statuses(...times(7))).toEqual([200, 200, 503, 200, 200, 503, 200]);
    store.reset();
    store.next(2, { status: 500, every: 2 });
    expect(await statuses(...times(7))).toEqual([200, 500, 200, 500, 200, 200, 200]);
  });
});

describe('which one', () => {
  test('those of next, in order; then the latest of always', async () => {
    store.always({ status: 500 });
    store.always({ status: 502 });
    store.next({ status: 503 });
    store.next({ status: 504 });
    expect(await statuses(...times(4))).toEqual([503, 504, 502, 502]);
  });

  test('the first one that matches', async () => {
    store.always({ status: 500, when: { name: 'Fern' } });
    store.next({ status: 503, when: { id: 8 } });
    store.next({ status: 504 });
    const fern = { body: plant(7, 'Fern') };
    expect(await statuses(fern, { body: plant(8, 'Fern') }, fern, undefined)).toEqual([504, 503, 500, 200]);
  });
});

describe('when', () => {
  test.each<[FailureMatch, Sent, Sent]>([
    [{ name: 'Aloe' }, { body: plant(1, 'Aloe') }, { body: plant(1, 'aloe') }],
    [{ id: 7 }, { body: '{"id":7.0,"name":"a"}' }, { body: plant(8) }],
    [{ id: '007' }, { body: plant(7) }, { body: plant(70) }],
    [{ id: '9007199254740993' }, { body: plant(9007199254740993n) }, { body: plant(9007199254740992n) }],
    [{ headers: { 'X-Test': 'a' } }, { headers: { 'x-test': 'a' } }, { headers: { 'x-test': 'A' } }],
    [{ headers: { 'x-test': 'a' } }, { headers: { 'X-TEST': ['b', 'a'] } }, {}],
    [
      { headers: { a: '1', b: '2' }, name: 'Aloe' },
      { headers: { a: '1', b: '2' } },
      { headers: { a: '1', b: '3' } },
    ],
    [{}, {}, { body: '{' }],
  ])('%o matches, and does not match', async (when, matching, other) => {
    store.next({ status: 503, when });
    const [without, withIt] = await statuses(other, matching);
    expect([200, 400]).toContain(without);
    expect(withIt).toBe(503);
    expect(store.unused()).toEqual([]);
  });
});

describe('unused', () => {
  test('lists what was set and not used, with what is left of its times', async () => {
    store.next({ status: 503, when: { id: 9007199254740993n } });
    store.next(3, { connection: 'reset', when: { name: 'Fern' } });
    store.next(2, { status: 500 });
    store.always({ status: 502, when: { name: 'Fern' } });
    store.always({ delayMs: 1 });
    expect(await statuses(...times(3))).toEqual([500, 500, 200]);
    const reset = { connection: 'reset', when: { name: 'Fern' }, times: 3 };
    expect(store.unused()).toEqual([
      { status: 503, when: { id: 9007199254740993n }, times: 1 },
      reset,
      { status: 502, when: { name: 'Fern' } },
    ]);
    await expect(send(store.url, { body: plant(1, 'Fern') })).rejects.toThrow();
    expect(store.unused()[1]).toEqual({ ...reset, times: 2 });
  });

  test('cannot be changed from outside', () => {
    const when = { name: 'Aloe' };
    store.next({ status: 503, when });
    when.name = 'Fern';
    (store.unused()[0]?.when as { name: string }).name = 'Fern';
    expect(store.unused()).toEqual([{ status: 503, when: { name: 'Aloe' }, times: 1 }]);
  });
});

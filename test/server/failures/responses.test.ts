import {
  createPlantStore,
  type Failure,
  type PlantStore,
  type PlantStoreOptions,
  startPlantStore,
} from 'plant-store-contract/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { creation, plant, TOKEN } from '../plant-request.js';

/** A store with a port and one without, and how to send a creation to each. */
async function eachWay(
  options: PlantStoreOptions,
  run: (
    store: PlantStore,
    create: (body?: string, signal?: AbortSignal) => Promise<Response>,
  ) => Promise<void>,
): Promise<void> {
  const request = (base: string, body = plant(7), signal?: AbortSignal) =>
    creation(base, { body, ...(signal && { signal }) });
  await using listening = await startPlantStore({ token: TOKEN, ...options });
  await run(listening, (...sent) => fetch(request(listening.url, ...sent)));
  const portless = createPlantStore({ token: TOKEN, ...options });
  await run(portless, (...sent) => portless.fetch(request('http://localhost', ...sent)));
}

const ERROR = '{"error":51,"message":"this failure was asked for"}';
const HTML = '<!doctype html><title>Bad Gateway</title>';

describe('a failure with a status', () => {
  test.each<[Failure, string, Record<string, string | null>]>([
    [{ status: 400 }, ERROR, { 'content-type': 'application/json', 'retry-after': null }],
    [{ status: 401 }, ERROR, { 'www-authenticate': 'Bearer' }],
    [{ status: 401, headers: { 'WWW-Authenticate': 'Basic' } }, ERROR, { 'www-authenticate': 'Basic' }],
    [{ status: 409, error: -8, message: 'taken' }, '{"error":-8,"message":"taken"}', {}],
    [
      { status: 502, body: HTML, headers: { 'Content-Type': 'text/html' } },
      HTML,
      { 'content-type': 'text/html' },
    ],
    [{ status: 500, body: 'Ünïcödé' }, 'Ünïcödé', { 'content-type': 'text/plain; charset=utf-8' }],
    [{ status: 504, body: '' }, '', { 'content-type': null }],
  ])('%j: its response', async (failure, body, headers) => {
    await eachWay({}, async (store, create) => {
      store.next(failure);
      const response = await create();
      expect(response.status).toBe(failure.status);
      expect(await response.text()).toBe(body);
      for (const [name, value] of Object.entries(headers))
        expect(response.headers.get(name), name).toBe(value);
      expect(store.plants()).toEqual([]);
      expect(store.received()).toMatchObject([{ status: failure.status, failure: { ...failure, times: 1 } }]);
      expect((await create()).status).toBe(200);
    });
  });

  test.for<readonly [PlantStoreOptions['errorCodes'] & {}, number]>([
    ['status', 401],
    [7, 7],
  ])('its error follows the option: %s', async ([errorCodes, error]) => {
    await eachWay({ errorCodes }, async (store, create) => {
      store.next({ status: 401 });
      expect(await (await create()).json()).toMatchObject({ error });
    });
  });
});

describe('whether the plant is stored', () => {
  test.each<[Failure, boolean]>([
    [{ status: 503 }, false],
    [{ status: 503, stored: true }, true],
    [{ connection: 'reset', stored: true }, true],
    // The client saw the head of a 200, so it knows that the plant was created.
    [{ connection: 'truncate' }, true],
    [{ connection: 'truncate', stored: false }, false],
    [{ delayMs: 5 }, true],
  ])('%j: %s', async (failure, isStored) => {
    await eachWay({}, async (store, create) => {
      store.next(failure);
      await create()
        .then(
          (response) => response.text(),
          () => {},
        )
        .catch(() => {});
      expect(store.plants()).toEqual(isStored ? [{ name: 'Aloe', id: 7 }] : []);
      // What a client meets that tries again.
      expect((await create()).status).toBe(isStored ? 400 : 200);
    });
  });

  test('a duplicate id gets the failure that has a status, and otherwise its own rejection', async () => {
    await eachWay({}, async (store, create) => {
      store.seed({ name: 'Fern', id: 7 });
      store.next({ status: 503, stored: true });
      store.next({ delayMs: 1 });
      expect((await create()).status).toBe(503);
      expect(await (await create()).json()).toMatchObject({ error: 40 });
      expect(store.plants()).toEqual([{ name: 'Fern', id: 7 }]);
      expect(store.received()[1]).toMatchObject({ rejection: expect.any(String), failure: { delayMs: 1 } });
    });
  });
});

describe('time', () => {
  afterEach(() => void vi.useRealTimers());

  test('delayMs delays the response, beside the option delayMs', async () => {
    vi.useFakeTimers();
    const store = createPlantStore({ token: TOKEN, delayMs: 100 });
    store.next({ delayMs: 200, status: 503 });
    const answered = vi.fn();
    const responding = store.fetch(creation()).finally(answered);
    await vi.advanceTimersByTimeAsync(299);
    expect(answered).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect((await responding).status).toBe(503);
  });

  test.each<Failure>([{ connection: 'hang' }, { delayMs: 3_600_000 }])(
    '%j: a client gives up, and the server goes on',
    async (failure) => {
      await eachWay({}, async (store, create) => {
        const stop = new AbortController();
        store.next(failure);
        // Once the failure has met the request.
        const watch = setInterval(() => store.unused().length === 0 && stop.abort(), 2);
        await expect(create(plant(7), stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
        clearInterval(watch);
        expect((await create(plant(8))).status).toBe(200);
      });
    },
  );
});

import {
  createPlantStore,
  type PlantStore,
  type PlantStoreOptions,
  startPlantStore,
} from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { creation, plant, TOKEN } from './plant-request.js';

/** What must be equal. Date and framing belong to the connection. */
async function essence(response: Response) {
  const names = ['content-type', 'www-authenticate', 'allow', 'vary'];
  const cors = [...response.headers].filter(([name]) => name.startsWith('access-control-'));
  const headers = names.map((name) => [name, response.headers.get(name)]);
  return { status: response.status, headers, cors, body: await response.text() };
}

const CASES: readonly [what: string, init: Parameters<typeof creation>[1], status: number][] = [
  ['a creation', {}, 200],
  ['a creation with a tag', { body: plant(7, 'Ünïcödé 🌵', '') }, 200],
  ['an id past the end of int64', { body: plant(2n ** 63n) }, 400],
  ['another path', { path: '/plant' }, 404],
  ['HEAD', { method: 'HEAD' }, 405],
  ['PUT with a body', { method: 'PUT', body: plant(7) }, 405],
  ['a wrong token', { headers: { authorization: 'Bearer wrong' } }, 401],
  ['another media type', { headers: { 'content-type': 'text/plain' } }, 400],
  ['an empty body', { body: '' }, 400],
  ['malformed JSON', { body: '{"name":' }, 400],
  ['malformed UTF-8', { body: new Uint8Array([0x22, 0xff, 0x22]) }, 400],
  ['a body over the limit', { body: ' '.repeat(201) }, 400],
];

describe('fetch responds like the server over HTTP', () => {
  const options: PlantStoreOptions = {
    token: TOKEN,
    authenticationFailureStatus: 401,
    unknownFields: 'reject',
    bodyBytes: 200,
    cors: true,
  };

  test.each(CASES)('%s', async (_what, init, status) => {
    await using listening = await startPlantStore(options);
    const portless = createPlantStore(options);
    for (const store of [listening, portless]) store.seed({ name: 'Seeded', id: 99 });
    const overHttp = await essence(await fetch(creation(listening.url, init)));
    const direct = await essence(await portless.fetch(creation('http://localhost', init)));
    expect(direct).toEqual(overHttp);
    expect(direct.status).toBe(status);
    expect(portless.plants()).toEqual(listening.plants());
    const records = (store: PlantStore) =>
      store
        .received()
        .map(({ method, target, status, rejection, body }) => [method, target, status, rejection, body]);
    expect(records(portless)).toEqual(records(listening));
  });
});

test('a listening store also has fetch, with the same plants', async () => {
  await using store = await startPlantStore({ token: TOKEN });
  expect((await fetch(creation(store.url))).status).toBe(200);
  expect((await store.fetch(creation('https://elsewhere.example'))).status).toBe(400);
  expect(store.plants()).toHaveLength(1);
  expect(store.received().map(({ status }) => status)).toEqual([200, 400]);
});

test('a body over the limit is not read to its end', async () => {
  let pulled = 0;
  let cancelled = false;
  const endless = new ReadableStream({
    pull(controller) {
      pulled++;
      controller.enqueue(new Uint8Array(1_000));
    },
    cancel() {
      cancelled = true;
    },
  });
  const store = createPlantStore({ token: TOKEN, bodyBytes: 5_000 });
  const response = await store.fetch(creation('http://localhost', { body: endless, duplex: 'half' }));
  expect(await response.json()).toMatchObject({ error: 22 });
  expect(cancelled).toBe(true);
  expect(pulled).toBeLessThan(10);
});

test('a 204 has no body', async () => {
  const response = await createPlantStore({ token: TOKEN, faults: ['answers-204'] }).fetch(creation());
  expect([response.status, response.body]).toEqual([204, null]);
});

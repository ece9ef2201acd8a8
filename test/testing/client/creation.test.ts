import { createPlantClient } from 'plant-store-contract/client';
import { createPlantStore } from 'plant-store-contract/server';
import type { NewPlant } from 'plant-store-contract/spec';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { clientOf, startServer, startServerWith } from './test-server.js';

describe('a plant is created', () => {
  test.each<NewPlant>([
    { name: 'Aloe', id: 7, tag: 'succulent' },
    { name: '', id: 0, tag: '' },
    { name: 'Ünïcödé 🌵 "\\\n', id: -1 },
    { name: 'the lower end', id: -(2n ** 63n) },
    { name: 'beyond a double', id: 2n ** 53n + 1n },
  ])('$name, $id', async (plant) => {
    const store = createPlantStore();
    const { id, ...created } = plant;
    expect(await clientOf(store).createPlant(plant)).toEqual(created);
    expect(store.plants()).toEqual([{ ...created, id: id === 7n ? 7 : id }]);
  });

  test('with a tag that is undefined, none is sent', async () => {
    const store = createPlantStore();
    const plant: NewPlant = JSON.parse('{"name":"Aloe","id":7}');
    expect(await clientOf(store).createPlant(Object.assign(plant, { tag: undefined }))).toEqual({
      name: 'Aloe',
    });
    expect(Buffer.from(store.received()[0]?.body ?? []).toString()).toBe('{"name":"Aloe","id":7}');
  });

  test.each(['/', '/v1', '/v1/', '/a%20b//'])('below the base path %s', async (path) => {
    const targets: (string | undefined)[] = [];
    await using server = await startServer(({ url }, response) => {
      targets.push(url);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"Aloe"}');
    });
    const client = createPlantClient({ baseUrl: new URL(server.url + path), token: 'secret' });
    await client.createPlant({ name: 'Aloe', id: 7 });
    expect(targets).toEqual([`${path.replace(/\/+$/, '')}/plants`]);
  });
});

describe('the token', () => {
  test('comes from a function that is called before each request', async () => {
    const store = createPlantStore({ token: ['first', 'second'] });
    const tokens = ['first', 'second', 'third'];
    const client = clientOf(store, { token: async () => tokens.shift() as string });
    await client.createPlant({ name: 'Aloe', id: 1 });
    await client.createPlant({ name: 'Aloe', id: 2 });
    await expect(client.createPlant({ name: 'Aloe', id: 3 })).rejects.toMatchObject({ status: 400 });
    expect(tokens).toEqual([]);
  });

  test('null sends no Authorization header', async () => {
    const store = createPlantStore();
    await expect(clientOf(store, { token: null }).createPlant({ name: 'Aloe', id: 7 })).rejects.toThrow(
      'the Authorization header is missing',
    );
    expect(store.received()[0]?.headers.map(([name]) => name)).not.toContain('authorization');
  });
});

describe('responses are read tolerantly', () => {
  test.each(['leaks-id', 'adds-timestamp'] as const)(
    'fault %s: further fields are ignored',
    async (fault) => {
      const store = createPlantStore({ faults: [fault] });
      expect(await clientOf(store).createPlant({ name: 'Aloe', id: 7, tag: 'a' })).toEqual({
        name: 'Aloe',
        tag: 'a',
      });
    },
  );

  test('a charset, a content coding or a name that was changed does not matter', async () => {
    await using server = await startServerWith(200, '{"tag":"","name":"Other"}', {
      'content-type': 'Application/JSON; charset=utf-8',
      'content-encoding': 'identity',
    });
    const client = createPlantClient({ baseUrl: server.url, token: 'secret' });
    expect(await client.createPlant({ name: 'Aloe', id: 7 })).toEqual({ name: 'Other', tag: '' });
  });
});

test('the types are those of the interface', async () => {
  const { createPlant } = createPlantClient({
    baseUrl: 'http://localhost',
    token: 'secret',
    fetch: async () => Response.json({ name: 'Aloe' }),
  });
  const plant = await createPlant({ name: 'Aloe', id: 7n });
  expectTypeOf(plant).toEqualTypeOf<{ name: string; tag?: string }>();
  expectTypeOf(createPlant).parameter(0).toEqualTypeOf<NewPlant>();
  // @ts-expect-error a token, a function or null is required
  expect(() => createPlantClient({ baseUrl: 'http://localhost' })).toThrow('"token" is missing');
});

import { Readable } from 'node:stream';
import { createPlantClient, type PlantClientOptions } from 'plant-store-contract/client';
import { createPlantStore } from 'plant-store-contract/server';
import type { NewPlant } from 'plant-store-contract/spec';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { startHandler } from '../../conformance/providers/handler.js';

const ALOE = { name: 'Aloe', id: 7 };

/** A store without a port, and a client that calls it. */
function storeWithClient(options: Partial<PlantClientOptions> = {}) {
  const store = createPlantStore({ token: ['secret', 'second'] });
  const { fetch } = store;
  return { store, ...createPlantClient({ baseUrl: 'http://localhost', token: 'secret', fetch, ...options }) };
}

describe('a plant is created', () => {
  test.each<NewPlant>([
    { name: 'Aloe', id: 7, tag: 'succulent' },
    { name: '', id: 0, tag: '' },
    { name: 'Ünïcödé 🌵 "\\\n', id: -1 },
    { name: 'the lower end', id: -(2n ** 63n) },
    { name: 'beyond a double', id: 2n ** 53n + 1n },
  ])('$name, $id', async (plant) => {
    const { store, createPlant } = storeWithClient();
    const { id: _, ...created } = plant;
    expect(await createPlant(plant)).toEqual(created);
    expect(store.plants()).toEqual([plant]);
  });

  test('with a tag that is undefined, none is sent', async () => {
    const { store, createPlant } = storeWithClient();
    await createPlant({ ...ALOE, tag: undefined } as never);
    expect(Buffer.from(store.received()[0]?.body ?? []).toString()).toBe('{"name":"Aloe","id":7}');
  });

  test.each(['/', '/v1', '/a%20b//'])('below the base path %s', async (path) => {
    const targets: (string | undefined)[] = [];
    await using server = await startHandler(({ url }, response) => {
      targets.push(url);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"Aloe"}');
    });
    const client = createPlantClient({ baseUrl: new URL(server.url + path), token: 'secret' });
    await client.createPlant(ALOE);
    expect(targets).toEqual([`${path.replace(/\/+$/, '')}/plants`]);
  });
});

describe('the token', () => {
  test('comes from a function that is called before each request', async () => {
    const tokens = ['secret', 'second', 'third'];
    const { createPlant } = storeWithClient({ token: async () => tokens.shift() as string });
    await createPlant({ name: 'Aloe', id: 1 });
    await createPlant({ name: 'Aloe', id: 2 });
    await expect(createPlant({ name: 'Aloe', id: 3 })).rejects.toMatchObject({ status: 400 });
    expect(tokens).toEqual([]);
  });

  test('null sends no Authorization header', async () => {
    const { store, createPlant } = storeWithClient({ token: null });
    await expect(createPlant(ALOE)).rejects.toThrow('the Authorization header is missing');
    expect(store.received()[0]?.headers.map(([name]) => name)).not.toContain('authorization');
  });
});

describe('a response', () => {
  const read = (response: Response) => storeWithClient({ fetch: async () => response }).createPlant(ALOE);

  test('is read tolerantly: further fields, a charset and a changed name do not matter', async () => {
    const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
    const body = '{"tag":"","name":"Other","id":7,"createdAt":"now"}';
    expect(await read(new Response(body, { headers }))).toEqual({ name: 'Other', tag: '' });
  });

  // `npm run torture` has responses that never end.
  test('may be as long as the limit, and no longer', async () => {
    const name = 'x'.repeat(2 * 2 ** 20 - '{"name":""}'.length);
    expect(await read(Response.json({ name }))).toEqual({ name });
    await expect(read(Response.json({ name: `${name}x` }))).rejects.toThrow('is longer than 2 MiB');
  });
});

describe('an invalid option is rejected at once, and named', () => {
  test.each([
    ['a base URL that is none', { baseUrl: '/plants' }, 'base URL'],
    ['a base URL with a query', { baseUrl: 'http://localhost/?a' }, 'base URL'],
    ['no token', { token: undefined }, '"token"'],
  ])('%s', (_what, wrong, names) => {
    expect(() => storeWithClient(wrong as Partial<PlantClientOptions>)).toThrow(
      expect.objectContaining({ code: 'invalid-option', message: expect.stringContaining(names) }),
    );
  });
});

test.each<[string, unknown, string, Partial<PlantClientOptions>?]>([
  ['an id that was rounded', { name: 'Aloe', id: 2 ** 53 }, 'the integer 9007199254740992 may have been'],
  ['a name that is a function', { name: () => 'Aloe', id: 7 }, 'JSON cannot represent a function'],
  ['no plant', undefined, 'the plant cannot be sent: JSON cannot represent undefined'],
  ['a token that no header can carry', ALOE, 'token', { token: 'very secret\n' }],
  ['a token of nothing', ALOE, 'token', { token: '' }],
  [
    'a function that fails',
    ALOE,
    'token',
    {
      token: () => {
        throw new Error('the vault is closed');
      },
    },
  ],
])('what cannot be sent is not sent: %s', async (_what, plant, message, options) => {
  const { store, createPlant } = storeWithClient(options);
  const failure = await createPlant(plant as never).catch((problem: unknown) => problem);
  expect(failure).toMatchObject({ code: 'invalid-option', message: expect.stringContaining(message) });
  expect((failure as Error).message).not.toContain('very secret');
  expect(store.received()).toEqual([]);
});

test('the types are those of the interface', () => {
  const { createPlant } = storeWithClient();
  expectTypeOf(createPlant).returns.resolves.toEqualTypeOf<{ name: string; tag?: string }>();
  expectTypeOf(createPlant).parameter(0).toEqualTypeOf<NewPlant>();
  // @ts-expect-error a token, a function or null is required
  expect(() => createPlantClient({ baseUrl: 'http://localhost' })).toThrow('"token" is missing');
});

describe('a fetch of another kind', () => {
  /** A message whose body has no stream, as in React Native. */
  const withoutStream = <Message extends Request | Response>(message: Message): Message =>
    Object.defineProperty(message, 'body', { value: undefined });

  test('may have no streams', async () => {
    const { fetch } = createPlantStore({ token: 'secret' });
    const { createPlant } = createPlantClient({
      ...{ baseUrl: 'http://localhost', token: 'secret' },
      fetch: async (request) => withoutStream(await fetch(withoutStream(request))),
    });
    expect(await createPlant(ALOE)).toEqual({ name: 'Aloe' });
  });

  test('may take a URL and a record of fields only, as node-fetch, cross-fetch and whatwg-fetch do', async () => {
    const { createPlant, store } = storeWithClient({
      async fetch(request, { method, headers, body }) {
        expect(Object.getPrototypeOf(headers)).toBe(Object.prototype);
        return await store.fetch(`${request}`, { method, headers, body } as RequestInit);
      },
    });
    expect(await createPlant(ALOE)).toEqual({ name: 'Aloe' });
  });

  test('may return a body that is a stream of Node', async () => {
    const { createPlant } = storeWithClient({
      fetch: async () => {
        const response = Response.json({});
        const body = Readable.from([Buffer.from('{"name":'), '"Aloe"}']);
        return Object.defineProperty(response, 'body', { value: body });
      },
    });
    expect(await createPlant(ALOE)).toEqual({ name: 'Aloe' });
  });
});

test.each([0, -1, 1.5, Number.POSITIVE_INFINITY, Number.NaN, 2 ** 31])('%s is no time limit', (timeoutMs) => {
  expect(() => storeWithClient({ timeoutMs })).toThrow(
    'the option "timeoutMs" must be a whole number from 1 to 2147483647 ms',
  );
});

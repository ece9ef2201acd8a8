import { runInNewContext } from 'node:vm';
import { createPlantStore, startPlantStore, type TokenVerifier } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { plant, send, TOKEN } from './plant-request.js';
import { rejection } from './rejection.js';

function bearer(token: string): { readonly headers: { readonly authorization: string } } {
  return { headers: { authorization: `Bearer ${token}` } };
}

test('without a token, each server makes its own', async () => {
  await using store = await startPlantStore();
  expect(store.token).toMatch(/^[A-Za-z0-9_-]{24}$/);
  expect(createPlantStore().token).not.toBe(store.token);
  expect((await send(store.url, bearer(store.token))).status).toBe(200);
  expect((await send(store.url, bearer(TOKEN))).status).toBe(400);
});

test('one token is accepted', async () => {
  await using store = await startPlantStore({ token: TOKEN });
  expect(store.token).toBe(TOKEN);
  expect((await send(store.url)).status).toBe(200);
});

test('each token of a list is accepted, and nothing else', async () => {
  await using store = await startPlantStore({ token: ['first', 'second'], duplicateId: 'replace' });
  expect(store.token).toBe('first');
  expect((await send(store.url, bearer('first'))).status).toBe(200);
  expect((await send(store.url, bearer('second'))).status).toBe(200);
  expect((await send(store.url, bearer('third'))).status).toBe(400);
  expect((await send(store.url, bearer('firstsecond'))).status).toBe(400);
});

const VERIFIERS: readonly [title: string, verify: TokenVerifier][] = [
  ['a function', (token) => token === TOKEN],
  ['an async function', async (token) => token === TOKEN],
  // Test runners that load modules into another context pass promises of another `Promise`.
  [
    'an async function of another realm',
    runInNewContext('(decide) => async (token) => decide(token)')((token: string) => token === TOKEN),
  ],
];

describe.each(VERIFIERS)('%s decides', (_title, token) => {
  test('what it accepts is accepted', async () => {
    await using store = await startPlantStore({ token });
    expect(store.token).toBe('');
    expect((await send(store.url)).status).toBe(200);
  });

  test('what it does not accept is rejected, and nothing is stored', async () => {
    await using store = await startPlantStore({ token });
    expect(rejection(await send(store.url, bearer('wrong')))).toMatchObject({
      status: 400,
      name: 'token-wrong',
    });
    expect(store.plants()).toEqual([]);
  });

  test('it is not called for other schemes', async () => {
    await using store = await startPlantStore({ token });
    const response = await send(store.url, { headers: { authorization: `Basic ${TOKEN}` } });
    expect(rejection(response).name).toBe('authorization-malformed');
  });
});

describe.each([
  [
    'throws',
    () => {
      throw new Error('the key file is gone');
    },
  ],
  ['rejects', () => Promise.reject(new Error('the key file is gone'))],
  [
    'throws text',
    () => {
      throw 'the key file is gone';
    },
  ],
] as const)('a token function that %s', (_how, fail) => {
  test('gets 500 and an Error, and the server keeps running', async () => {
    let healthy = false;
    await using store = await startPlantStore({ token: () => healthy || fail() });
    const failed = rejection(await send(store.url));
    expect(failed).toEqual({
      status: 500,
      name: 'internal-error',
      message: 'the server failed: the key file is gone',
    });
    expect(store.received()).toMatchObject([{ status: 500, rejection: failed.message }]);
    healthy = true;
    expect((await send(store.url)).status).toBe(200);
    expect(store.plants()).toHaveLength(1);
  });
});

test('the message of a function that throws does not show the token', async () => {
  const entries: unknown[] = [];
  const token: TokenVerifier = (presented) => {
    throw new Error(`no key decodes ${presented}`);
  };
  await using store = await startPlantStore({ token, logger: (entry) => entries.push(entry.rejection) });
  const { message } = rejection(await send(store.url));
  expect([message, store.received()[0]?.rejection, ...entries].join()).not.toContain(TOKEN);
});

test('a falsy result of a function accepts no token', async () => {
  for (const given of [undefined, null, 0, '', Number.NaN]) {
    await using store = await startPlantStore({ token: (() => given) as unknown as TokenVerifier });
    expect(rejection(await send(store.url, { body: plant(1) })).status).toBeGreaterThanOrEqual(400);
    expect(store.plants()).toEqual([]);
  }
});

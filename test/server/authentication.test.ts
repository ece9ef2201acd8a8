import {
  createPlantStore,
  type ErrorName,
  startPlantStore,
  type TokenVerifier,
} from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { creation, plant, rejection, type Sent, send, sharedStore, TOKEN } from './plant-request.js';
import { RawSocket, responseTo, wholeRequest } from './raw-socket.js';

const store = await sharedStore();

type Authorization = string | string[] | undefined;

function withAuthorization(authorization: Authorization) {
  return send(store.url, { headers: { authorization } });
}

const bearer = (token: string): Sent => ({ headers: { authorization: `Bearer ${token}` } });

describe('the right token is accepted', () => {
  test.each([
    `Bearer ${TOKEN}`,
    `bearer ${TOKEN}`,
    `BEARER ${TOKEN}`,
    `bEaReR ${TOKEN}`,
    `Bearer     ${TOKEN}`,
    ` \t Bearer ${TOKEN} \t `,
  ])('Authorization: %o', async (value) => {
    expect((await withAuthorization(value)).status).toBe(200);
  });

  test.each(['a', '-._~+/', 'abc==', 'Z'.repeat(100)])('every b64token can be a token: %s', async (token) => {
    const own = createPlantStore({ token });
    expect(own.token).toBe(token);
    const headers = { authorization: `Bearer ${token}` };
    expect((await own.fetch(creation(undefined, { headers }))).status).toBe(200);
    expect((await own.fetch(creation())).status).toBe(400);
  });

  test('without one, each server makes its own', async () => {
    await using own = await startPlantStore();
    expect(own.token).toMatch(/^[A-Za-z0-9_-]{24}$/);
    expect(createPlantStore().token).not.toBe(own.token);
    expect((await send(own.url, bearer(own.token))).status).toBe(200);
    expect((await send(own.url)).status).toBe(400);
  });

  test('each of a list, and nothing else', async () => {
    await using own = await startPlantStore({ token: ['first', 'second'], duplicateId: 'replace' });
    expect(own.token).toBe('first');
    const statuses: number[] = [];
    for (const token of ['first', 'second', 'third', 'firstsecond'])
      statuses.push((await send(own.url, bearer(token))).status);
    expect(statuses).toEqual([200, 200, 400, 400]);
  });
});

const swapped = TOKEN.replace(/[a-z]/i, (letter) =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
);

/** Values of the Authorization header by the reason of their rejection. test/server/errors.test.ts has what the responses say. */
const REJECTED: readonly [name: ErrorName, values: Authorization[]][] = [
  [
    'authorization-scheme',
    ['', TOKEN, `Basic ${TOKEN}`, `Bearer${TOKEN}`, `Bearer: ${TOKEN}`, `Bearer\t${TOKEN}`],
  ],
  [
    'authorization-malformed',
    ['Bearer ', `Bearer ${TOKEN} ${TOKEN}`, `Bearer "${TOKEN}"`, `Bearer ${TOKEN}é`],
  ],
  [
    'token-wrong',
    [
      ...[`Bearer ${TOKEN}=`, `Bearer a${TOKEN}`, `Bearer ${TOKEN.slice(0, -1)}`],
      ...[`Bearer ${TOKEN.slice(1)}`, `Bearer ${swapped}`, 'Bearer wrong'],
    ],
  ],
  ['authorization-duplicate', [['Bearer wrong', `Bearer ${TOKEN}`]]],
];

test.each(REJECTED)('%s: nothing is created, and no secret is in the message', async (name, values) => {
  for (const authorization of values) {
    const rejected = rejection(await withAuthorization(authorization));
    expect(rejected, String(authorization)).toMatchObject({ status: 400, name });
    // An unknown token may be valid elsewhere.
    for (const secret of [TOKEN, TOKEN.slice(1), TOKEN.slice(0, -1), swapped])
      expect(rejected.message).not.toContain(secret);
  }
  expect(store.plants()).toEqual([]);
});

test.each([401, 403] as const)('authenticationFailureStatus: %i', async (status) => {
  const { fetch } = createPlantStore({ token: TOKEN, authenticationFailureStatus: status });
  const statuses: number[] = [];
  for (const authorization of ['', 'Bearer', 'Bearer wrong'])
    statuses.push((await fetch(creation(undefined, { headers: { authorization } }))).status);
  expect(statuses).toEqual([status, status, status]);
  expect((await fetch(creation(undefined, { body: '{}' }))).status).toBe(400);
});

describe('the token is read from the Authorization header only', () => {
  test.each([
    ['query', { path: `/plants?access_token=${encodeURIComponent(TOKEN)}` }],
    ['body', { body: `{"name":"Aloe","id":7,"access_token":"${TOKEN}"}` }],
    ['cookie', { headers: { cookie: `access_token=${TOKEN}` } }],
  ])('a token in the %s is ignored', async (_where, sent: Parameters<typeof send>[1]) => {
    const headers = { ...sent?.headers, authorization: undefined };
    expect(rejection(await send(store.url, { ...sent, headers }))).toMatchObject({
      status: 400,
      name: 'authorization-missing',
    });
  });
});

test('the Authorization header may be anywhere in the header section', async () => {
  // 16 KiB can have more than the 2,000 fields that Node keeps by default.
  const fillers = Array.from({ length: 2_500 }, () => 'a:');
  const [start, rest] = wholeRequest(plant(7)).split('Host: localhost\r\n');
  const request = `${start}Host: localhost\r\n${fillers.map((filler) => `${filler}\r\n`).join('')}${rest}`;
  expect(await responseTo(store.port, request)).toMatchObject({ status: 200 });
});

test('an authorized request does not authorize the next one on its connection', async () => {
  const good = wholeRequest(plant(1));
  const bare = wholeRequest(plant(2)).replace(/Authorization: .*\r\n/, '');
  using raw = await RawSocket.open(store.port);
  raw.write(good + bare + wholeRequest(plant(3)));
  expect((await raw.response()).status).toBe(200);
  expect(rejection(await raw.response()).name).toBe('authorization-missing');
  expect((await raw.response()).status).toBe(200);
});

describe('the token may be decided by', () => {
  test('an async function, which is not called for other schemes', async () => {
    await using own = await startPlantStore({ token: async (token) => token === TOKEN });
    expect(own.token).toBe('');
    expect(rejection(await send(own.url, bearer('wrong')))).toMatchObject({
      status: 400,
      name: 'token-wrong',
    });
    const other = await send(own.url, { headers: { authorization: `Basic ${TOKEN}` } });
    expect(rejection(other).name).toBe('authorization-scheme');
    expect(own.plants()).toEqual([]);
    expect((await send(own.url)).status).toBe(200);
  });

  const problem = new Error('the key file is gone');
  const failing: readonly [how: string, fail: () => never | Promise<never>][] = [
    [
      'throws',
      () => {
        throw problem;
      },
    ],
    ['rejects', () => Promise.reject(problem)],
  ];
  test.each(failing)(
    'a function that %s: 500 and an Error, and the server keeps running',
    async (_how, fail) => {
      let healthy = false;
      await using own = await startPlantStore({ token: () => healthy || fail() });
      const message = 'the server failed: the key file is gone';
      expect(rejection(await send(own.url))).toEqual({ status: 500, name: 'internal-error', message });
      expect(own.received()).toMatchObject([{ status: 500, rejection: message }]);
      healthy = true;
      expect((await send(own.url)).status).toBe(200);
      expect(own.plants()).toHaveLength(1);
    },
  );

  test('a function with a falsy result: no token is accepted', async () => {
    for (const given of [undefined, null, 0, '', Number.NaN]) {
      const own = createPlantStore({ token: (() => given) as unknown as TokenVerifier });
      expect((await own.fetch(creation())).status).toBeGreaterThanOrEqual(400);
      expect(own.plants()).toEqual([]);
    }
  });
});

import { networkInterfaces } from 'node:os';
import { createPlantStore, type PlantStoreOptions, startPlantStore } from 'plant-store-contract/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { checkConformance } from '../../src/conformance/index.js';
import { creation, plant, rejection, type Sent, send, TOKEN } from './plant-request.js';

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
    expect((await store.fetch(creation())).status).toBe(200);
    expect(vi.getTimerCount()).toBe(0);
  });
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

/** The statuses of requests to one store, in order. */
async function statusesOf(options: PlantStoreOptions, requests: readonly Sent[]): Promise<number[]> {
  await using store = await startPlantStore({ token: TOKEN, ...options });
  const statuses: number[] = [];
  for (const request of requests) statuses.push((await send(store.url, request)).status);
  return statuses;
}

const withBody = (...bodies: readonly string[]): Sent[] => bodies.map((body) => ({ body }));
const withAuthorization = (...values: readonly (string | string[])[]): Sent[] =>
  values.map((authorization, at) => ({ headers: { authorization }, body: plant(at + 1) }));
const ofType = (...types: readonly (string | undefined)[]): Sent[] =>
  types.map((type, at) => ({ headers: { 'content-type': type }, body: plant(at + 1) }));

describe('duplicates', () => {
  const same = withBody(plant(7, 'a', 'b'), plant(7, 'a', 'b'), plant(7, 'a'), plant(7, 'c', 'b'));

  test.for<[PlantStoreOptions, number[]]>([
    [{}, [200, 400, 400, 400]],
    [{ duplicateId: 'reject' }, [200, 400, 400, 400]],
    [{ duplicateId: 'replace' }, [200, 200, 200, 200]],
    [{ duplicateId: 'reject-different' }, [200, 200, 400, 400]],
  ])('%j: the same plant again, and others with its id, get %j', async ([options, statuses]) => {
    expect(await statusesOf(options, same)).toEqual(statuses);
  });

  test.for<[PlantStoreOptions['duplicateId'], string]>([
    ['reject', 'first'],
    ['replace', 'second'],
  ])('%s: the %s plant is kept', async ([duplicateId = 'reject', kept]) => {
    await using store = await startPlantStore({ token: TOKEN, duplicateId });
    for (const name of ['first', 'second']) await send(store.url, { body: plant(7, name, 'tag') });
    expect(store.plants()).toEqual([{ name: kept, id: 7, tag: 'tag' }]);
  });

  test('a name that another plant has is rejected if the option says so', async () => {
    const names = withBody(plant(1, 'a'), plant(2, 'a'), plant(3, 'b'));
    expect(await statusesOf({}, names)).toEqual([200, 200, 200]);
    expect(await statusesOf({ duplicateName: 'reject' }, names)).toEqual([200, 400, 200]);
    const again = withBody(plant(1, 'a'), plant(1, 'a'), plant(1, 'b'));
    const replaces = { duplicateName: 'reject', duplicateId: 'replace' } as const;
    expect(await statusesOf(replaces, again), 'its own name is none of another').toEqual([200, 200, 200]);
  });

  test('of two equal keys, the last one counts if the option says so', async () => {
    await using store = await startPlantStore({ token: TOKEN, duplicateKeys: 'last' });
    const response = await send(store.url, { body: '{"name":"a","name":"b","id":7}' });
    expect([response.status, response.text]).toEqual([200, '{"name":"b"}']);
  });
});

describe('authorization', () => {
  const spellings = withAuthorization(`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `Bearer  ${TOKEN}`);

  test.for<[PlantStoreOptions, number[]]>([
    [{}, [200, 200, 200]],
    [{ authorizationSyntax: 'exact-scheme' }, [200, 400, 200]],
    [{ authorizationSyntax: 'one-space' }, [200, 200, 400]],
    [{ authorizationSyntax: 'exact' }, [200, 400, 400]],
  ])(
    '%j: the scheme as documented, in lower case, and with two spaces get %j',
    async ([options, statuses]) => {
      expect(await statusesOf(options, spellings)).toEqual(statuses);
    },
  );

  test('the first of two headers counts if the option says so', async () => {
    const two = withAuthorization([`Bearer ${TOKEN}`, 'Bearer b'], ['Bearer b', `Bearer ${TOKEN}`]);
    expect(await statusesOf({}, two)).toEqual([400, 400]);
    expect(await statusesOf({ duplicateAuthorization: 'first' }, two)).toEqual([200, 400]);
  });

  test.for<[PlantStoreOptions['challenge'], string | undefined]>([
    [undefined, 'Bearer error="invalid_token"'],
    ['Bearer realm="plants"', 'Bearer realm="plants"'],
    [false, undefined],
  ])('the challenge %j is sent as %j', async ([challenge, sent]) => {
    const options = challenge === undefined ? {} : { challenge };
    await using store = await startPlantStore({ token: TOKEN, ...options });
    const response = await send(store.url, { headers: { authorization: 'Bearer wrong' } });
    expect(response.headers['www-authenticate']).toBe(sent);
  });
});

describe('rejections', () => {
  test('have the status and the error of their reason', async () => {
    const rejections = { 'id-duplicate': { status: 409, error: -8 }, 'name-missing': { error: 7 } } as const;
    await using store = await startPlantStore({ token: TOKEN, rejections });
    await send(store.url);
    const duplicate = await send(store.url);
    expect([duplicate.status, JSON.parse(duplicate.text).error]).toEqual([409, -8]);
    const missing = await send(store.url, { body: '{"id":8}' });
    expect([missing.status, JSON.parse(missing.text).error]).toEqual([400, 7]);
    expect(rejection(await send(store.url, { body: '{"name":"a"}' })).name).toBe('id-missing');
  });

  test('count more than the status of authentication and of other paths', async () => {
    const rejections = { 'token-wrong': { status: 403 }, 'unknown-path': { status: 410 } } as const;
    const options = { authenticationFailureStatus: 401, rejections } as const;
    const requests: Sent[] = [
      ...withAuthorization('Bearer wrong'),
      { headers: { authorization: undefined } },
      { path: '/other' },
    ];
    expect(await statusesOf(options, requests)).toEqual([403, 401, 410]);
  });

  test.for<[PlantStoreOptions['errorCodes'], number]>([
    ['own', 40],
    ['status', 409],
    [-1, -1],
  ])('have the error that errorCodes: %j says: %i', async ([errorCodes, error]) => {
    const rejections = { 'id-duplicate': { status: 409 } } as const;
    await using store = await startPlantStore({ token: TOKEN, rejections, errorCodes: errorCodes ?? 'own' });
    await send(store.url);
    expect(JSON.parse((await send(store.url)).text).error).toBe(error);
  });
});

describe('what a plant may be', () => {
  test.for<[PlantStoreOptions, string, number]>([
    [{ limits: { longestName: 30 } }, plant(7, '🌵'.repeat(30)), 200],
    [{ limits: { longestName: 30 } }, plant(7, '🌵'.repeat(31)), 400],
    [{ namePattern: '^.' }, plant(7, ''), 400],
    [{ namePattern: '^.' }, plant(7, '🌵'), 200],
    [{ limits: { longestTag: 9 } }, plant(7, 'a', 'succulent'), 200],
    [{ limits: { longestTag: 9 } }, plant(7, 'a', 'succulents'), 400],
    [{ limits: { smallestId: 1n } }, plant(1), 200],
    [{ limits: { smallestId: 1n } }, plant(-(2n ** 63n)), 400],
    [{ namePattern: /^[a-z]+$/gi }, plant(7, 'Aloe'), 200],
    [{ namePattern: /^[a-z]+$/gi }, plant(7, 'Aloe vera'), 400],
    [{ tagPattern: '^[a-z]+$' }, plant(7, 'Aloe vera', 'tag'), 200],
    [{ tagPattern: '^[a-z]+$' }, plant(7, 'aloe', 'Tag'), 400],
    // A missing tag is no text.
    [{ tagPattern: '^(?!undefined)' }, plant(7), 200],
    [{ limits: { longestTag: 9 } }, plant(7), 200],
    [{ fractionalIds: 'reject' }, '{"id":7.0,"name":"a"}', 400],
    [{ fractionalIds: 'reject' }, '{"id":7e0,"name":"a"}', 400],
    [{ fractionalIds: 'reject' }, '{"x":{"id":7.0},"id":-7,"name":"\\"id\\":7.0"}', 200],
    [{ byteOrderMark: 'accept' }, `\ufeff${plant(7)}`, 200],
    [{}, `\ufeff${plant(7)}`, 400],
  ])('with %o, %s gets %i', async ([options, body, status]) => {
    // Twice to one store: a pattern must not remember where it stopped.
    const statuses = await statusesOf({ ...options, duplicateId: 'replace' }, withBody(body, body));
    expect(statuses).toEqual([status, status]);
  });
});

describe('the depth of a body', () => {
  const arrays = (levels: number, inside = '') => `${'['.repeat(levels)}${inside}${']'.repeat(levels)}`;
  const nested = (levels: number, inside?: string) =>
    `{"name":"a","text":"]]\\"[[","x":${arrays(levels - 1, inside)},"id":7}`;

  test.for<[PlantStoreOptions['limits'], string, number]>([
    [{}, nested(500), 200],
    [{}, nested(501), 400],
    [{ depth: 1 }, plant(7), 200],
    [{ depth: 1 }, nested(2), 400],
    [{ depth: 20_001 }, nested(20_001), 200],
    [{ depth: 20_001 }, nested(20_002), 400],
    [{ depth: 20_001 }, nested(20_001, '"["'), 200],
    [{ depth: 20_001 }, nested(20_001, 'NaN'), 400],
    [{ depth: 20_001 }, nested(501, '{]'), 400],
    [
      { depth: 20_001 },
      `{"x":${arrays(600)},"y":{"z":${arrays(600)}},"id":9007199254740993,"name":"a"}`,
      200,
    ],
  ])('with %j, JSON gets its status', async ([limits = {}, body, status]) => {
    const store = createPlantStore({ token: TOKEN, limits });
    const response = await store.fetch(
      new Request('http://localhost/plants', {
        ...{ method: 'POST', body },
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      }),
    );
    expect(response.status).toBe(status);
    const id = body.includes('9007') ? 9007199254740993n : 7;
    expect(store.plants().map((one) => one.id)).toEqual(status === 200 ? [id] : []);
  });
});

describe('media types', () => {
  const types = ofType(
    'application/json',
    'text/plain; charset=utf-8',
    'application/vnd.api+json',
    undefined,
  );

  test.for<[readonly string[], number[]]>([
    [[], [200, 400, 400, 400]],
    [['text/plain'], [200, 200, 400, 400]],
    [['none'], [200, 400, 400, 200]],
    [
      ['*/*', 'none'],
      [200, 200, 200, 200],
    ],
    [['*/*'], [200, 200, 200, 400]],
  ])('%j beside application/json: %j', async ([mediaTypes, statuses]) => {
    expect(await statusesOf({ mediaTypes }, types)).toEqual(statuses);
  });
});

test('no option makes the server nonconforming', async () => {
  const rejected = { status: 422, error: -(2 ** 31) } as const;
  const rejections = {
    ...{ 'id-duplicate': rejected, 'json-malformed': rejected },
    ...{ 'name-invalid': rejected, 'media-type': rejected },
  };
  const store = createPlantStore({
    token: TOKEN,
    rejections,
    errorCodes: 'status',
    challenge: false,
    authorizationSyntax: 'exact',
    duplicateAuthorization: 'first',
    duplicateId: 'reject-different',
    duplicateName: 'reject',
    unknownFields: 'reject',
    duplicateKeys: 'last',
    fractionalIds: 'reject',
    byteOrderMark: 'accept',
    mediaTypes: ['*/*', 'none'],
    namePattern: '^[A-Za-z]+$',
    tagPattern: '^[a-z]+$',
    limits: {
      ...{ longestName: 30, longestTag: 30, smallestId: 1 },
      ...{ bodyBytes: 2000, depth: 64 },
    },
  });
  const baseUrl = 'http://localhost';
  const report = await checkConformance({ baseUrl, fetch: store.fetch, token: TOKEN, prism: false });
  expect([report.conclusion, report.summary]).toEqual(['conforms', expect.any(String)]);
});

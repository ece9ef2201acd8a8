import { describe, expect, test, vi } from 'vitest';
import { creation, send } from '../plant-request.js';
import { Controlled } from './control.js';

const NONE = { status: 204, value: undefined };

test('readiness', async () => {
  await using it = await Controlled.start();
  expect(await it.call('GET', '/ready')).toEqual({ status: 200, value: { status: 'ok' } });
  // As `wait-on` asks.
  expect((await fetch(`${it.control.url}/ready`, { method: 'HEAD' })).status).toBe(200);
});

describe('plants', () => {
  test('are seeded, read and removed, with exact ids', async () => {
    await using it = await Controlled.start();
    const seeds = [
      { name: 'Aloe', id: 9007199254740993n },
      { name: 'Fern', id: -(2n ** 63n), tag: '' },
    ];
    expect(await it.call('POST', '/plants', seeds)).toEqual(NONE);
    expect(await it.call('POST', '/plants', { name: 'Moss', id: 1 })).toEqual(NONE);
    // The double 2^53 is one integer; it is written with its digits.
    it.store.seed({ name: 'Double', id: 2 ** 53 });
    expect((await it.create(9007199254740993n)).status).toBe(400);
    expect(await it.call('GET', '/plants')).toEqual({
      status: 200,
      value: [...seeds, { name: 'Moss', id: 1 }, { name: 'Double', id: 2n ** 53n }],
    });
    expect(await it.call('DELETE', '/plants')).toEqual(NONE);
    expect((await it.call('GET', '/plants')).value).toEqual([]);
  });

  test.each([
    ['{"name":"a","id":1,"tagg":"x"}', 'plant 1 to seed has the unknown field "tagg"'],
    ['{"name":"a"', 'the body is not JSON'],
    ['{"name":"a","name":"b","id":1}', 'twice'],
  ])('%s is rejected, and nothing is stored', async (body, says) => {
    await using it = await Controlled.start();
    const { status, value } = await it.call('POST', '/plants', body);
    expect([status, value]).toEqual([400, { message: expect.stringContaining(says) }]);
    expect(it.store.plants()).toEqual([]);
  });
});

describe('requests', () => {
  test('are read, with everything about them', async () => {
    await using it = await Controlled.start();
    it.store.next({ status: 503, when: { id: 9007199254740993n } });
    await it.create(9007199254740993n);
    await send(it.store.url, { body: new Uint8Array([0xff]), headers: { 'x-test': 'a' } });
    const { value } = await it.call('GET', '/requests');
    expect(value).toMatchObject([
      {
        number: 1,
        method: 'POST',
        target: '/plants',
        status: 503,
        body: '{"name":"Aloe","id":9007199254740993}',
        failure: { status: 503, times: 1, when: { id: 9007199254740993n } },
        headers: expect.arrayContaining([['authorization', 'Bearer [redacted]']]),
      },
      { number: 2, status: 400, bodyBase64: '/w==', rejection: expect.stringContaining('not JSON') },
    ]);
    expect(await it.call('DELETE', '/requests')).toEqual(NONE);
    expect((await it.call('GET', '/requests')).value).toEqual([]);
    await it.create(1);
    expect((await it.call('GET', '/requests')).value).toMatchObject([{ number: 3 }]);
  });

  test.each([
    ['name=Aloe', [1, 3]],
    ['id=9007199254740993', [3]],
    ['after=3', [4, 5]],
    ['name=Aloe&after=1', [3]],
    ['', [1, 2, 3, 4, 5]],
  ])('%s matches %j', async (query, numbers) => {
    await using it = await Controlled.start();
    await it.create(1);
    await it.create(2, 'Fern');
    await it.create(9007199254740993n);
    await send(it.store.url, { body: '[]', headers: { 'x-test': 'a' } });
    await send(it.store.url, { method: 'GET', path: '/other?a=1' });
    const { value } = await it.call('GET', `/requests?${query}`);
    expect((value as { number: number }[]).map(({ number }) => number)).toEqual(numbers);
  });

  test('are waited for', async () => {
    await using it = await Controlled.start();
    const started = performance.now();
    const waiting = it.call('GET', '/requests?name=Aloe&after=1&wait=30s');
    await it.untilWatched();
    await it.create(1);
    await it.create(2, 'Fern');
    await it.create(3);
    expect((await waiting).value).toMatchObject([{ number: 3 }]);
    // They are there already.
    expect((await it.call('GET', '/requests?name=Fern&wait=30')).value).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  test('are seen when they arrive, and each is read once', async () => {
    await using it = await Controlled.start();
    const body = `{"name":"Fern","id":1,"more":"${'x'.repeat(60_000)}"}`;
    for (let count = 0; count < 200; count++) await it.store.fetch(creation(undefined, { body }));
    const reads = vi.spyOn(TextDecoder.prototype, 'decode');
    it.store.next({ delayMs: 60_000 });
    const waiting = it.call('GET', '/requests?name=Aloe&wait=30s');
    await it.untilWatched();
    const slow = it.create(7).catch(() => {});
    expect((await waiting).value).toMatchObject([{ number: 201, status: 0 }]);
    // Each body for the first look, and some for the request and the response.
    expect(reads.mock.calls.length).toBeLessThan(220);
    reads.mockRestore();
    await it.store.close();
    await slow;
  });

  test.each([
    ['wait=61s', 'the parameter "wait" must be a time such as 2s or 500ms, up to 60s; got "61s"'],
    ['after=-1', '"after" must be a whole number; got "-1"'],
    ['id=7.0', '"id" must be an int64; got "7.0"'],
    ['nmae=Aloe', 'unknown parameter "nmae"; expected one of: name, id,'],
  ])('%s is rejected', async (query, says) => {
    await using it = await Controlled.start();
    const { status, value } = await it.call('GET', `/requests?${query}`);
    expect([status, value]).toEqual([400, { message: expect.stringContaining(says) }]);
  });
});

describe('failures', () => {
  test('are set, listed and removed, in the same terms', async () => {
    await using it = await Controlled.start();
    const failure = {
      status: 503,
      headers: { 'Retry-After': '2' },
      times: 2,
      when: { id: 9007199254740993n },
    };
    expect(await it.call('POST', '/failures', failure)).toEqual({ status: 201, value: failure });
    await it.call('POST', '/failures', { connection: 'reset' });
    expect((await it.create(9007199254740993n)).headers['retry-after']).toBe('2');
    const left = [{ ...failure, times: 1 }, { connection: 'reset' }];
    expect((await it.call('GET', '/failures')).value).toEqual(left);
    expect((await it.call('GET', '/failures/unused')).value).toEqual(left);
    await expect(it.create(1)).rejects.toThrow();
    expect((await it.call('GET', '/failures/unused')).value).toEqual(left.slice(0, 1));
    expect(await it.call('DELETE', '/failures')).toEqual(NONE);
    expect((await it.create(1)).status).toBe(200);
    expect((await it.call('GET', '/failures')).value).toEqual([]);
  });
});

describe('faults', () => {
  test('are set and removed while the server runs', async () => {
    await using it = await Controlled.start({ faults: ['answers-201'] });
    expect((await it.create(1)).status).toBe(201);
    expect((await it.call('GET', '/faults')).value).toEqual(['answers-201']);
    expect(await it.call('PUT', '/faults', ['leaks-id'])).toEqual({ status: 200, value: ['leaks-id'] });
    expect(await it.create(2)).toMatchObject({ status: 200, text: '{"name":"Aloe","id":2}' });
    expect(await it.call('DELETE', '/faults')).toEqual(NONE);
    expect((await it.create(3)).text).toBe('{"name":"Aloe"}');
    // The plants stay.
    expect(it.store.plants()).toHaveLength(3);
  });

  test.each(['["leaks-ids"]', '"leaks-id"', '{}'])('%s is rejected', async (body) => {
    await using it = await Controlled.start();
    const { status, value } = await it.call('PUT', '/faults', body);
    expect([status, value]).toEqual([400, { message: expect.stringContaining('list of fault names') }]);
    expect((await it.create(1)).text).toBe('{"name":"Aloe"}');
  });
});

describe('options', () => {
  test('change while the server runs, and the others stay', async () => {
    await using it = await Controlled.start({
      rejections: { 'id-duplicate': { error: 7 } },
    });
    await it.create(1);
    const changes = { duplicateId: 'replace', authenticationFailureStatus: 401, rejections: {} };
    const { status, value } = await it.call('PATCH', '/options', changes);
    expect([status, value]).toEqual([200, expect.objectContaining(changes)]);
    expect((await it.create(1, 'Fern')).status).toBe(200);
    expect((await send(it.store.url, { headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
    expect((await it.call('GET', '/options')).value).toEqual(value);
    expect(it.store.plants()).toEqual([{ name: 'Fern', id: 1 }]);
  });

  test.each([
    ['{"duplicateId":"overwrite"}', 'the option "duplicateId" must be "reject" or "replace"'],
    ['{"token":"another-token"}', 'the option "token" cannot be changed while the server runs'],
    ['{"__proto__":1}', 'the option "__proto__" cannot be changed'],
    ['{"duplicateId":"replace","errorCodes":"all"}', '"errorCodes"'],
  ])('%s is rejected, and nothing changes', async (body, says) => {
    await using it = await Controlled.start();
    const before = (await it.call('GET', '/options')).value;
    const { status, value } = await it.call('PATCH', '/options', body);
    expect([status, value]).toEqual([400, { message: expect.stringContaining(says) }]);
    expect((await it.call('GET', '/options')).value).toEqual(before);
  });
});

test('reset: everything is as it was at the start', async () => {
  await using it = await Controlled.start({ failures: [{ status: 503, times: 1 }], faults: ['leaks-id'] });
  expect((await it.create(1)).status).toBe(503);
  expect((await it.create(1)).text).toContain('"id"');
  const options = (await it.call('GET', '/options')).value;
  await it.call('PATCH', '/options', { duplicateId: 'replace' });
  await it.call('DELETE', '/faults');
  await it.call('POST', '/failures', { status: 500 });
  expect(await it.call('POST', '/reset')).toEqual(NONE);
  expect((await it.call('GET', '/plants')).value).toEqual([]);
  expect((await it.call('GET', '/requests')).value).toEqual([]);
  expect((await it.call('GET', '/options')).value).toEqual(options);
  expect((await it.call('GET', '/faults')).value).toEqual(['leaks-id']);
  expect((await it.create(1)).status).toBe(503);
  expect((await it.create(1)).text).toContain('"id"');
  expect((await it.create(1)).status).toBe(400);
});

import type { RequestListener } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type ControlClient, createControlClient, type StoreEvent } from 'plant-store-contract/control';
import { faultNames, type ListenOptions } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { startServer, startServerWith } from '../../testing/client/test-server.js';
import { send, TOKEN } from '../plant-request.js';
import { Controlled } from './control.js';

async function withClient(
  run: (client: ControlClient, it: Controlled) => Promise<void>,
  options: ListenOptions = {},
): Promise<void> {
  await using it = await Controlled.start(options, { token: 'control-secret' });
  await run(createControlClient({ url: it.control.url, token: 'control-secret' }), it);
}

describe('the client', () => {
  test('seeds, reads and removes plants, with exact ids', () =>
    withClient(async (client, it) => {
      const plants = [
        { name: 'Aloe', id: 9007199254740993n, tag: 'a' },
        { name: 'Fern', id: 7 },
      ];
      await client.seed(...plants);
      expect(it.store.plants()).toEqual(plants);
      expect(await client.plants()).toEqual(plants);
      await client.removePlants();
      expect(await client.plants()).toEqual([]);
    }));

  test('reads and waits for requests as received() has them', () =>
    withClient(async (client, it) => {
      const waiting = client.requests({ name: 'Aloe', header: 'x-test: a&b', count: 2, waitMs: 30_000 });
      for (const id of [1, 2])
        await send(it.store.url, { headers: { 'x-test': 'a&b' }, body: `{"name":"Aloe","id":${id}}` });
      const [first, second] = it.store.received();
      expect(await waiting).toEqual([
        { number: 1, ...first, body: new Uint8Array(first?.body ?? []) },
        { number: 2, ...second, body: new Uint8Array(second?.body ?? []) },
      ]);
      expect(await client.requests({ id: 2n })).toHaveLength(1);
      expect(await client.requests({ after: 2 })).toEqual([]);
      await send(it.store.url, { body: new Uint8Array([0xff, 0x00]) });
      expect((await client.requests({ after: 2 }))[0]?.body).toEqual(new Uint8Array([0xff, 0x00]));
      await client.removeRequests();
      expect(await client.requests()).toEqual([]);
    }));

  test('sets failures in the terms of the store', () =>
    withClient(async (client, it) => {
      await client.next({ status: 503, when: { id: 9007199254740993n } });
      await client.next(2, { status: 429 });
      await client.always({ status: 500 });
      expect([(await it.create(1)).status, (await it.create(9007199254740993n)).status]).toEqual([429, 503]);
      expect(await client.unused()).toEqual([{ status: 429, times: 1 }, { status: 500 }]);
      expect(await client.unused()).toEqual(it.store.unused());
      await client.clear();
      expect((await it.create(1)).status).toBe(200);
    }));

  test('sets faults and options, and resets', () =>
    withClient(async (client, it) => {
      await client.setFaults('leaks-id', 'answers-201');
      expect(await client.faults()).toEqual(['leaks-id', 'answers-201']);
      expect(await it.create(1)).toMatchObject({ status: 201, text: '{"name":"Aloe","id":1}' });
      const known = await client.knownFaults();
      expect(known.map(({ name }) => name)).toEqual(faultNames);
      expect(known.find(({ name }) => name === 'leaks-id')).toEqual({
        name: 'leaks-id',
        title: 'The response contains the id.',
        breaks: ['success/plant-fields-only'],
      });
      await client.change({ duplicateId: 'replace' });
      expect(await client.options()).toMatchObject({ duplicateId: 'replace', unknownFields: 'ignore' });
      expect((await it.create(1)).status).toBe(201);
      await client.reset();
      expect(await client.faults()).toEqual([]);
      expect((await it.create(1)).status).toBe(200);
      expect((await it.create(1)).status).toBe(400);
    }));

  test('tells what happens until it is stopped', () =>
    withClient(async (client, it) => {
      const stop = new AbortController();
      const seen: StoreEvent[] = [];
      const reading = (async () => {
        for await (const event of client.events(stop.signal)) {
          seen.push(event);
          if (event.type === 'failure') stop.abort(new Error('enough'));
        }
      })();
      // The stream has begun when the server has a watcher.
      while (seen.length === 0) {
        await client.removePlants();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      seen.length = 0;
      await it.create(9007199254740993n);
      await client.setFaults('leaks-id');
      await client.next({ status: 503 });
      await expect(reading).rejects.toThrow('enough');
      expect(seen.filter(({ type }) => type !== 'cleared')).toMatchObject([
        { type: 'plant', plant: { name: 'Aloe', id: 9007199254740993n } },
        { type: 'request', request: { number: 1, status: 200, at: expect.any(Date) } },
        { type: 'faults', faults: ['leaks-id'] },
        { type: 'failure', failure: { status: 503, times: 1 } },
      ]);
    }));

  test('stops reading events when its signal aborts, also after garbage was collected', () =>
    withClient(async (client, it) => {
      setFlagsFromString('--expose-gc');
      const collectGarbage = runInNewContext('gc') as () => void;
      const stop = new AbortController();
      const reading = client.events(stop.signal).next();
      await it.untilWatched();
      for (let i = 0; i < 3; i++) {
        collectGarbage();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      stop.abort(new Error('enough'));
      await expect(reading).rejects.toThrow('enough');
    }));

  test('says in a sentence what the control interface rejects', () =>
    withClient(async (client) => {
      const rejected = { name: 'ToolkitError', code: 'invalid-option' };
      await expect(client.next({ status: 200 as 400 })).rejects.toMatchObject({
        ...rejected,
        message: 'the failure field "status" must be an integer from 400 to 599; got 200',
      });
      await expect(client.seed({ name: 'Aloe', id: 2 ** 53 })).rejects.toMatchObject({
        ...rejected,
        message: expect.stringContaining('write it as a bigint'),
      });
      await expect(client.requests({ waitMs: 61_000 })).rejects.toMatchObject(rejected);
      await expect(client.setFaults('leaks-ids' as 'leaks-id')).rejects.toMatchObject(rejected);
    }));
});

describe('a control interface that cannot be used', () => {
  test('another token', async () => {
    await using it = await Controlled.start({}, { token: 'control-secret' });
    for (const client of [
      createControlClient({ url: it.control.url }),
      createControlClient({ url: `${it.control.url}/`, token: TOKEN }),
    ]) {
      await expect(client.plants()).rejects.toThrow('the control token is missing or wrong');
      await expect(client.events().next()).rejects.toThrow('the control token is missing or wrong');
      expect(await client.isReady()).toBe(true);
    }
  });

  test('nobody listens', async () => {
    const client = createControlClient({ url: 'http://127.0.0.1:1' });
    expect(await client.isReady()).toBe(false);
    await expect(client.plants()).rejects.toMatchObject({
      code: 'cannot-connect',
      message: expect.stringMatching(
        /^the control interface at http:\/\/127\.0\.0\.1:1 cannot be reached: \S/,
      ),
    });
  });

  test('another server', async () => {
    await using server = await startServerWith(200, '<p>');
    const client = createControlClient({ url: server.url });
    await expect(client.plants()).rejects.toMatchObject({ code: 'cannot-connect' });
  });

  test.each<[string, RequestListener]>([
    ['that never responds', () => {}],
    ['whose response never ends', (_request, response) => void response.writeHead(200).write('[')],
  ])('a server %s', { timeout: 20_000 }, async (_what, listener) => {
    await using server = await startServer(listener);
    const { url } = server;
    const client = createControlClient({ url, timeoutMs: 30 });
    await expect(client.requests({ waitMs: 10 })).rejects.toMatchObject({
      code: 'cannot-connect',
      message: `the control interface at ${url} did not respond within 30 ms`,
    });
  });

  test.each([0, -1, Number.NaN, 2 ** 31])('the time limit %s', (timeoutMs) => {
    expect(() => createControlClient({ url: 'http://127.0.0.1:1', timeoutMs })).toThrow(
      'the option "timeoutMs" must be more than 0',
    );
  });

  test.each(['', 'ftp://a', 'localhost:4020'])('the URL %s', (url) => {
    expect(() => createControlClient({ url })).toThrow(
      'the option "url" must begin with http:// or https://',
    );
  });
});

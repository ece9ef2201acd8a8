import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { TOKEN, WatchedProxy, WatchedStore } from './watched.js';

describe('the exchanges of a server', () => {
  test('have a verdict, with the location of each problem', async () => {
    await using it = await WatchedStore.start({ faults: ['leaks-id'] });
    await it.create({ name: 'Aloe', id: 1 });
    await it.create({ name: 'Aloe' });
    await fetch(`${it.target.url}/other?a=b`);
    const rows = await it.rows(3);
    expect(rows).toMatchObject([
      {
        number: 1,
        method: 'POST',
        target: '/plants',
        status: 200,
        verdict: 'response',
        problems: 1,
        problem: 'response /id: a Plant has no field "id"; got 1',
        sent: '{"name":"Aloe","id":1}',
        received: '{"name":"Aloe","id":1}',
      },
      { number: 2, status: 400, verdict: 'request', problem: expect.stringMatching(/^request \/id: /) },
      { number: 3, method: 'GET', target: '/other?a=b', status: 404, verdict: 'not-judged', problems: 0 },
    ]);
    expect(Math.abs(Date.now() - (rows[0]?.at ?? 0))).toBeLessThan(60_000);
    const { all, request, response } = await it.exchange(1);
    expect(all).toEqual([
      {
        side: 'response',
        judge: 'interface',
        where: 'body /id',
        message: 'a Plant has no field "id"; got 1',
        expected: 'only the fields "name" and "tag"',
        actual: '1',
      },
    ]);
    expect(request.body).toEqual({ text: '{"name":"Aloe","id":1}', bytes: 22 });
    expect(response).toMatchObject({ complete: true, body: { text: '{"name":"Aloe","id":1}', bytes: 22 } });
    expect(response?.headers).toContainEqual(['content-type', 'application/json']);
    expect((await it.exchange(3)).notes).toContain('Only POST /plants is judged.');
  });

  test('that conform are said to conform, exact ids included', async () => {
    await using it = await WatchedStore.start();
    await it.create('{"name":"Aloe","id":9007199254740993,"tag":"a"}');
    expect(await it.rows(1)).toMatchObject([
      { verdict: 'conforms', problems: 0, sent: '{"name":"Aloe","id":9007199254740993,"tag":"a"}' },
    ]);
    expect((await it.exchange(1)).all).toEqual([]);
  });

  test('say why the server rejected a request', async () => {
    await using it = await WatchedStore.start();
    await it.create({ name: 'Aloe', id: 1 }, { authorization: 'Bearer another' });
    for (let times = 0; times < 2; times++) await it.create({ name: 'Fern', id: 2 });
    expect(await it.rows(3)).toMatchObject([
      { status: 400, verdict: 'conforms', rejection: 'the token is unknown' },
      { status: 200, verdict: 'conforms' },
      { status: 400, verdict: 'conforms', rejection: expect.stringContaining('exists already') },
    ]);
    expect(await it.exchange(1)).toMatchObject({ rejection: 'the token is unknown' });
    expect(await it.exchange(2)).not.toHaveProperty('rejection');
  });

  test('that accept a wrong request say so', async () => {
    await using it = await WatchedStore.start({ faults: ['accepts-missing-token'] });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${it.target.url}/plants`, { method: 'POST', headers, body: '{"name":"Aloe","id":1}' });
    const problem = 'accepted a wrong request: the Authorization header is missing';
    expect(await it.rows(1)).toMatchObject([
      {
        ...{ status: 200, verdict: 'accepted', problems: 2 },
        problem: `response /authorization: ${problem}; request /authorization: the Authorization header is missing`,
      },
    ]);
    expect((await it.exchange(1)).all[1]).toMatchObject({ side: 'response', where: 'status' });
  });

  test('show what a failure on demand did', async () => {
    await using it = await WatchedStore.start({ failures: [{ status: 503, times: 1 }] });
    await it.create({ name: 'Aloe', id: 1 });
    it.target.next({ connection: 'reset' });
    await expect(it.create({ name: 'Aloe', id: 2 })).rejects.toThrow();
    it.target.next({ connection: 'truncate' });
    await expect(it.create({ name: 'Aloe', id: 3 })).rejects.toThrow();
    expect(await it.rows(3)).toMatchObject([
      { status: 503, failure: '503,times=1', verdict: 'asked-for', problems: 0 },
      { status: 0, failure: 'reset,times=1', verdict: 'asked-for', received: '' },
      { status: 200, failure: 'truncate,times=1', verdict: 'asked-for', received: '{"name"' },
    ]);
    expect((await it.exchange(2)).response).toBeUndefined();
    const { response, all } = await it.exchange(3);
    expect(response).toMatchObject({ complete: false, body: { text: '{"name"' } });
    expect(all).toMatchObject([{ where: 'body', message: expect.stringContaining('incomplete') }]);
  });

  test('show a response as it was sent, with what a preference added', async () => {
    await using it = await WatchedStore.start();
    const response = await it.create({ name: 'Aloe', id: 1 }, { prefer: 'code=503' });
    const shown = (await it.exchange(1)).response;
    for (const name of ['preference-applied', 'retry-after', 'content-length', 'content-type'])
      expect(shown?.headers).toContainEqual([name, response.headers.get(name)]);
    expect(shown?.body.text).toBe(await response.text());
  });

  test('whose length says too few bytes are wrong, and show what a client reads', async () => {
    await using it = await WatchedStore.start({ faults: ['counts-characters'] });
    await it.create({ name: 'Café', id: 1 }).catch(() => {});
    const { response, all } = await it.exchange(1);
    expect(response?.body.text).toBe('{"name":"Café"');
    expect(all.map(({ message }) => message).join()).toContain('more follows after its 15 bytes');
  });

  test('show bodies that are no text in base64, and those that are too large by their length', async () => {
    await using it = await WatchedStore.start({ limits: { bodyBytes: 100 } });
    await fetch(`${it.target.url}/plants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: new Uint8Array([0xff, 0x00, 0x31]),
    });
    await it.create({ name: 'a'.repeat(200), id: 1 });
    expect((await it.exchange(1)).request.body).toEqual({ base64: '/wAx', bytes: 3 });
    const { request, rejection, verdict } = await it.exchange(2);
    expect(request).toMatchObject({ complete: false, body: { bytes: 218 } });
    expect(verdict).toBe('not-judged');
    expect(rejection).toContain('larger');
  });

  test('show the beginning of a body that is long, and judge all of it', async () => {
    await using it = await WatchedStore.start();
    const name = 'é'.repeat(200_000);
    await it.create({ name, id: 1 });
    const { request, response, verdict, curl } = await it.exchange(1);
    expect(verdict).toBe('conforms');
    expect(request.body).toMatchObject({ bytes: 400_018, cut: true, note: 'the first 262143 bytes' });
    expect(`{"name":"${name}","id":1}`.startsWith(request.body.text ?? 'none')).toBe(true);
    expect(response?.body).toMatchObject({ bytes: 400_011, cut: true });
    expect(curl).toMatch(/^# Its body is not complete\.\n/);
  });

  test('are forgotten on demand, and their numbers go on', async () => {
    await using it = await WatchedStore.start();
    await it.create({ name: 'Aloe', id: 1 });
    await it.call('DELETE', '/exchanges');
    expect(await it.call('GET', '/exchanges/1')).toEqual({ message: 'the exchange 1 is not kept' });
    await it.create({ name: 'Aloe', id: 2 });
    expect(await it.rows(1)).toMatchObject([{ number: 2 }]);
    expect((await it.call('GET', '/requests')) as object[]).toHaveLength(2);
  });
});

describe('the exchanges of a proxy', () => {
  test('have a verdict, a time, and what Prism says beside it', async () => {
    await using store = await WatchedStore.start({ faults: ['leaks-id'] });
    await using it = await WatchedProxy.start(store.target.url, { prism: true });
    await it.create({ name: 'Aloe', id: 1 });
    await it.create({ name: 'Aloe' });
    await fetch(`${it.target.url}/other`);
    const { hello, batches } = await it.follow(3);
    expect(hello).toMatchObject({
      kind: 'proxy',
      url: it.target.url,
      upstream: store.target.url,
      most: 5_000,
    });
    const rows = batches.flatMap((batch) => batch.rows).sort((a, b) => a.number - b.number);
    expect(rows).toMatchObject([
      { number: 1, verdict: 'response', problems: 1, microseconds: expect.any(Number) },
      { number: 2, verdict: 'request', problems: 1, status: 400 },
      { number: 3, verdict: 'not-judged', method: 'GET' },
    ]);
    expect((await it.exchange(2)).all.map(({ judge, side }) => `${judge} ${side}`)).toEqual([
      'interface request',
      'prism request',
    ]);
  });

  test('without a response say why', async () => {
    await using it = await WatchedProxy.start('http://127.0.0.1:1');
    await it.create({ name: 'Aloe', id: 1 }).catch(() => {});
    expect(await it.rows(1)).toMatchObject([
      { status: 0, verdict: 'not-judged', failure: expect.stringContaining('ECONNREFUSED') },
    ]);
    expect(await it.call('GET', '/violations')).toMatchObject({
      withoutResponse: [{ count: 1, reason: expect.stringContaining('ECONNREFUSED') }],
    });
  });

  test('have their content codings undone', async () => {
    await using store = await WatchedStore.start();
    await using it = await WatchedProxy.start(store.target.url);
    const body = gzipSync('{"name":"Aloe","id":1}');
    await fetch(`${it.target.url}/plants`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body,
    });
    const { request, curl } = await it.exchange(1);
    expect(request.body).toEqual({
      text: '{"name":"Aloe","id":1}',
      bytes: body.length,
      note: 'decoded from gzip',
    });
    expect(curl).toContain('# Its body was encoded.');
  });

  test('are counted by kind, over time; so are rejected requests', async () => {
    await using store = await WatchedStore.start({ faults: ['leaks-id'] });
    await using it = await WatchedProxy.start(store.target.url);
    for (const id of [1, 2, 3]) await it.create({ name: 'Aloe', id });
    const socket = connect(Number(new URL(it.target.url).port), '127.0.0.1');
    socket.write(
      'POST /plants HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n',
    );
    await new Promise((resolve) => socket.on('data', resolve));
    socket.destroy();
    await it.rows(3);
    const found = (await it.call('GET', '/violations')) as {
      kinds: { overTime: { counts: number[] } }[];
      exchanges: { counts: number[] };
    };
    expect(found).toMatchObject({
      kinds: [{ side: 'response', where: 'body /id', count: 3, judge: 'interface' }],
      others: 0,
      rejected: [{ count: 1 }],
    });
    const sum = (counts: readonly number[] = []): number => counts.reduce((a, b) => a + b, 0);
    expect(sum(found.kinds[0]?.overTime.counts)).toBe(3);
    expect(sum(found.exchanges.counts)).toBe(3);
  });
});

describe('the failures of a server', () => {
  test('can be removed one by one, by the number that the page shows', async () => {
    await using it = await WatchedStore.start();
    it.target.always({ status: 503 });
    it.target.always({ status: 429 });
    const [latest, first] = (await it.call('GET', '/shown-failures')) as { number: number; text: string }[];
    expect([latest?.text, first?.text]).toEqual(['429', '503']);
    await it.call('DELETE', `/shown-failures/${latest?.number}`);
    expect(it.target.unused()).toEqual([{ status: 503 }]);
    const again = await it.call('DELETE', `/shown-failures/${latest?.number}`);
    expect(again).toMatchObject({ message: `the failure ${latest?.number} is not set` });
    expect((await it.create({ name: 'Aloe', id: 1 })).status).toBe(503);
  });
});

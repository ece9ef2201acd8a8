import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { WatchedStore } from './watched.js';

test('a reader gets what is kept, and then what is new, each once and in order', async () => {
  await using it = await WatchedStore.start();
  for (const id of [1, 2]) await it.create({ name: 'Aloe', id });
  const following = it.follow(5);
  for (const id of [3, 4, 5]) await it.create({ name: 'Aloe', id });
  const { hello, batches } = await following;
  expect(hello).toEqual({ kind: 'serve', url: it.target.url, version: expect.any(String), most: 5_000 });
  expect(batches.flatMap(({ rows }) => rows.map(({ number }) => number))).toEqual([1, 2, 3, 4, 5]);
  expect(batches.at(-1)).toMatchObject({ total: 5, first: 1 });
});

test('a reader gets the last 5,000 of 6,000, in batches that are far fewer', async () => {
  await using it = await WatchedStore.start({ duplicateId: 'replace' });
  const body = Buffer.from('{"name":"Aloe","id":1}');
  const headers = ['authorization', 'Bearer x', 'content-type', 'application/json'];
  for (let count = 0; count < 6_000; count++)
    await it.engine.pipeline({ method: 'POST', target: '/plants', headers, body, connection: {} });
  const { batches } = await it.follow(5_000);
  const numbers = batches.flatMap(({ rows }) => rows.map(({ number }) => number));
  expect(numbers).toEqual(Array.from({ length: 5_000 }, (_, at) => 1_001 + at));
  expect(batches.length).toBeLessThan(1_000);
  expect(batches.at(-1)).toMatchObject({ total: 6_000, first: 1_001 });
});

test('a reader that does not read gets no more meanwhile, and then what is kept', async () => {
  await using it = await WatchedStore.start({ duplicateId: 'replace' });
  const [incoming] = (await once(
    get(`${it.control.url}/exchanges/stream`, { agent: false }),
    'response',
  )) as [IncomingMessage];
  incoming.pause();
  // The network takes some megabytes. Characters of three bytes fill it with fewer rows.
  const body = Buffer.from(JSON.stringify({ name: '芦'.repeat(600), id: 1 }));
  const headers = ['authorization', 'Bearer x', 'content-type', 'application/json'];
  const rounds = 3;
  for (let round = 1; round <= rounds; round++) {
    for (let count = 0; count < 5_000; count++)
      await it.engine.pipeline({ method: 'POST', target: '/plants', headers, body, connection: {} });
    // A reader that reads gets all of it meanwhile.
    await it.rows(5_000);
  }
  const chunks: string[] = [];
  for await (const chunk of incoming.setEncoding('utf8')) {
    chunks.push(chunk);
    const latest = chunks.slice(-2).join('');
    if (latest.includes(`"number":${rounds * 5_000},`)) break;
  }
  // The network keeps some of them.
  expect(chunks.join('').split('"number":').length).toBeLessThan(12_000);
});

test('a ninth page is refused, and a place is free again when one is closed', async () => {
  await using it = await WatchedStore.start();
  const stop = new AbortController();
  const open = (signal?: AbortSignal) =>
    fetch(`${it.control.url}/exchanges/stream`, signal === undefined ? {} : { signal });
  await Promise.all(Array.from({ length: 8 }, () => open(stop.signal)));
  const refused = await open();
  expect([refused.status, await refused.json()]).toEqual([
    503,
    { message: 'at most 8 pages can follow a server' },
  ]);
  stop.abort();
  await expect
    .poll(async () => {
      const response = await open();
      void response.body?.cancel();
      return response.status;
    })
    .toBe(200);
});

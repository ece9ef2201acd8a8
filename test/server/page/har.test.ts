import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { plantStore } from '../../cli/console.js';
import { WatchedProxy, WatchedStore } from './watched.js';

interface Message {
  readonly title: string;
  readonly verdict: string;
  readonly violations: readonly { readonly message: string }[];
  readonly reasons: readonly string[];
}

interface Har {
  readonly log: { readonly entries: readonly { readonly request: { readonly url: string } }[] };
}

async function exported(it: WatchedStore | WatchedProxy, numbers?: readonly number[]): Promise<Har> {
  const given = numbers === undefined ? {} : { body: JSON.stringify({ numbers }) };
  const response = await fetch(`${it.control.url}/exchanges/har`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    ...given,
  });
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="plant-store.har"');
  return (await response.json()) as Har;
}

/** What `validate` says about a HAR. */
async function validated(kind: string, har: unknown): Promise<readonly Message[]> {
  const folder = mkdtempSync(join(tmpdir(), 'page-har-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'saved.har');
  writeFileSync(file, JSON.stringify(har));
  const { stdout } = await plantStore(['validate', kind, file, '--reporter', 'json']);
  return JSON.parse(stdout).messages;
}

test('an exported HAR gets the verdicts of the page from validate', async () => {
  await using store = await WatchedStore.start({ faults: ['leaks-id'] });
  await using it = await WatchedProxy.start(store.target.url);
  await it.create({ name: 'Aloe', id: 1 });
  await it.create({ name: 'Aloe' });
  await it.create('{"name":"Café","id":3');
  await it.create({ name: 'Aloe', id: 4 }, { authorization: 'Basic dXNlcjpwYXNzd29yZA==' });
  await fetch(`${it.target.url}/other?a=b`);
  const rows = (await it.rows(5)).sort((a, b) => a.number - b.number);
  const har = await exported(it);
  expect(har).toMatchObject({ log: { version: '1.2', creator: { name: 'plant-store-contract' } } });
  expect(har.log.entries).toHaveLength(5);
  const requests = await validated('request', har);
  const responses = await validated('response', har);
  const wrong = (side: string) =>
    rows
      .slice(0, 4)
      .map(({ number }) => it.exchange(number))
      .map(async (exchange) =>
        (await exchange).all.filter((problem) => problem.side === side).map(({ message }) => message),
      );
  const messages = (all: readonly Message[]) =>
    all.map(({ violations }) => violations.map(({ message }) => message));
  expect(messages(responses)).toEqual(await Promise.all(wrong('response')));
  expect(messages(requests).slice(0, 3)).toEqual((await Promise.all(wrong('request'))).slice(0, 3));
  expect(requests.map(({ verdict }) => verdict)).toEqual(['pass', 'fail', 'fail', 'blocked']);
  expect(requests[3]?.reasons.join()).toContain('a placeholder for the value of Authorization');
  expect(responses.map(({ verdict }) => verdict)).toEqual(['fail', 'pass', 'pass', 'pass']);
});

test('an exported HAR says what is not all there, and keeps bytes that are no text', async () => {
  await using it = await WatchedStore.start({ limits: { bodyBytes: 100 } });
  it.target.next({ connection: 'truncate' });
  await it.create({ name: 'Aloe', id: 1 }).catch(() => {});
  it.target.next({ connection: 'reset' });
  await it.create({ name: 'Aloe', id: 2 }).catch(() => {});
  await it.create('\u00ff'.repeat(10));
  const har = await exported(it);
  const responses = await validated('response', har);
  expect(responses.map(({ verdict }) => verdict)).toEqual(['blocked', 'not-applicable', 'pass']);
  await using large = await WatchedStore.start();
  await large.create({ name: 'a'.repeat(300_000), id: 1 });
  const cut = await exported(large);
  for (const kind of ['request', 'response'])
    expect((await validated(kind, cut)).map(({ verdict }) => verdict)).toEqual(['blocked']);
  expect(har.log.entries[0]?.request.url).toBe(`${it.target.url}/plants`);
});

test('only the exchanges that are asked for are exported, each once', async () => {
  await using it = await WatchedStore.start();
  for (const id of [1, 2, 3]) await it.create({ name: 'Aloe', id });
  const har = await exported(it, [3, 1, 3, 99]);
  expect(har).toMatchObject({ log: { entries: [{ _verdict: 'conforms' }, { _verdict: 'conforms' }] } });
  expect(await it.call('POST', '/exchanges/har', { numbers: 'all' })).toEqual({
    message: '"numbers" must be a list of numbers of exchanges',
  });
});

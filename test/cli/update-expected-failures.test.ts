import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkConformance } from 'plant-store-contract/conformance';
import { type FaultName, startPlantStore } from 'plant-store-contract/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updatedFailures } from '../../src/conformance/expected-failures.js';
import { type Outcome, plantStore } from './console.js';

const token = 'token-of-these-tests';
const FIELDS = 'success/plant-fields-only';
const NULL_TAG = 'request/tag-is-a-string';

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'expected-'));
  file = join(folder, 'known.json');
});
afterAll(() => rm(folder, { recursive: true }));

async function update(faults: readonly FaultName[], ...flags: string[]): Promise<Outcome> {
  await using store = await startPlantStore({ token, faults });
  const argv = ['check', store.url, '--token', token, '--no-prism', '--quiet', '--expect-failures', file];
  return await plantStore([...argv, '--update-expected-failures', ...flags], { writeFile });
}

const listed = async () => JSON.parse(await readFile(file, 'utf8'));

test('the first update makes the list, and the next check keeps to it', async () => {
  const first = await update(['leaks-id', 'accepts-null-tag']);
  expect(first.status).toBe(1);
  expect(first.stderr).toContain(`${file}: added ${FIELDS}; added ${NULL_TAG}\n`);
  const list = await listed();
  expect(list.map(({ rule }: { rule: string }) => rule)).toEqual([FIELDS, NULL_TAG]);
  expect(list[0].reason).toMatch(/^fails since \d{4}-\d\d-\d\d or before; write here why/);
  const next = await update(['leaks-id', 'accepts-null-tag']);
  expect(next).toMatchObject({ status: 0, stderr: expect.stringContaining(`${file}: nothing changed\n`) });
  expect(await listed()).toEqual(list);
});

test('what passes is removed; reasons and dates stay, also if the last day is over', async () => {
  const kept = { rule: NULL_TAG, reason: 'old clients send it', until: '2020-01-31' };
  await writeFile(file, JSON.stringify([{ rule: FIELDS, reason: 'fixed by now' }, kept]));
  const outcome = await update(['accepts-null-tag']);
  expect(outcome.stderr).toContain(`${file}: removed ${FIELDS}, which passes\n`);
  expect(await listed()).toEqual([kept]);
  // The last day is over, so it still counts.
  expect(outcome.status).toBe(1);
});

test('what was not judged stays', async () => {
  const list = [{ rule: FIELDS, reason: 'clients read the id' }];
  await writeFile(file, JSON.stringify(list));
  expect((await update([], '--only', 'auth')).status).toBe(0);
  expect(await listed()).toEqual(list);
});

test('a check that did not judge everything removes nothing', async () => {
  await using store = await startPlantStore({ token });
  const { rules } = await checkConformance({ baseUrl: store.url, token, prism: false, only: ['success'] });
  const list = [{ rule: FIELDS, reason: 'clients read the id' }];
  expect(updatedFailures(list, { rules, conclusion: 'incomplete' })).toMatchObject({ list, removed: [] });
  expect(updatedFailures(list, { rules, conclusion: 'conforms' })).toMatchObject({
    list: [],
    removed: [FIELDS],
  });
});

test('a provider that cannot be tested changes nothing', async () => {
  const list = [{ rule: FIELDS, reason: 'clients read the id' }];
  await writeFile(file, JSON.stringify(list));
  const outcome = await update([], '--token', 'another');
  expect([outcome.status, await listed()]).toEqual([2, list]);
});

test.for([
  [['--quick'], '--update-expected-failures cannot be used with --quick, which misses some failures'],
  [['--dry-run'], '--update-expected-failures cannot be used with --dry-run'],
] as const)('%j is a usage error', async ([flags, sentence]) => {
  expect(await update([], ...flags)).toMatchObject({ status: 2, stderr: expect.stringContaining(sentence) });
});

test('it needs the file', async () => {
  const argv = ['check', 'http://127.0.0.1:1', '--token', token, '--update-expected-failures'];
  expect(await plantStore(argv)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--update-expected-failures needs --expect-failures'),
  });
});

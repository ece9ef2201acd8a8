import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckReport } from 'plant-store-contract/conformance';
import { type FaultName, startPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { writeText } from '../../src/cli/file-access.js';
import { updatedFailures } from '../../src/conformance/expected-failures.js';
import { type AnyFaultName, faultsNamed } from '../conformance/faults/index.js';
import { folderWith } from '../folder.js';
import { steady } from '../steady.js';
import { type Outcome, plantStore } from './console.js';

const token = 'token-of-these-tests';
const FIELDS = 'success/plant-fields-only';
const NULL_TAG = 'request/null-tag-is-refused';

const file = join(folderWith(), 'known.json');

async function update(faults: readonly FaultName[], ...flags: string[]): Promise<Outcome> {
  await using store = await startPlantStore({ token, faults });
  const argv = ['check', store.url, '--token', token, '--quiet', '--only', `${FIELDS},${NULL_TAG}`];
  const update = ['--expect-failures', file, '--update-expected-failures', '--strict'];
  return await plantStore([...argv, ...update, ...flags], { writeFile: writeText });
}

const listed = async () => JSON.parse(await readFile(file, 'utf8'));

test('the first update makes the list, and passes by it, as the next check does', async () => {
  const first = await update(['leaks-id', 'accepts-null-tag']);
  expect([first.status, first.stdout]).toEqual([0, expect.stringContaining('2 expected failures')]);
  expect(first.stderr).toContain(`wrote ${file}\n`);
  expect(first.stderr).toContain(`${file}: added ${FIELDS}, ${NULL_TAG}; removed nothing\n`);
  const list = await listed();
  expect(list.map(({ rule }: { rule: string }) => rule)).toEqual([FIELDS, NULL_TAG]);
  expect(steady(list[0].reason)).toMatchInlineSnapshot(
    `"fails since <date> or before; write here why it is not fixed yet"`,
  );
  const next = await update(['leaks-id', 'accepts-null-tag']);
  expect([next.status, await listed()]).toEqual([0, list]);
  const fixed = await update([]);
  expect([fixed.status, await listed()]).toEqual([0, []]);
  expect(fixed.stderr).toContain(`${file}: added nothing; removed ${FIELDS}, ${NULL_TAG}\n`);
});

test('what passes is removed, reasons stay, and a last day goes that is over', async () => {
  const kept = { rule: NULL_TAG, reason: 'old clients send it' };
  const old = { ...kept, until: '2020-01-31' };
  await writeFile(file, JSON.stringify([{ rule: FIELDS, reason: 'fixed by now' }, old]));
  const outcome = await update(['accepts-null-tag']);
  expect([outcome.status, await listed()]).toEqual([0, [kept]]);
  expect(outcome.stderr).toContain(`removed ${FIELDS}; without a last day now: ${NULL_TAG}\n`);
});

// They block other rules, fail now and then, or stop the provider.
test.each<AnyFaultName>(['answers-204', 'accepts-missing-token', 'fails-now-and-then', 'dies-at-request-60'])(
  'a whole check of %s passes by the list that an update wrote, and so does the next one',
  async (fault) => {
    const list = join(folderWith(), 'known.json');
    const check = async (...flags: string[]): Promise<Outcome> => {
      await using store = await startPlantStore({ token, faults: faultsNamed(fault) });
      const argv = ['check', store.url, '--token', token, '--quiet', '--expect-failures', list, ...flags];
      return await plantStore(argv, { writeFile: writeText });
    };
    const first = await check('--update-expected-failures');
    expect(first.stdout).toMatch(/^conforms, except for expected failures/m);
    const next = await check();
    expect([first.status, next.status], next.stdout).toEqual([0, 0]);
  },
);

test('a check that did not judge everything removes nothing', () => {
  const list = [{ rule: FIELDS, reason: 'clients read the id' }];
  const passing = { id: FIELDS, verdict: 'pass' };
  const updatedBy = (conclusion: CheckReport['conclusion'], ...others: readonly object[]) => {
    const groups = [{ cases: [passing, ...others] }] as unknown as CheckReport['groups'];
    return updatedFailures(list, { groups, conclusion }, '2026-01-31').list;
  };
  expect(updatedBy('conforms')).toEqual([]);
  expect(updatedBy('incomplete')).toEqual(list);
  const others = ['fail', 'blocked'].map((verdict) => ({ id: `state/${verdict}`, verdict, evidence: [] }));
  expect(updatedBy('does-not-conform', ...others)).toMatchObject([...list, { rule: 'state/fail' }]);
});

test('a provider that cannot be tested changes nothing', async () => {
  const list = [{ rule: FIELDS, reason: 'clients read the id' }];
  await writeFile(file, JSON.stringify(list));
  const outcome = await update([], '--token', 'another');
  expect([outcome.status, await listed()]).toEqual([2, list]);
});

test('--expect-failures alone excuses what is listed, and nothing else', async () => {
  await using store = await startPlantStore({ token, faults: ['leaks-id'] });
  const list = [{ rule: FIELDS, reason: 'old clients', until: '2999-01-01' }];
  const argv = ['check', store.url, '--token', token, '--only', 'success'];
  const check = (known: unknown) =>
    plantStore([...argv, '--expect-failures', 'known.json'], { readFile: async () => JSON.stringify(known) });
  const known = await check(list);
  expect(known.status).toBe(0);
  expect(known.stdout.replaceAll(/\s+/g, ' ')).toContain('expected to fail until 2999-01-01: old clients');
  const outdated = await check([...list, { rule: 'success/name-comes-back', reason: 'fixed long ago' }]);
  expect(outdated.status).toBe(1);
  expect(outdated.stdout).toContain('Expected failures now pass: success/name-comes-back.');
});

import {
  type CheckOptions,
  type CheckReport,
  checkConformance,
  type Level,
  planCheck,
  probes,
  rules,
} from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { plannedRows, token } from './checks.js';

/** A check of the reference server on a port, which sends what was planned. */
async function check(options: Partial<CheckOptions>): Promise<CheckReport> {
  await using store = await startPlantStore({ token });
  const report = await checkConformance({ baseUrl: store.url, token, prism: false, ...options });
  expect(report).toConform();
  expect(report.exchanges.length).toBe(planCheck(options).requests);
  return report;
}

describe('the options of a check select', () => {
  test.each<[string, Partial<CheckOptions>, RegExp]>([
    ['only a topic', { only: ['auth'] }, /^auth\//],
    ['only a rule', { only: ['request/body-is-json'] }, /^request\/body-is-json$/],
    ['only a level', { only: ['unspecified'] }, /^unspecified\//],
    ['all except topics', { skip: ['auth', 'unspecified', 'failure', 'state', 'request'] }, /^success\//],
    [
      'a topic without a rule',
      { only: ['auth'], skip: ['auth/missing-token-is-refused'] },
      /^auth\/(?!missing)/,
    ],
  ])('%s', async (_what, chosen, pattern) => {
    const judged = (await check(chosen)).rules.map(({ id }) => id);
    expect(judged).toEqual(rules.map(({ id }) => id).filter((id) => pattern.test(id)));
  });

  test('of one rule the probes and their controls, and no more', () => {
    const sent = (only: string) => planCheck({ only: [only] }).requests;
    expect(sent('request/body-is-required')).toBe(5);
    expect(sent('state/answers-do-not-mix')).toBeLessThan(30);
    expect(sent('failure')).toBeLessThan(planCheck().requests);
  });
});

test('levels leave out the requests that only other levels mean', () => {
  const sentAt = (...levels: readonly Level[]) => new Set(plannedRows({ only: levels }));
  const all = new Set(plannedRows());
  const documented = sentAt('documented');
  // Only `unspecified` and `implied` rules mean these.
  for (const name of ['large-body', 'keys/deeply-nested', 'wrong-token', 'token-in-query', 'empty-name'])
    expect([name, documented.has(name)]).toEqual([name, false]);
  for (const name of ['no-authorization', 'missing-name', 'id-beyond-doubles', 'plain-plant-with-tag'])
    expect([name, documented.has(name)]).toEqual([name, true]);
  expect(documented.size).toBeLessThan(0.6 * probes.length);
  expect(sentAt('documented', 'implied').has('large-body')).toBe(false);
  expect(sentAt('documented', 'implied', 'unspecified')).toEqual(all);
});

test('a whole check says nothing about requests that were left out', async () => {
  expect((await check({})).summary).not.toContain('requests were sent');
});

import { type CheckReport, checkConformance, mergeReports } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { schemaErrors } from '../../reporters/schema.js';

const token = 'a-token-of-these-tests';
let conforming: CheckReport[];
let leaking: CheckReport;

/** The report of one shard of a check of a reference server. */
async function shard(index: number, of: number, faults: 'leaks-id'[] = []): Promise<CheckReport> {
  await using store = await startPlantStore({ token, faults });
  const explore = { runs: 120, seed: 9, shard: { index, of } };
  return await checkConformance({ baseUrl: store.url, token, prism: false, explore });
}

beforeAll(async () => {
  conforming = [await shard(1, 2), await shard(2, 2)];
  leaking = await shard(2, 2, ['leaks-id']);
});

describe('the reports of all shards', () => {
  test('come to one report, with the sums', () => {
    const report = mergeReports(conforming);
    expect(report.conclusion).toBe('conforms');
    expect(report.exploration).toMatchObject({ seed: 9, shard: { index: 1, of: 1 }, draws: 240 });
    const [one, other] = conforming;
    expect(report.createdIds).toEqual([...(one?.createdIds ?? []), ...(other?.createdIds ?? [])]);
    expect(report.counts).toEqual(one?.counts);
  });

  test('fail a rule that fails in one, with its evidence and its exchanges', () => {
    const report = mergeReports([conforming[0] as CheckReport, leaking]);
    expect(report.conclusion).toBe('does-not-conform');
    const rule = 'success/plant-fields-only';
    expect(report.rules.find(({ id }) => id === rule)?.verdict).toBe('fail');
    const one = report.groups.flatMap(({ cases }) => cases).find(({ id }) => id === rule);
    const [shown] = one?.evidence ?? [];
    expect(report.findings[shown?.finding ?? -1]?.cases).toContain(rule);
    const exchange = report.exchanges[shown?.exchanges?.at(-1) ?? -1];
    expect(JSON.stringify(exchange?.response?.body)).toContain('\\"id\\"');
  });

  test('are valid by the schema', () => {
    expect(schemaErrors(mergeReports([leaking, conforming[0] as CheckReport]))).toEqual([]);
  });
});

describe('reports that do not belong together', () => {
  test('a missing shard makes the result incomplete', () => {
    const report = mergeReports([conforming[1] as CheckReport]);
    expect(report.conclusion).toBe('incomplete');
    expect(report.notes).toContain('The report of shard 1 of 2 is missing.');
  });

  test.each<[string, (reports: CheckReport[]) => CheckReport[], string]>([
    ['none', () => [], 'there is no report'],
    ['the same shard twice', ([one]) => [one, one] as CheckReport[], 'two are of shard 1 of 2'],
    [
      'another seed',
      ([one, other]) =>
        [one, { ...other, exploration: { ...other?.exploration, seed: 10 } }] as CheckReport[],
      'they differ in the seed',
    ],
    [
      'other rules',
      ([one, other]) => [one, { ...other, rules: other?.rules.slice(1) }] as CheckReport[],
      'they do not judge the same rules',
    ],
    [
      'one that did not explore',
      ([one, { exploration: _, ...other } = {} as CheckReport]) => [one, other] as CheckReport[],
      'some explored, and some did not',
    ],
  ])('%s: is refused', (_what, change, sentence) => {
    expect(() => mergeReports(change(conforming))).toThrow(sentence);
  });
});

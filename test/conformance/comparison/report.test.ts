import { type CompareReport, compareProfiles, type Profile } from 'plant-store-contract/conformance';
import { casesOf, exitStatus } from 'plant-store-contract/reporters';
import { describe, expect, test } from 'vitest';
import { changesBetween } from '../../../src/conformance/comparison.js';
import { schemaErrors } from '../../report/formats/schema.js';

type Behaviour = Profile['behaviours'][number];

const RULE = 'success/status-is-200';

function profile(given: Partial<Profile> = {}): Profile {
  return {
    profileVersion: 1,
    interfaceVersion: '1.0.0',
    demands: [{ rule: RULE, verdict: 'pass' }],
    behaviours: [behaviour('missing-token', '400')],
    ...given,
  };
}

function behaviour(name: string, value: string, more: Partial<Behaviour> = {}): Behaviour {
  return { rule: `unspecified/${name}`, sentence: `It returns ${value}.`, value, ...more };
}

function compare(first: Partial<Profile>, second: Partial<Profile>): CompareReport {
  const report = compareProfiles(profile(first), profile(second));
  expect(schemaErrors(report)).toEqual([]);
  return report;
}

const verdictOf = (report: CompareReport, id: string) =>
  casesOf(report).find((one) => one.id === id)?.verdict;

describe('compareProfiles', () => {
  test('finds equal profiles alike', () => {
    const report = compare({}, {});
    expect([report.conclusion, exitStatus(report.conclusion), report.differences]).toEqual(['alike', 0, []]);
    expect(report.summary).toBe('The providers are alike in all 2 things that were compared.');
  });

  test('finds another verdict and another behaviour different', () => {
    const demands = [{ rule: RULE, verdict: 'fail' as const }];
    const report = compare({}, { demands, behaviours: [behaviour('missing-token', '401')] });
    expect([report.conclusion, exitStatus(report.conclusion)]).toEqual(['different', 1]);
    expect(report.findings.map(({ cases }) => cases)).toEqual([[RULE], ['unspecified/missing-token']]);
    expect(report.differences.map(({ kind, first, second }) => [kind, first, second])).toEqual([
      ['demanded', 'satisfies the rule', 'breaks the rule'],
      ['open', 'It returns 400.', 'It returns 401.'],
    ]);
  });

  test.for(['blocked', 'error'] as const)('is incomplete if a rule is %s in one of them', (verdict) => {
    const report = compare({}, { demands: [{ rule: RULE, verdict, reason: 'no response' }] });
    expect([report.conclusion, exitStatus(report.conclusion)]).toEqual(['incomplete', 2]);
    expect(casesOf(report)[0]?.detail).toBe('the second provider: no response');
  });

  test('says different, not incomplete, if something differs and something is not known', () => {
    const report = compare(
      {},
      {
        demands: [{ rule: RULE, verdict: 'blocked', reason: 'r' }],
        behaviours: [behaviour('missing-token', '401')],
      },
    );
    expect(report.conclusion).toBe('different');
    expect(report.summary).toContain('1 thing could not be compared.');
  });

  test('does not compare what one of them has not', () => {
    const report = compare(
      {},
      { demands: [{ rule: RULE, verdict: 'not-applicable', reason: 'r' }], behaviours: [] },
    );
    expect(casesOf(report).map(({ verdict }) => verdict)).toEqual(['not-applicable', 'not-applicable']);
    // A comparison of nothing must not pass.
    expect([report.conclusion, exitStatus(report.conclusion)]).toEqual(['not-testable', 2]);
  });

  test('does not call an intermittent failure a difference', () => {
    const report = compare({}, { demands: [{ rule: RULE, verdict: 'fail', intermittent: true }] });
    expect(verdictOf(report, RULE)).toBe('blocked');
    expect(compare({}, { demands: [{ rule: RULE, verdict: 'fail' }] }).conclusion).toBe('different');
  });

  test.for([
    [
      'a trace id',
      'Bearer trace="4bf92f3577b34da6a3ce929d0e0e4736"',
      'Bearer trace="00f067aa0ba902b74bf92f3577b34da6"',
    ],
    ['a time', 'Bearer at="2026-01-31T10:00:00Z"', 'Bearer at="2026-02-01T11:22:33.5Z"'],
    ['a number', 'Bearer id="1769853600123"', 'Bearer id="1769853600999"'],
  ])('does not compare %s', ([_what, one, another]) => {
    const of = (value = '') => ({ behaviours: [behaviour('challenge', value)] });
    expect(compare(of(one), of(another)).conclusion).toBe('alike');
    expect(compare(of(one), of(one?.replace('Bearer', 'Basic'))).conclusion).toBe('different');
  });

  test('compares the error of each request only if the errors are the same as a whole', () => {
    const of = (codes: string, error: number) => ({
      behaviours: [behaviour('error-codes', codes), behaviour('missing-token', '401', { error })],
    });
    const swapped = compare(of('1, 2', 1), of('1, 2', 2));
    expect(swapped.differences.map(({ id, second }) => [id, second])).toEqual([
      ['unspecified/missing-token', 'It returns 401. Its "error" is 2.'],
    ]);
    // A rejection without an Error breaks a rule, and is compared there.
    const lost = { behaviours: [behaviour('error-codes', '1, 2'), behaviour('missing-token', '401')] };
    expect(compare(of('1, 2', 1), lost).differences).toEqual([]);
    const renumbered = compare(of('1, 2', 1), of('3, 4', 3));
    expect(renumbered.differences.map(({ id }) => id)).toEqual(['unspecified/error-codes']);
  });

  test('does not compare what may exist from an earlier check, and says why', () => {
    const caveat = 'The id may exist.';
    const [free, taken] = [behaviour('id-zero', '200'), behaviour('id-zero', '409', { caveat })];
    for (const [a, b, unclear] of [
      [taken, free, 'the first provider'],
      [free, taken, 'the second provider'],
    ] as const) {
      const report = compare({ behaviours: [a] }, { behaviours: [b] });
      const compared = casesOf(report).find(({ id }) => id === a.rule);
      expect([report.differences, compared?.verdict]).toEqual([[], 'not-applicable']);
      expect(compared?.detail).toBe(`${unclear}: The id may exist.`);
    }
    const rejected = behaviour('id-zero', '409');
    expect(compare({ behaviours: [rejected] }, { behaviours: [free] }).differences).toHaveLength(1);
  });

  test('uses the given names of the providers', () => {
    const named = compareProfiles(profile(), profile(), { names: ['a', 'b'] });
    expect(named.subject).toBe('a and b');
    expect(named.providers).toEqual([{ name: 'a' }, { name: 'b' }]);
    expect(compareProfiles(profile(), profile()).subject).toBe('the first provider and the second provider');
  });
});

describe('what changed between two checks of one provider', () => {
  test('is a contrary verdict, or another value', () => {
    const again = profile({
      demands: [{ rule: RULE, verdict: 'fail' }],
      behaviours: [behaviour('missing-token', '401')],
    });
    expect([...changesBetween(profile(), again, 'a').keys()]).toEqual([RULE, 'unspecified/missing-token']);
  });

  test('is not a rule that no longer applies: the first check left plants behind', () => {
    const failed = profile({ demands: [{ rule: RULE, verdict: 'fail' }] });
    const again = profile({ demands: [{ rule: RULE, verdict: 'not-applicable', reason: 'r' }] });
    expect([...changesBetween(failed, again, 'a')]).toEqual([]);
  });

  test('is not a rejection of what the first check created', () => {
    const first = profile({ behaviours: [behaviour('id-zero', '200')] });
    const caveat = 'The id may exist.';
    const again = profile({ behaviours: [behaviour('id-zero', '400', { caveat })] });
    expect([...changesBetween(first, again, 'a')]).toEqual([]);
  });
});

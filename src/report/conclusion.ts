import {
  type Case,
  type Conclusion,
  type Counts,
  casesOf,
  type Group,
  type Verdict,
  verdicts,
} from './frame.js';

/** What else a conclusion depends on. */
export interface Circumstances {
  /** Whether nothing could be judged. */
  readonly notTestable?: boolean;
  /** Whether something could not be judged that is no case: a request that was not sent, for example. */
  readonly incomplete?: boolean;
}

/** The level of a case that the user asks for, and not the interface. */
export const HOUSE_LEVEL = 'house';

/** What cases come to. Pure, and the same for every command. */
export function conclude(
  cases: readonly Pick<Case, 'verdict' | 'excuse' | 'level' | 'severity'>[],
  { notTestable = false, incomplete = false }: Circumstances = {},
): Conclusion {
  if (notTestable) return 'not-testable';
  const failing = cases.filter(({ verdict, excuse }) => verdict === 'fail' && excuse === undefined);
  if (failing.some(({ level }) => level !== HOUSE_LEVEL)) return 'does-not-conform';
  if (cases.some(isOutdated)) return 'outdated-expectations';
  if (failing.length > 0) return 'breaks-house-rules';
  if (incomplete || cases.some(isUnjudged)) return 'incomplete';
  const isExpected = cases.some(({ verdict, excuse }) => verdict === 'fail' && excuse?.kind === 'expected');
  if (isExpected) return 'expected-failures';
  return 'conforms';
}

/** Whether a case fails, with an error or a warning. */
export function isBroken({ verdict }: Pick<Case, 'verdict'>): boolean {
  return verdict === 'fail' || verdict === 'warn';
}

/** Whether a case should have a verdict and has none. What has an excuse need not have one, and what would be a warning neither. */
export function isUnjudged({
  verdict,
  excuse,
  severity,
}: Pick<Case, 'verdict' | 'excuse' | 'severity'>): boolean {
  const isWithout = verdict === 'blocked' || verdict === 'error';
  return isWithout && excuse === undefined && severity !== 'warning';
}

/** Whether a case passes although it is expected to fail. */
export function isOutdated({ verdict, excuse }: Pick<Case, 'verdict' | 'excuse'>): boolean {
  return verdict === 'pass' && excuse?.kind === 'expected';
}

/**
 * The exit status of a conclusion: 0 if it conforms, expected failures aside; 1 if it does not, breaks a house rule, or the list of expected failures is outdated; 2 if it could not be tested, or not completely.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { exitStatus } from 'plant-store-contract/reporters';
 *
 * assert.equal(exitStatus('expected-failures'), 0);
 * assert.equal(exitStatus('incomplete'), 2);
 */
export function exitStatus(conclusion: Conclusion): 0 | 1 | 2 {
  switch (conclusion) {
    case 'conforms':
    case 'expected-failures':
      return 0;
    case 'does-not-conform':
    case 'outdated-expectations':
    case 'breaks-house-rules':
      return 1;
    case 'not-testable':
    case 'incomplete':
      return 2;
  }
}

/** How many cases have each verdict. */
export function countVerdicts(cases: readonly Pick<Case, 'verdict'>[]): Counts {
  const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, 0])) as Record<Verdict, number>;
  for (const { verdict } of cases) counts[verdict]++;
  return counts;
}

/** How many cases of some groups have each verdict. */
export function countsOf(groups: readonly Group[]): Counts {
  return countVerdicts(casesOf({ groups }));
}

import { causes } from '../causes/causes.js';
import type { Failure, JudgedRule } from '../judging/judge.js';
import type { RunRecord } from '../judging/run-record.js';
import type { Demand } from '../rule.js';
import { bySimplicity, complexityOfFailure, sortedBySimplicity } from './simplicity.js';

/** Failures that seem to have one cause. */
export interface FailureGroup {
  /** `framework-error-page`; the id of the rule if no cause of several failures is known. */
  readonly id: string;
  /** The likely cause, as a sentence. */
  readonly cause: string;
  readonly fix: string;
  readonly failures: readonly { readonly rule: string; readonly failure: Failure }[];
}

/**
 * Groups failures by their likely cause: one mistake often breaks several rules. Failures without a known cause are a
 * group of their rule, with the usual reason for breaking it. The group with the simplest failure comes first.
 */
export function groupFailures(judged: readonly JudgedRule[], record: RunRecord): readonly FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const { rule, failures } of judged) {
    if (rule.level === 'unspecified') continue;
    for (const failure of failures) {
      const explanation = explained(rule, failure, record);
      const key = `${explanation.id} ${explanation.cause}`;
      const before = groups.get(key)?.failures ?? [];
      groups.set(key, { ...explanation, failures: [...before, { rule: rule.id, failure }] });
    }
  }
  return sortedBySimplicity([...groups.values()], ({ failures }) => {
    const [simplest = []] = failures
      .map(({ failure }) => complexityOfFailure(failure, record))
      .sort(bySimplicity);
    return simplest;
  });
}

function explained(rule: Demand, { exchange }: Failure, record: RunRecord): Omit<FailureGroup, 'failures'> {
  for (const { id, fix, explain } of causes) {
    const cause = explain({ rule: rule.id, exchange }, record);
    if (cause !== undefined) return { id, cause, fix };
  }
  return { id: rule.id, cause: rule.usualCause, fix: rule.fix };
}

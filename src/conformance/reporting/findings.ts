import { explanations } from '../explanations.js';
import type { Evidence } from '../judging/evidence.js';
import type { Failure, JudgedRule } from '../judging/judge.js';
import type { DemandId } from '../rules/index.js';
import { causes } from './causes.js';

/** Failures that seem to have one cause. */
export interface Finding {
  /** `framework-error-page`; the id of the rule where no cause of several is known. */
  readonly id: string;
  /** The likely cause, as a sentence. */
  readonly cause: string;
  readonly repair: string;
  readonly failures: readonly { readonly rule: string; readonly failure: Failure }[];
}

/**
 * Groups what is broken by its likely cause: one mistake often breaks several rules. What no cause explains is a
 * finding of its rule, with what usually breaks that.
 */
export function findingsIn(judged: readonly JudgedRule[], evidence: Evidence): readonly Finding[] {
  const findings = new Map<string, Finding>();
  for (const { rule, failures } of judged) {
    for (const failure of failures) {
      const { id, cause, repair } = explained(rule.id as DemandId, failure, evidence);
      const before = findings.get(`${id} ${cause}`);
      const failed = [...(before?.failures ?? []), { rule: rule.id, failure }];
      findings.set(`${id} ${cause}`, { id, cause, repair, failures: failed });
    }
  }
  return [...findings.values()];
}

function explained(rule: DemandId, { exchange }: Failure, evidence: Evidence): Omit<Finding, 'failures'> {
  for (const { id, repair, explain } of causes) {
    const cause = explain({ rule, exchange }, evidence);
    if (cause !== undefined) return { id, cause, repair };
  }
  const { broken, mend } = explanations[rule];
  return { id: rule, cause: broken, repair: mend };
}

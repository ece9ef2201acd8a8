import { isOutdated, isUnjudged } from '../conclusion.js';
import { type Case, casesOf, type Evidence, type Finding, type Report } from '../frame.js';
import { verdictInWords } from './wording.js';

/** What of a report its reader must look at. */
export interface Problems {
  /** The findings that count, in their order. */
  readonly problems: readonly Finding[];
  /** Those with an excuse for each of their cases. */
  readonly excused: readonly Finding[];
  /** Failures without a finding, and expectations that are outdated. */
  readonly others: readonly Case[];
}

/** Divides the findings of a report into those that count and those that do not. */
export function problemsOf(report: Report): Problems {
  const cases = casesOf(report);
  const counting = new Set(cases.flatMap(({ id, excuse }) => (excuse === undefined ? id : [])));
  const counts = (finding: Finding): boolean => finding.cases.some((id) => counting.has(id));
  const inFindings = new Set(report.findings.flatMap((finding) => finding.cases));
  return {
    problems: report.findings.filter(counts),
    excused: report.findings.filter((finding) => !counts(finding)),
    others: cases.filter((one) => isOutdated(one) || (one.verdict === 'fail' && !inFindings.has(one.id))),
  };
}

/** Why cases have no verdict: each reason once, with its cases. */
export function unjudgedReasons(
  report: Report,
): readonly { readonly reason: string; readonly cases: readonly Case[] }[] {
  const reasons = new Map<string, Case[]>();
  for (const one of casesOf(report).filter(isUnjudged)) {
    const { verdict, detail = verdictInWords(verdict) } = one;
    const ofReason = reasons.get(detail) ?? [];
    ofReason.push(one);
    reasons.set(detail, ofReason);
  }
  return [...reasons].map(([reason, cases]) => ({ reason, cases }));
}

/**
 * Which evidence names a further request that fails in the same way.
 *
 * @param example is written out: a request that is called the same is not another
 */
export function otherRequests<Named extends Evidence>(
  evidence: readonly Named[],
  example: Evidence | undefined,
): readonly Named[] {
  const known = new Set([example?.sent]);
  return evidence.filter(({ sent, where, actual }) => {
    const name = sent ?? where ?? actual;
    return !known.has(name) && known.add(name);
  });
}

/** The title may say already what was sent. */
export function withoutSaid(evidence: Evidence, title: string): Evidence {
  const { sent, ...rest } = evidence;
  return sent !== undefined && title.toLowerCase().includes(sent.toLowerCase()) ? rest : evidence;
}

/** What a reader calls these cases: only rules have a level. */
export function kindOfCases(cases: readonly Pick<Case, 'level'>[]): 'rule' | 'case' {
  return cases.every(({ level }) => level === undefined) ? 'case' : 'rule';
}

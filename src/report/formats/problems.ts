import { isBroken, isOutdated, isUnjudged } from '../conclusion.js';
import { type Case, casesOf, type Evidence, type Finding, type Group, type Report } from '../frame.js';
import { counted, listed } from '../wording.js';
import { isNamed, originOf, verdictInWords } from './wording.js';

/** What of a report its reader must look at. */
interface Problems {
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
    others: cases.filter((one) => isOutdated(one) || (isBroken(one) && !inFindings.has(one.id))),
  };
}

/** How many findings there are: `3 problems`, `2 problems and 1 warning`. */
export function problemsInWords(findings: readonly Finding[]): string {
  const warnings = findings.filter(({ severity }) => severity === 'warning').length;
  const errors = findings.length - warnings;
  return listed([
    ...(errors > 0 || warnings === 0 ? [counted(errors, 'problem')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ]);
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

/** A case that fails, and the part of its evidence that belongs to one finding. */
export interface FailingCase {
  readonly failing: Case;
  /** Where it comes from. If the headings of the groups name the files, this names a group only if there are several. */
  readonly origin: readonly string[];
  readonly evidence: readonly Evidence[];
}

/** The file of a case, if the subject of the report names it. */
function subjectFile({ place }: Case, subject: string): string {
  const { file = '' } = place ?? {};
  return subject.includes(file) ? file : '';
}

/**
 * Looks the cases of findings up. A report may have a finding for each of thousands of messages, so it is read once.
 *
 * @param hasHeadings whether the reader sees the groups, with their headings
 * @returns gives the cases of a finding
 */
export function failingCases(
  { groups, findings, subject }: Report,
  hasHeadings = true,
): (finding: Finding, at: number) => readonly FailingCase[] {
  const wanted = new Set(findings.flatMap(({ cases }) => cases));
  const known = new Map<string, { readonly failing: Case; readonly group: Group }>();
  for (const group of groups)
    for (const failing of group.cases) if (wanted.has(failing.id)) known.set(failing.id, { failing, group });
  const originIn = (failing: Case, group: Group): string[] => {
    if (!hasHeadings) {
      const alone = originOf(failing, { title: subjectFile(failing, subject) });
      return groups.length > 1 && group.detail !== undefined ? [group.title, ...alone] : alone;
    }
    const origin = originOf(failing, group);
    return groups.length > 1 && isNamed(failing.place?.file, group) ? [group.title, ...origin] : origin;
  };
  return (finding, at) =>
    finding.cases.flatMap((id) => {
      const found = known.get(id);
      if (found === undefined) return [];
      const { failing, group } = found;
      const evidence = failing.evidence.filter((one) => one.finding === at);
      return [{ failing, origin: originIn(failing, group), evidence }];
    });
}

import type { Case, Evidence, Finding, Group, Report } from '../frame.js';
import { isNamed, originOf } from './wording.js';

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

import type { Case, Evidence, Finding, Group, Report } from '../report/frame.js';
import { isNamed, originOf } from './wording.js';

/** A case that fails, and the part of its evidence that belongs to one finding. */
export interface FailingCase {
  readonly failing: Case;
  /** Where it comes from. The headings of the groups name the files, so this names a group only if there are several. */
  readonly origin: readonly string[];
  readonly evidence: readonly Evidence[];
}

/**
 * Looks the cases of findings up. A report may have a finding for each of thousands of messages, so it is read once.
 *
 * @returns gives the cases of a finding
 */
export function failingCases({ groups }: Report): (finding: Finding, at: number) => readonly FailingCase[] {
  const known = new Map(
    groups.flatMap((group) => group.cases.map((failing) => [failing.id, { failing, group }])),
  );
  const originIn = (failing: Case, group: Group): string[] => {
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

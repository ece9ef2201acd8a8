import { definedOnly } from '../../defined-only.js';
import { counted } from '../../output/wording.js';
import { reportFrame } from '../../report/build.js';
import type { Case, Report } from '../../report/frame.js';
import { caseIds, groupTitle } from '../case-ids.js';
import { isEmpty, type LeftOutPact, leftOutInWords } from '../select-pacts.js';
import type { InterfaceAspect } from './coverage.js';
import { type PactProblem, type PactProblemKind, pactProblemKinds } from './problem.js';

/** One interaction, compared with the interface. */
export interface AuditedInteraction {
  /** Its index in the file. */
  readonly index: number;
  /** Its line in the file, from 1. Left out if the pact was given as an object. */
  readonly line?: number;
  readonly description: string;
  /** The names of its provider states. */
  readonly states: readonly string[];
  /** What it relies on beyond the interface. */
  readonly problems: readonly PactProblem[];
}

/** One pact, compared with the interface. */
export interface AuditedPact {
  readonly consumer: string;
  readonly provider: string;
  /** Its name: usually its file. */
  readonly where?: string;
  readonly interactions: readonly AuditedInteraction[];
  /** The aspects of the interface that it does not cover. This is for information and never a problem. */
  readonly notCovered: readonly InterfaceAspect[];
  /** The types of its interactions that are not HTTP, each as often as it occurs. They were not audited. */
  readonly notAudited: readonly string[];
}

/** The report of an audit. A case is an interaction, and a finding is a kind of problem. */
export interface AuditReport extends Report {
  readonly kind: 'audit';
  readonly pacts: readonly AuditedPact[];
  /** The pacts that were not audited. */
  readonly leftOut: readonly LeftOutPact[];
}

/** What an audit found. */
export interface Audited {
  readonly pacts: readonly AuditedPact[];
  readonly leftOut?: readonly LeftOutPact[];
  /** How many pacts were not audited, because the audit was stopped. */
  readonly unaudited?: number;
  readonly startedAt: Date;
}

/** The report on audited pacts. */
export function auditReport({ pacts, leftOut = [], unaudited = 0, startedAt }: Audited): AuditReport {
  const found = new Set(pacts.flatMap(problemsOf).map(({ kind }) => kind));
  const kinds = (Object.keys(pactProblemKinds) as PactProblemKind[]).filter((kind) => found.has(kind));
  const idOf = caseIds();
  const groups = pacts.map((pact) =>
    definedOnly({
      title: groupTitle(pact),
      detail: pact.where,
      cases: pact.interactions.map((interaction) =>
        caseOf(interaction, pact, idOf(interaction, pact.consumer), kinds),
      ),
    }),
  );
  const cases = groups.flatMap((group) => group.cases);
  const [only, ...others] = pacts;
  return {
    ...reportFrame({
      kind: 'audit',
      subject: only !== undefined && others.length === 0 ? groupTitle(only) : counted(pacts.length, 'pact'),
      startedAt,
      circumstances: { incomplete: unaudited > 0 || leftOut.some(isEmpty) },
      notes: [
        ...(unaudited > 0 ? [`The audit was stopped before ${counted(unaudited, 'pact')}.`] : []),
        ...leftOutInWords(leftOut),
        ...pacts.flatMap(notesOf),
      ],
      groups,
      findings: kinds.map((kind, at) => ({
        id: kind,
        title: pactProblemKinds[kind].title,
        isLikelyCause: false,
        fix: pactProblemKinds[kind].fix,
        cases: cases
          .filter(({ evidence }) => evidence.some(({ finding }) => finding === at))
          .map(({ id }) => id),
      })),
      sections: pacts
        .filter(({ notCovered }) => notCovered.length > 0)
        .map((pact) => ({
          title: `Not covered by ${groupTitle(pact)}`,
          items: pact.notCovered.map(({ sentence }) => sentence),
        })),
    }),
    summary: summaryOf(pacts, leftOut.filter(isEmpty).length),
    pacts,
    leftOut,
  };
}

function caseOf(
  { index, line, problems }: AuditedInteraction,
  { where }: AuditedPact,
  id: string,
  kinds: readonly PactProblemKind[],
): Case {
  return {
    id,
    title: id,
    verdict: problems.length === 0 ? 'pass' : 'fail',
    place: definedOnly({ file: where, line, pointer: `/interactions/${index}` }),
    evidence: problems.map((problem) => ({
      where: placeInWords(problem),
      actual: `${problem.message} (interface: ${problem.section})`,
      finding: kinds.indexOf(problem.kind),
    })),
  };
}

/** `request header "authorization", line 12` */
function placeInWords({ side, part, field, line }: PactProblem): string {
  const name = field === undefined ? '' : ` ${JSON.stringify(field)}`;
  return `${side} ${part}${name}${line === undefined ? '' : `, line ${line}`}`;
}

function notesOf({ notAudited, where, consumer }: AuditedPact): string[] {
  if (notAudited.length === 0) return [];
  const types = [...new Set(notAudited)].join(', ');
  const number = counted(notAudited.length, 'interaction');
  return [`${where ?? consumer} has ${number} of other types than HTTP that the audit ignores: ${types}.`];
}

function problemsOf({ interactions }: AuditedPact): readonly PactProblem[] {
  return interactions.flatMap(({ problems }) => problems);
}

function summaryOf(pacts: readonly AuditedPact[], empty: number): string {
  const all = pacts.flatMap(({ interactions }) => interactions);
  const wrong = all.filter(({ problems }) => problems.length > 0).length;
  const wrongPacts = pacts.filter((pact) => problemsOf(pact).length > 0).length;
  const interactions = counted(all.length, 'interaction');
  const only = pacts.length === 1 ? 'The pact relies' : undefined;
  const rest = empty === 0 ? '' : ` ${counted(empty, 'pact')} without interactions could not be audited.`;
  if (wrong === 0)
    return `${only ?? `All ${pacts.length} pacts rely`} only on what the interface promises: ${interactions}, no problem.${rest}`;
  const some = `${wrongPacts} of ${pacts.length} pacts ${wrongPacts === 1 ? 'relies' : 'rely'}`;
  const problems = counted(pacts.flatMap(problemsOf).length, 'problem');
  return `${only ?? some} on more than the interface promises: ${problems} in ${wrong} of ${interactions}.${rest}`;
}

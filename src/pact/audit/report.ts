import { definedOnly } from '../../defined-only.js';
import { reportFrame } from '../../report/build.js';
import type { Case, Report } from '../../report/frame.js';
import { counted } from '../../report/wording.js';
import { caseIds, groupTitle } from '../case-ids.js';
import { missingInWords } from '../installed-pact.js';
import { isEmpty, type LeftOutPact, leftOutInWords, otherTypesInWords } from '../pact-sources.js';
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
  /** The patterns in it that take too long, so that it is not known what they accept. */
  readonly unknown: readonly PactProblem[];
}

/** A plugin that a pact needs and that is not installed. */
export interface MissingPlugin {
  readonly name: string;
  /** JSON pointer (RFC 6901) into the pact. */
  readonly pointer: string;
  /** Its line, from 1. Left out if the pact was given as an object. */
  readonly line?: number;
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
  /** The plugins that Pact needs to use it and that are not installed. */
  readonly missingPlugins: readonly MissingPlugin[];
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
  /** Why files could not be read as pacts: sentences without their ends. */
  readonly unread?: readonly string[];
  /** How many pacts were not audited, because the audit was stopped. */
  readonly unaudited?: number;
  readonly startedAt: Date;
}

/** The report on audited pacts. */
export function auditReport(audited: Audited): AuditReport {
  const { pacts, leftOut = [], unread = [], unaudited = 0, startedAt } = audited;
  const found = new Set<PactProblemKind>(pacts.flatMap(problemsOf).map(({ kind }) => kind));
  if (pacts.some(({ missingPlugins }) => missingPlugins.length > 0)) found.add('missing-plugin');
  const kinds = (Object.keys(pactProblemKinds) as PactProblemKind[]).filter((kind) => found.has(kind));
  const idOf = caseIds();
  const groups = pacts.map((pact) =>
    definedOnly({
      title: groupTitle(pact),
      detail: pact.where,
      cases: [
        ...pluginCases(pact, idOf, kinds),
        ...pact.interactions.map((interaction) =>
          caseOf(interaction, pact, idOf(interaction, pact.consumer), kinds),
        ),
      ],
    }),
  );
  const cases = groups.flatMap((group) => group.cases);
  const [only, ...others] = pacts;
  return {
    ...reportFrame({
      kind: 'audit',
      subject: only !== undefined && others.length === 0 ? groupTitle(only) : counted(pacts.length, 'pact'),
      startedAt,
      circumstances: { incomplete: unaudited + unread.length > 0 || leftOut.some(isEmpty) },
      notes: [
        ...(unaudited > 0 ? [`The audit was stopped before ${counted(unaudited, 'pact')}.`] : []),
        ...unread.map((why) => `Not audited: ${why}.`),
        ...leftOutInWords(leftOut),
        ...pacts.flatMap(notesOf),
      ],
      groups,
      findings: kinds.map((kind, at) => ({
        id: kind,
        title: pactProblemKinds[kind].title,
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
    summary: summaryOf(pacts, leftOut.filter(isEmpty).length, unread.length),
    pacts,
    leftOut,
  };
}

function caseOf(
  { index, line, problems, unknown }: AuditedInteraction,
  { where }: AuditedPact,
  id: string,
  kinds: readonly PactProblemKind[],
): Case {
  const reasons = unknown.map((problem) => `${placeInWords(problem)}: ${problem.message}`);
  const isUnknown = problems.length === 0 && reasons.length > 0;
  return definedOnly({
    id,
    title: id,
    verdict: problems.length > 0 ? 'fail' : isUnknown ? 'blocked' : 'pass',
    detail: isUnknown ? reasons.join(' ') : undefined,
    notes: problems.length > 0 && reasons.length > 0 ? reasons : undefined,
    place: definedOnly({ file: where, line, pointer: `/interactions/${index}` }),
    evidence: problems.map((problem) => ({
      where: placeInWords(problem),
      actual: problem.section ? `${problem.message} (interface: ${problem.section})` : problem.message,
      finding: kinds.indexOf(problem.kind),
    })),
  });
}

/** A case for the pact as a whole, if it needs plugins that are not installed. */
function pluginCases(
  { missingPlugins, where, consumer }: AuditedPact,
  idOf: ReturnType<typeof caseIds>,
  kinds: readonly PactProblemKind[],
): Case[] {
  const [first] = missingPlugins;
  if (first === undefined) return [];
  const id = idOf({ description: `the plugins of ${consumer}`, states: [] }, consumer);
  return [
    {
      id,
      title: id,
      verdict: 'fail',
      place: definedOnly({ file: where, line: first.line, pointer: first.pointer }),
      evidence: missingPlugins.map((plugin) => ({
        where: `plugin ${JSON.stringify(plugin.name)}${lineInWords(plugin)}`,
        actual: `${missingInWords(plugin)}.`,
        finding: kinds.indexOf('missing-plugin'),
      })),
    },
  ];
}

/** `request header "authorization", line 12` */
function placeInWords({ side, part, field, line }: PactProblem): string {
  const name = field === undefined ? '' : ` ${JSON.stringify(field)}`;
  return `${side} ${part}${name}${lineInWords({ line })}`;
}

function lineInWords({ line }: { readonly line?: number | undefined }): string {
  return line === undefined ? '' : `, line ${line}`;
}

function notesOf({ notAudited, where, consumer }: AuditedPact): string[] {
  return otherTypesInWords(notAudited, where ?? consumer).map((words) => `${words}.`);
}

function problemsOf({ interactions }: AuditedPact): readonly PactProblem[] {
  return interactions.flatMap(({ problems }) => problems);
}

function summaryOf(pacts: readonly AuditedPact[], empty: number, unread: number): string {
  const all = pacts.flatMap(({ interactions }) => interactions);
  const wrong = all.filter(({ problems }) => problems.length > 0).length;
  const unknown = all.filter((one) => one.problems.length === 0 && one.unknown.length > 0).length;
  const plugins = pacts.flatMap(({ missingPlugins }) => missingPlugins).length;
  const isWrong = (pact: AuditedPact): boolean => problemsOf(pact).length + pact.missingPlugins.length > 0;
  const wrongPacts = pacts.filter(isWrong).length;
  const interactions = counted(all.length, 'interaction');
  const only = pacts.length === 1 ? 'The pact relies' : undefined;
  const rest = [
    ...(plugins === 0 ? [] : [` ${counted(plugins, 'plugin')} missing.`]),
    ...(unknown === 0 ? [] : [` ${counted(unknown, 'interaction')} could not be audited completely.`]),
    ...(empty === 0 ? [] : [` ${counted(empty, 'pact')} without interactions could not be audited.`]),
    ...(unread === 0 ? [] : [` ${counted(unread, 'file')} could not be read.`]),
  ].join('');
  if (wrongPacts === 0 && unknown > 0) return `No problem was found in ${interactions}.${rest}`;
  if (wrongPacts === 0)
    return `${only ?? `All ${pacts.length} pacts rely`} only on what the interface promises: ${interactions}, no problem.${rest}`;
  const some = `${wrongPacts} of ${pacts.length} pacts ${wrongPacts === 1 ? 'relies' : 'rely'}`;
  const problems = counted(pacts.flatMap(problemsOf).length, 'problem');
  return `${only ?? some} on more than the interface promises: ${problems} in ${wrong} of ${interactions}.${rest}`;
}

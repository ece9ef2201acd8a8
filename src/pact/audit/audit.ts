import { headerValues } from '../../http/fields.js';
import { reportFrame } from '../../report/build.js';
import type { Report } from '../../report/frame.js';
import { counted } from '../../report/wording.js';
import { ToolkitError } from '../../toolkit-error.js';
import { JsonSpans } from '../../validation/json.js';
import { keysIn } from '../../validation/json-value.js';
import { caseIds, groupTitle } from '../case-ids.js';
import { type Pact, type PactSource, readPact } from '../pact-file.js';
import { type LeftOutPact, leftOutInWords, otherTypesInWords } from '../pact-sources.js';
import { saysTokenIsInvalid } from '../states.js';
import { expectedResult, problemsOf } from './interaction.js';
import { type PactProblemKind, pactProblemKinds, placeInWords, pointerOf } from './problem.js';

/** One thing that an interaction relies on and that the interface does not promise. */
export interface PactProblem {
  readonly kind: PactProblemKind;
  /** `request header "authorization"` */
  readonly where: string;
  /** What is wrong; a sentence. It contains no token. */
  readonly message: string;
  /** JSON pointer (RFC 6901) into the pact: to the value, or to the nearest value around it. */
  readonly pointer: string;
  /** The line of that value, from 1. */
  readonly line: number;
}

/** One interaction, compared with the interface. */
export interface AuditedInteraction {
  /** Its index in the file. */
  readonly index: number;
  /** Its line in the file, from 1. */
  readonly line: number;
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
  readonly where: string;
  readonly interactions: readonly AuditedInteraction[];
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

/**
 * Compares a pact with the interface, without a provider. Does its consumer rely on anything that the interface does
 * not promise, so that a conforming provider may fail it? What a pact leaves open is never a problem, and neither is a value
 * that a matching rule is about. If the interface can be read in favour of the pact, it is.
 *
 * @param text the JSON of a pact of specification 1 to 4, which is read exactly
 * @param where its name in the report and in errors: a file or a URL
 * @throws ToolkitError `invalid-pact` if it is not a pact; `no-pact` if it has no HTTP interaction
 * @example
 * import assert from 'node:assert/strict';
 * import { auditPact } from 'plant-store-contract/pact';
 *
 * const pact = {
 *   consumer: { name: 'shop' },
 *   provider: { name: 'plant store' },
 *   interactions: [
 *     {
 *       description: 'a creation',
 *       request: {
 *         method: 'POST',
 *         path: '/plants',
 *         headers: { Authorization: 'Bearer example', 'Content-Type': 'application/json' },
 *         body: { name: 'Aloe', id: 7 },
 *       },
 *       response: { status: 200, body: { name: 'Aloe', id: 7 } },
 *     },
 *   ],
 * };
 * const { conclusion, pacts } = auditPact(JSON.stringify(pact));
 * assert.equal(conclusion, 'does-not-conform');
 * const [problem] = pacts[0]?.interactions[0]?.problems ?? [];
 * assert.equal(problem?.kind, 'unknown-field');
 * assert.equal(problem?.pointer, '/interactions/0/response/body/id');
 */
export function auditPact(text: string, where = 'the pact'): AuditReport {
  const startedAt = new Date();
  const pact = readPact(text, where);
  // An audit of nothing must not look like an audit without problems.
  if (pact.interactions.length === 0) throw new ToolkitError('no-pact', `${where} has no HTTP interaction`);
  return auditReport({ pacts: [judgePact(pact, { where, text })], startedAt });
}

/** Compares one pact with the interface: see {@link auditPact}. */
export function judgePact(
  { consumer, provider, interactions, otherTypes }: Pact,
  { where, text }: PactSource,
): AuditedPact {
  const goodTokens = goodTokensOf(interactions);
  const lineOf = lineFinder(text);
  const audited = interactions.map((interaction): AuditedInteraction => {
    const { index, description, states } = interaction;
    const problems = problemsOf(interaction, goodTokens).map(({ kind, place, message }) => {
      const pointer = pointerOf(interaction, place);
      return { kind, where: placeInWords(place), message, pointer, line: lineOf(pointer) };
    });
    const line = lineOf(`/interactions/${index}`);
    return { index, line, description, states: states.map(({ name }) => name), problems };
  });
  return { consumer, provider, where, interactions: audited, notAudited: otherTypes };
}

/** Finds the lines of values, from 1, by their pointers. */
function lineFinder(text: string): (pointer: string) => number {
  const bytes = Buffer.from(text);
  const spans = new JsonSpans(bytes);
  const ends: number[] = [];
  for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', end + 1)) ends.push(end);
  return (pointer) => {
    const { start } = spans.at(keysIn(pointer)) ?? { start: 0 };
    // By halving: a pact has as many lines as values.
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

/** The values of Authorization with which success is expected. */
function goodTokensOf(interactions: Pact['interactions']): ReadonlySet<string> {
  return new Set(
    interactions
      .filter((interaction) => expectedResult(interaction) === 'created')
      .flatMap((interaction) =>
        headerValues(interaction.request.headers, 'authorization').filter(
          (value) => !saysTokenIsInvalid(interaction, value),
        ),
      ),
  );
}

/** What an audit found. */
interface Audited {
  readonly pacts: readonly AuditedPact[];
  readonly leftOut?: readonly LeftOutPact[];
  /** Why others could not be audited: sentences without their ends. */
  readonly unread?: readonly string[];
  readonly startedAt: Date;
}

/** The report on audited pacts. */
export function auditReport({ pacts, leftOut = [], unread = [], startedAt }: Audited): AuditReport {
  const problems = pacts.flatMap(({ interactions }) => interactions).flatMap((one) => one.problems);
  const kinds = (Object.keys(pactProblemKinds) as PactProblemKind[]).filter((kind) =>
    problems.some((problem) => problem.kind === kind),
  );
  const idOf = caseIds();
  const groups = pacts.map((pact) => ({
    title: groupTitle(pact),
    detail: pact.where,
    cases: pact.interactions.map((interaction) => {
      const id = idOf(interaction, pact.consumer);
      const { index, line } = interaction;
      return {
        id,
        title: id,
        verdict: interaction.problems.length > 0 ? ('fail' as const) : ('pass' as const),
        place: { file: pact.where, line, pointer: `/interactions/${index}` },
        evidence: interaction.problems.map(({ kind, where, message, line }) => ({
          where: `${where}, line ${line}`,
          actual: `${message} (interface: ${pactProblemKinds[kind].section})`,
          finding: kinds.indexOf(kind),
        })),
      };
    }),
  }));
  const cases = groups.flatMap((group) => group.cases);
  const [only, ...others] = pacts;
  return {
    ...reportFrame({
      kind: 'audit',
      subject: only !== undefined && others.length === 0 ? groupTitle(only) : counted(pacts.length, 'pact'),
      startedAt,
      circumstances: { incomplete: unread.length > 0 },
      notes: [
        ...unread.map((why) => `Not audited: ${why}.`),
        ...leftOutInWords(leftOut),
        ...pacts.flatMap(({ notAudited, where }) =>
          otherTypesInWords(notAudited, where).map((words) => `${words}.`),
        ),
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
    }),
    summary: summaryOf(pacts, unread.length),
    pacts,
    leftOut,
  };
}

function summaryOf(pacts: readonly AuditedPact[], unread: number): string {
  const all = pacts.flatMap(({ interactions }) => interactions);
  const problems = all.flatMap((one) => one.problems).length;
  const wrong = all.filter((one) => one.problems.length > 0).length;
  const interactions = counted(all.length, 'interaction');
  const what =
    problems === 0
      ? `No problem in ${interactions}: nothing relies on more than the interface promises`
      : `${counted(problems, 'problem')} in ${wrong} of ${interactions}: they rely on more than the interface promises`;
  const rest = unread > 0 ? `; ${counted(unread, 'pact')} could not be audited` : '';
  return `${what}${rest}.`;
}

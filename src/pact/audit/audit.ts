import { headerValues } from '../../http/fields.js';
import { reportFrame } from '../../report/build.js';
import type { Case, Report } from '../../report/frame.js';
import { counted, folded } from '../../report/wording.js';
import { ToolkitError } from '../../toolkit-error.js';
import { quoted } from '../../validation/violation.js';
import { caseIds, type FoundPacts, type Pact, readPact } from '../pacts.js';
import { saysTokenIsInvalid } from '../states.js';
import { expectedResult, KINDS, type PactProblemKind, problemsOf } from './interaction.js';
import { beginPatterns } from './matching.js';

/**
 * Compares a pact with the interface, without a provider. Does its consumer rely on anything that the interface does
 * not promise, so that a conforming provider may fail it? What a pact leaves open is never a problem, and neither is a value
 * that a matching rule is about. If the interface can be read in favour of the pact, it is.
 *
 * @param text the JSON of a pact of specification 1 to 4, which is read exactly
 * @param where its name in the report and in errors: a file or a URL
 * @throws ToolkitError `invalid-pact` if it is not a pact; `no-pact` if it has no interaction
 * @example
 * import assert from 'node:assert/strict';
 * import { auditPact } from 'plant-store-contract/pact';
 *
 * const headers = { Authorization: 'Bearer example', 'Content-Type': 'application/json' };
 * const request = { method: 'POST', path: '/plants', headers, body: { name: 'Aloe', id: 7 } };
 * const response = { status: 200, body: { name: 'Aloe', id: 7 } };
 * const parties = { consumer: { name: 'shop' }, provider: { name: 'plant store' } };
 * const pact = { ...parties, interactions: [{ description: 'a creation', request, response }] };
 * const { conclusion, findings, groups } = auditPact(JSON.stringify(pact));
 * assert.equal(conclusion, 'does-not-conform');
 * assert.equal(findings[0]?.id, 'unknown-field');
 * assert.equal(groups[0]?.cases[0]?.evidence[0]?.where, 'response body "id"');
 */
export function auditPact(text: string, where = 'the pact'): Report {
  const startedAt = new Date();
  const pact = readPact(text, where);
  // An audit of nothing must not look like an audit without problems.
  if (pact.interactions.length === 0) throw new ToolkitError('no-pact', `${where} has no interaction`);
  return auditReport({ pacts: [{ where, text, pact }], unread: [], leftOut: [] }, startedAt);
}

/** The values of Authorization with which success is expected. */
function goodTokensOf({ interactions }: Pact): ReadonlySet<string> {
  const created = interactions.filter((one) => expectedResult(one) === 'created' && !saysTokenIsInvalid(one));
  return new Set(created.flatMap(({ request }) => headerValues(request.headers, 'authorization')));
}

/** Compares pacts with the interface. A case of the report is an interaction, and a finding is a kind of problem. */
export function auditReport({ pacts, unread, leftOut }: FoundPacts, startedAt: Date): Report {
  beginPatterns();
  const idOf = caseIds();
  const kinds: PactProblemKind[] = [];
  const groups = pacts.map(({ pact, where }) => {
    const goodTokens = goodTokensOf(pact);
    const cases = pact.interactions.map((interaction, index): Case => {
      const { description, states } = interaction;
      const problems = problemsOf(interaction, goodTokens);
      for (const { kind } of problems) if (!kinds.includes(kind)) kinds.push(kind);
      const named = { description, states: states.map(({ name }) => name) };
      const id = idOf(named, pacts.length > 1 ? pact.consumer : undefined);
      return {
        id,
        title: id,
        verdict: problems.length > 0 ? 'fail' : 'pass',
        place: { file: where, pointer: `/interactions/${index}` },
        evidence: problems.map(({ kind, where, message }) => ({
          where,
          actual: `${message} (openapi.yaml#${KINDS[kind].source})`,
          finding: kinds.indexOf(kind),
        })),
      };
    });
    return { title: `${pact.consumer} → ${pact.provider}`, detail: where, cases };
  });
  const cases = groups.flatMap((group) => group.cases);
  const [only, ...others] = groups;
  return {
    ...reportFrame({
      kind: 'audit',
      subject: only !== undefined && others.length === 0 ? only.title : counted(groups.length, 'pact'),
      startedAt,
      circumstances: { incomplete: unread.length > 0 },
      notes: [
        ...unread.map((why) => `Not audited: ${why}.`),
        ...leftOut.map((which) => `Left out: ${which}.`),
      ],
      groups,
      findings: kinds.map((kind, at) => ({
        id: kind,
        title: KINDS[kind].title,
        fix: KINDS[kind].fix,
        cases: cases
          .filter(({ evidence }) => evidence.some(({ finding }) => finding === at))
          .map(({ id }) => id),
      })),
      remarks: remarksOn(pacts.map(({ pact }) => pact)),
    }),
    summary: summaryOf(cases, unread.length),
  };
}

/** Pact itself reads the parameters of states with `JSON.parse`. */
function remarksOn(pacts: readonly Pact[]): string[] {
  const states = pacts.flatMap(({ interactions }) => interactions.flatMap((one) => one.states));
  const rounded = states.flatMap(({ name, params }) =>
    Object.keys(params)
      .filter((key) => typeof params[key] === 'bigint')
      .map((key) => `${quoted(key)} of ${quoted(name)}`),
  );
  if (rounded.length === 0) return [];
  const which = folded(rounded, 3);
  return [`Pact rounds integers beyond 2^53 in the parameters of states: ${which}. Write them as strings.`];
}

function summaryOf(cases: readonly Case[], unread: number): string {
  const problems = cases.reduce((sum, { evidence }) => sum + evidence.length, 0);
  const wrong = cases.filter(({ verdict }) => verdict === 'fail').length;
  const interactions = counted(cases.length, 'interaction');
  const what =
    problems === 0
      ? `No problem in ${interactions}: nothing relies on more than the interface promises`
      : `${counted(problems, 'problem')} in ${wrong} of ${interactions}: they rely on more than the interface promises`;
  return `${what}${unread > 0 ? `; ${counted(unread, 'pact')} could not be audited` : ''}.`;
}

import { reportFrame } from '../../report/build.js';
import type { Case, Conclusion, Finding, Group, Report, Verdict } from '../../report/frame.js';
import type { Profile } from '../../report/profile.js';
import { counted, listed } from '../../report/wording.js';
import {
  type ComparedKind,
  type ComparedThing,
  compareLimits,
  compareRules,
  type Names,
  type Unsteady,
} from './differences.js';

/** One of the two providers. */
export interface ComparedProvider {
  /** How the report names it: a base URL, or the file of a profile. */
  readonly name: string;
}

/** One difference. */
export interface Difference
  extends Required<Pick<ComparedThing, 'id' | 'kind' | 'title' | 'first' | 'second'>> {}

/** The report of `compare`. A case is a rule or a limit, and fails if the two providers differ in it. */
export interface CompareReport extends Report {
  readonly kind: 'compare';
  readonly providers: readonly [first: ComparedProvider, second: ComparedProvider];
  readonly differences: readonly Difference[];
}

/** Options of {@link compareProfiles}. */
export interface CompareOptions {
  /** How the report names the providers. Default: "the first provider" and "the second provider". */
  readonly names?: Names;
  /** When the comparison began. Default: now. */
  readonly startedAt?: Date;
  /**
   * Rules whose behaviour changes from check to check, each with the reason as a clause. A difference in one of them
   * does not count.
   */
  readonly unsteady?: Unsteady;
  /** What a reader must know as well: why a provider could not be tested, for example. Sentences. */
  readonly notes?: readonly string[];
}

/**
 * Compares what two checks learned: what the interface demands, what it leaves open, and limits if both have them. Ids, names and times are no
 * part of a profile, so two checks of one provider are alike.
 *
 * @returns a report whose conclusion is `alike` or `different`; `incomplete` if they are alike as far as both are known
 * @example
 * import assert from 'node:assert/strict';
 * import { checkConformance, compareProfiles } from 'plant-store-contract/conformance';
 * import { startPlantStore } from 'plant-store-contract/server';
 *
 * const token = 'secret';
 * await using before = await startPlantStore({ token });
 * await using after = await startPlantStore({ token, authenticationFailureStatus: 401 });
 * const [first, second] = await Promise.all(
 *   [before, after].map(({ url }) => checkConformance({ baseUrl: url, token, only: ['unspecified'] })),
 * );
 * const { conclusion, differences } = compareProfiles(first!.profile, second!.profile);
 * assert.equal(conclusion, 'different');
 * assert.equal(differences[0]?.second, 'A missing token returns 401.');
 */
export function compareProfiles(
  first: Profile,
  second: Profile,
  options: CompareOptions = {},
): CompareReport {
  const {
    names = ['the first provider', 'the second provider'],
    startedAt = new Date(),
    unsteady = new Map(),
    notes = [],
  } = options;
  const things = [...compareRules(first, second, names, unsteady), ...compareLimits(first, second, names)];
  const differing = KINDS.filter((kind) => things.some((one) => one.kind === kind && isDifferent(one)));
  const cases = things.map((one) => caseOf(one, names, differing.indexOf(one.kind)));
  const frame = reportFrame({
    kind: 'compare',
    subject: `${names[0]} and ${names[1]}`,
    startedAt,
    notes,
    circumstances: { isComparison: true, notTestable: things.every(({ outcome }) => isNothing(outcome)) },
    groups: KINDS.flatMap((kind) => groupOf(kind, things, cases)),
    findings: differing.map((kind) => findingOf(kind, things)),
  });
  return {
    ...frame,
    summary: summaryOf(frame.conclusion, things),
    providers: [{ name: names[0] }, { name: names[1] }],
    differences: things.filter(isDifferent).map(({ id, kind, title, first: a = '', second: b = '' }) => ({
      ...{ id, kind, title },
      ...{ first: a, second: b },
    })),
  };
}

const KINDS: readonly ComparedKind[] = ['demanded', 'open', 'limit'];

const TITLES: Readonly<Record<ComparedKind, string>> = {
  demanded: 'what the interface demands',
  open: 'what the interface leaves open',
  limit: 'limits',
};

const VERDICTS: Readonly<Record<ComparedThing['outcome'], Verdict>> = {
  alike: 'pass',
  different: 'fail',
  'not-comparable': 'not-applicable',
  unknown: 'blocked',
};

function isDifferent({ outcome }: ComparedThing): boolean {
  return outcome === 'different';
}

function isNothing(outcome: ComparedThing['outcome']): boolean {
  return outcome === 'unknown' || outcome === 'not-comparable';
}

function caseOf(one: ComparedThing, names: Names, finding: number): Case {
  const { id, title, level, outcome, first = '', second = '', reason } = one;
  const detail = outcome === 'alike' ? bothInWords(one) : reason;
  return {
    id,
    title,
    verdict: VERDICTS[outcome],
    ...(outcome !== 'different' && detail !== undefined && { detail }),
    ...(level !== undefined && { level }),
    evidence: isDifferent(one)
      ? [{ expected: `${first} (${names[0]})`, actual: `${second} (${names[1]})`, finding }]
      : [],
  };
}

function bothInWords({ kind, first }: ComparedThing): string | undefined {
  return kind === 'demanded' && first !== undefined ? `each ${first}` : first;
}

function groupOf(kind: ComparedKind, things: readonly ComparedThing[], cases: readonly Case[]): Group[] {
  const own = cases.filter((_, at) => things[at]?.kind === kind);
  return own.length === 0 ? [] : [{ title: TITLES[kind], cases: own }];
}

function findingOf(kind: ComparedKind, things: readonly ComparedThing[]): Finding {
  const ids = things.filter((one) => one.kind === kind && isDifferent(one)).map(({ id }) => id);
  return {
    id: `different-in-${kind}`,
    title: `The providers differ in ${TITLES[kind]}.`,
    cases: ids,
  };
}

const IN_WORDS: Readonly<Record<ComparedKind, (number: number) => string>> = {
  demanded: (number) => `${counted(number, 'rule')} that the interface demands`,
  open: (number) => `${counted(number, 'behaviour')} that it leaves open`,
  limit: (number) => counted(number, 'limit'),
};

function summaryOf(conclusion: Conclusion, things: readonly ComparedThing[]): string {
  const count = (outcome: ComparedThing['outcome']): number =>
    things.filter((one) => one.outcome === outcome).length;
  const compared = count('alike') + count('different');
  const unknown = count('unknown');
  const but = unknown === 0 ? '' : ` ${counted(unknown, 'thing')} could not be compared.`;
  if (conclusion === 'not-testable')
    return 'The providers could not be compared: at least one of them could not be tested, or nothing was judged for both.';
  if (count('different') === 0)
    return conclusion === 'alike'
      ? `The providers are alike in all ${compared} things that were compared.`
      : `The providers are alike in ${counted(compared, 'thing')}.${but}`;
  const kinds = KINDS.flatMap((kind) => {
    const number = things.filter((one) => one.kind === kind && isDifferent(one)).length;
    return number === 0 ? [] : [IN_WORDS[kind](number)];
  });
  return `The providers differ in ${listed(kinds)}.${but}`;
}

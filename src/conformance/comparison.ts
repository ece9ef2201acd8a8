import { reportFrame } from '../report/build.js';
import type { Case, Conclusion, Finding, Group, Report, Verdict } from '../report/frame.js';
import {
  type DemandedRule,
  type DiscoveredLimit,
  type LimitId,
  limitTitles,
  type Profile,
} from '../report/profile.js';
import { counted, listed } from '../report/wording.js';
import type { Level } from './rule.js';
import { type ObservationId, rules } from './rules/index.js';

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

/** What two providers are compared in: what the interface demands, what it leaves open, or limits. */
type ComparedKind = 'demanded' | 'open' | 'limit';

interface ComparedThing {
  /** The id of a rule, or `limit/` and the id of a limit. */
  readonly id: string;
  readonly kind: ComparedKind;
  readonly title: string;
  readonly level?: Level;
  /**
   * - `alike`
   * - `different`
   * - `not-comparable`: one of them has nothing to compare, and may do so
   * - `unknown`: one of them could not be judged
   */
  readonly outcome: 'alike' | 'different' | 'not-comparable' | 'unknown';
  /** What each provider does, in words. Left out if it is not known. */
  readonly first?: string;
  readonly second?: string;
  /** Why they cannot be compared. */
  readonly reason?: string;
}

type Names = readonly [first: string, second: string];

/** Rules whose behaviour changed when it was looked at again, with what is known: it says nothing about a provider. */
type Unsteady = ReadonlyMap<string, string>;

const ERROR_CODES: ObservationId = 'unspecified/error-codes';

const catalogue: ReadonlyMap<string, { readonly title: string; readonly level: Level }> = new Map(
  rules.map(({ id, title, level }) => [id, { title, level }]),
);

/** Compares two profiles, rule by rule, in the order of the catalogue. Pure. */
function compareRules(
  first: Profile,
  second: Profile,
  names: Names,
  unsteady: Unsteady,
): readonly ComparedThing[] {
  const demands = pairsOf(first.demands, second.demands);
  const behaviours = pairsOf(first.behaviours, second.behaviours);
  const context: BehaviourContext = {
    names,
    // Otherwise the difference is reported once, for all failures.
    comparesErrors: behaviours.some(
      ([id, a, b]) => id === ERROR_CODES && a !== undefined && a.value === b?.value,
    ),
  };
  const compared = [
    ...demands.map(([id, a, b]) => ({ ...about(id, 'demanded'), ...compareVerdicts(a, b, names) })),
    ...behaviours.map(([id, a, b]) => ({
      ...about(id, 'open'),
      ...compareBehaviours(a, b, context),
    })),
  ];
  return compared.map((one): ComparedThing => {
    const reason = unsteady.get(one.id);
    if (reason === undefined || one.outcome !== 'different') return one;
    return { ...one, outcome: 'not-comparable', reason };
  });
}

type Comparison = Pick<ComparedThing, 'outcome' | 'first' | 'second' | 'reason'>;

function about(id: string, kind: ComparedKind): Pick<ComparedThing, 'id' | 'kind' | 'title' | 'level'> {
  const known = catalogue.get(id);
  return { id, kind, title: known?.title ?? id, ...(known !== undefined && { level: known.level }) };
}

/** The entries of two lists by their rule: first those of the catalogue, in its order. */
function pairsOf<T extends { readonly rule: string }>(
  first: readonly T[],
  second: readonly T[],
): readonly (readonly [id: string, a: T | undefined, b: T | undefined])[] {
  const [a, b] = [first, second].map((list) => new Map(list.map((one) => [one.rule, one])));
  const given = new Set([...first, ...second].map(({ rule }) => rule));
  const ids = [...[...catalogue.keys()].filter((id) => given.has(id)), ...given];
  return [...new Set(ids)].map((id) => [id, a?.get(id), b?.get(id)] as const);
}

function compareVerdicts(a: DemandedRule | undefined, b: DemandedRule | undefined, names: Names): Comparison {
  if (a === undefined || b === undefined) return onlyOne(a === undefined, names, 'was not judged');
  const known = { first: verdictInWords(a), second: verdictInWords(b) };
  const notKnown = [a, b].findIndex(({ verdict }) => verdict === 'blocked' || verdict === 'error');
  if (notKnown !== -1) return { ...known, outcome: 'unknown', reason: reasonOf([a, b], notKnown, names) };
  const notJudged = [a, b].findIndex(({ verdict }) => verdict === 'not-applicable');
  if (notJudged !== -1)
    return { ...known, outcome: 'not-comparable', reason: reasonOf([a, b], notJudged, names) };
  if (a.verdict === b.verdict) return { ...known, outcome: 'alike' };
  const intermittent = [a, b].findIndex((one) => one.intermittent === true);
  if (intermittent === -1) return { ...known, outcome: 'different' };
  const reason = `the failure of ${names[intermittent]} is intermittent, so one check does not tell them apart`;
  return { ...known, outcome: 'unknown', reason };
}

function verdictInWords({ verdict, intermittent }: DemandedRule): string {
  const words: Readonly<Partial<Record<Verdict, string>>> = {
    pass: 'satisfies the rule',
    fail: intermittent === true ? 'breaks the rule intermittently' : 'breaks the rule',
  };
  return words[verdict] ?? 'could not be judged';
}

function reasonOf(pair: readonly DemandedRule[], index: number, names: Names): string {
  return `${names[index]}: ${pair[index]?.reason ?? 'no reason is known'}`;
}

function onlyOne(isFirstMissing: boolean, names: Names, what: string): Comparison {
  return { outcome: 'not-comparable', reason: `it ${what} in ${names[isFirstMissing ? 0 : 1]}` };
}

type BehaviourOfRule = Profile['behaviours'][number];

/** What a comparison of two behaviours depends on besides them. */
interface BehaviourContext {
  readonly names: Names;
  /** Whether the integers in "error" are compared for each request. */
  readonly comparesErrors: boolean;
}

function compareBehaviours(
  a: BehaviourOfRule | undefined,
  b: BehaviourOfRule | undefined,
  { names, comparesErrors }: BehaviourContext,
): Comparison {
  if (a === undefined || b === undefined) return onlyOne(a === undefined, names, 'was not observed');
  const known = { first: behaviourInWords(a, b), second: behaviourInWords(b, a) };
  const hasSameError =
    !comparesErrors || a.error === b.error || a.error === undefined || b.error === undefined;
  if (settled(a.value) === settled(b.value) && hasSameError) return { ...known, outcome: 'alike' };
  const unclear = [a, b].findIndex(({ caveat }) => caveat !== undefined);
  if (unclear !== -1)
    return { ...known, outcome: 'not-comparable', reason: `${names[unclear]}: ${[a, b][unclear]?.caveat}` };
  return { ...known, outcome: 'different' };
}

/** Its sentence, and the "error" if only that differs. */
function behaviourInWords({ sentence, value, error }: BehaviourOfRule, other: BehaviourOfRule): string {
  const isOnlyInError = value === other.value && error !== other.error && error !== undefined;
  return isOnlyInError ? `${sentence} Its "error" is ${error}.` : sentence;
}

/**
 * A value without what differs from response to response: a nonce, a trace id, a time. Only a `WWW-Authenticate` has
 * such parts; in other values there is nothing to replace.
 */
function settled(value: string): string {
  return value
    .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?/g, '(time)')
    .replaceAll(/[\w+/=-]{16,}/g, (run) => (/\d/.test(run) && /[A-Za-z]/.test(run) ? '(id)' : run))
    .replaceAll(/(?<![\w-])\d{9,}(?!\w)/g, '(number)');
}

/** Compares the limits of two profiles. Nothing is compared unless both have them. Pure. */
export function compareLimits(first: Profile, second: Profile, names: Names): readonly ComparedThing[] {
  if (first.limits === undefined && second.limits === undefined) return [];
  return (Object.keys(limitTitles) as LimitId[]).flatMap((id): ComparedThing[] => {
    const about = { id: `limit/${id}`, kind: 'limit' as const, title: limitTitles[id] };
    const [a, b] = [first, second].map(({ limits = [] }) => limits.find((limit) => limit.id === id));
    if (a === undefined && b === undefined) return [];
    if (a === undefined || b === undefined) {
      const reason = `${names[a === undefined ? 0 : 1]} was checked without a search for limits`;
      return [{ ...about, outcome: 'not-comparable', reason }];
    }
    const known = { ...about, first: a.sentence, second: b.sentence };
    const lost = [a, b].findIndex(({ outcome }) => outcome === 'unknown');
    if (lost !== -1) {
      const reason = `${names[lost]}: ${[a, b][lost]?.reason ?? 'it could not be found'}`;
      return [{ ...known, outcome: 'not-comparable', reason }];
    }
    const short = [a, b].findIndex((limit, at) => isBeyond([b, a][at], limit));
    if (short !== -1) {
      const reason = `${names[short]} was not tried beyond ${[a, b][short]?.upTo}`;
      return [{ ...known, outcome: 'not-comparable', reason }];
    }
    const isAlike = a.outcome === b.outcome && a.value === b.value;
    return [{ ...known, outcome: isAlike ? 'alike' : 'different' }];
  });
}

/** Whether a limit was found where the other provider was not asked. */
function isBeyond(found: DiscoveredLimit | undefined, { outcome, upTo }: DiscoveredLimit): boolean {
  return found?.outcome === 'found' && outcome === 'not-found' && Number(found.value) > Number(upTo);
}

/**
 * What changed between two checks of one provider, each with the reason why it says nothing about the provider.
 *
 * @param before the profile of the first check
 * @param again the profile of a second check, of some rules
 */
export function changesBetween(before: Profile, again: Profile, name: string): ReadonlyMap<string, string> {
  const changes = new Map<string, string>();
  for (const { rule, verdict } of again.demands) {
    const earlier = before.demands.find((one) => one.rule === rule)?.verdict;
    // After its first check a provider has more plants, so another verdict may say nothing about it.
    const isContrary = [earlier, verdict].sort().join() === 'fail,pass';
    if (isContrary) changes.set(rule, `${name} breaks the rule in one check, and not in another`);
  }
  for (const { rule, value, caveat } of again.behaviours) {
    const earlier = before.behaviours.find((one) => one.rule === rule);
    // The first check created plants that the second one meets.
    if (earlier === undefined || earlier.value === value || caveat !== undefined) continue;
    changes.set(rule, `${name} changes from check to check: ${earlier.value} and ${value}`);
  }
  return changes;
}

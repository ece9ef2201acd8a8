import type { Verdict } from '../../report/frame.js';
import {
  type DemandedRule,
  type DiscoveredLimit,
  type LimitId,
  limitTitles,
  type Profile,
} from '../../report/profile.js';
import type { Level } from '../rule.js';
import { type ObservationId, rules } from '../rules/index.js';

/** What two providers are compared in: what the interface demands, what it leaves open, or limits. */
export type ComparedKind = 'demanded' | 'open' | 'limit';

/** One thing in which two providers were compared. */
export interface ComparedThing {
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

/** The names of the two providers in sentences. */
export type Names = readonly [first: string, second: string];

/** Rules whose behaviour changed when it was looked at again, with what is known: it says nothing about a provider. */
export type Unsteady = ReadonlyMap<string, string>;

const ERROR_CODES: ObservationId = 'unspecified/error-codes';

const catalogue: ReadonlyMap<string, { readonly title: string; readonly level: Level }> = new Map(
  rules.map(({ id, title, level }) => [id, { title, level }]),
);

/** Compares two profiles, rule by rule, in the order of the catalogue. Pure. */
export function compareRules(
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

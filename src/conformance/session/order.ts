import { HOUSE_LEVEL } from '../../report/conclusion.js';
import { mayBeLeftOut, PHASES, type Phase, type Probe } from '../probe.js';
import { type AnyRule, isSentFor, levels } from '../rule.js';

/** The probes that give each documented rule its first requests, and then those that give each implied rule some. */
export type First = readonly [documented: readonly Probe[], implied: readonly Probe[]];

/** Finds the number of requests of a probe. */
type CountOf = (probe: Probe) => number;

/** A probe with more requests is not among the first. */
const FEW = 6;

/**
 * Finds the probes that come first: if the provider limits its rate at some request, what people need to know is known by then.
 * The controls are the first of all. Within a level, single requests come before sequences.
 */
export function firstForEachRule(
  rules: readonly AnyRule[],
  probes: readonly Probe[],
  countOf: CountOf,
): First {
  const few = tellingFirst(probes).filter((probe) => countOf(probe) <= FEW);
  const byName = new Map<string, Probe>(probes.map((probe) => [probe.name, probe]));
  const found = new Set<Probe>(probes.filter(({ phase }) => phase === 'control'));
  const ofLevel = (at: number): readonly Probe[] => {
    const before = at === 0 ? 0 : found.size;
    for (const rule of rules.filter((one) => explicitness(one) === at)) {
      for (const name of rule.dependsOn ?? []) {
        const probe = byName.get(name);
        if (probe !== undefined) found.add(probe);
      }
      const isSent = (probe: Probe): boolean => isSentFor(rule, probe);
      if ([...found].some(isSent)) continue;
      const probe = few.find(isSent);
      if (probe !== undefined) found.add(probe);
    }
    const now = [...found].slice(before);
    const isSingle = (probe: Probe): boolean => countOf(probe) === 1;
    return [...now.filter(isSingle), ...now.filter((probe) => !isSingle(probe))];
  };
  return [ofLevel(0), ofLevel(1)];
}

/** A rule, the probes that may be sent for it, and how many of them are in the order so far. */
interface Need {
  readonly left: readonly Probe[];
  sent: number;
}

/**
 * Orders all probes for a check that has time for few: after the first ones, one more for each rule, then another one for each, and so
 * on. The rules of the more explicit level come first, and within a level in their order.
 */
export function orderOf(first: First, rules: readonly AnyRule[], probes: readonly Probe[]): readonly Probe[] {
  const telling = tellingFirst(probes);
  const needs: readonly Need[] = rules
    .toSorted((a, b) => explicitness(a) - explicitness(b))
    .map((rule) => ({ left: telling.filter((probe) => isSentFor(rule, probe)), sent: 0 }));
  const needsOf = new Map<Probe, Need[]>(probes.map((probe) => [probe, []]));
  for (const need of needs) for (const probe of need.left) needsOf.get(probe)?.push(need);
  const ordered = new Set<Probe>();
  const add = (probe: Probe | undefined): void => {
    if (probe === undefined || ordered.has(probe)) return;
    ordered.add(probe);
    for (const need of needsOf.get(probe) ?? []) need.sent++;
  };
  for (const probe of first.flat()) add(probe);
  for (let times = 0; needs.some(({ left, sent }) => sent < left.length); times++)
    for (const { left, sent } of needs) if (sent <= times) add(left.find((probe) => !ordered.has(probe)));
  // The others are sent for no rule.
  for (const probe of telling) add(probe);
  return [...ordered];
}

/** Probes in the order in which they are sent, beside the others of their phases. */
interface FirstParts {
  readonly first: readonly (readonly Probe[])[];
  /** What comes next if the provider accepts fewer requests than are left. */
  readonly ifScarce: readonly (readonly Probe[])[];
}

/**
 * Divides the first probes. Wrong tokens come later, except for one: no provider locks a client out for that. So do ids that the
 * provider may store: one that turns a wrong id into one of these rejects it as a duplicate. If requests are scarce, these come
 * next, with a plain plant that shows a lockout.
 *
 * @param probes those of the run
 */
export function firstParts([documented, implied]: First, probes: readonly Probe[]): FirstParts {
  const given = new Set(probes);
  const wrongTokens = implied.filter(isLate);
  const early = [...documented.filter(isLate), ...wrongTokens.splice(0, 1)];
  const isState = ({ phase }: Probe): boolean => phase === 'state';
  const isEarly = (probe: Probe): boolean => isOrdinary(probe) && !isState(probe);
  const afterwards = probes.filter(({ phase }) => phase === 'afterwards');
  const ofRun = (some: readonly Probe[]): readonly Probe[] => some.filter((probe) => given.has(probe));
  return {
    first: [[...documented.filter(isEarly), ...early], implied.filter(isEarly)].map(ofRun),
    ifScarce: [[...wrongTokens, ...afterwards], [...documented, ...implied].filter(isState)].map(ofRun),
  };
}

/** The probes of some parts in the order in which they begin if all are sent side by side. */
export function sideBySide(parts: readonly (readonly Probe[])[], countOf: CountOf): readonly Probe[] {
  const inOrder = parts.flatMap((part) =>
    longestFirst(
      PHASES.flatMap((phase) => tellingFirst(part.filter((one) => one.phase === phase))),
      countOf,
    ),
  );
  // Such a sequence takes as long as all other probes together.
  const isLongest = (probe: Probe): boolean => probe.together !== true && countOf(probe) > FEW;
  return [...inOrder.filter(isLongest), ...inOrder];
}

/** A sequence is the last to end, so it begins before the others. */
export function longestFirst(probes: readonly Probe[], countOf: CountOf): readonly Probe[] {
  const isLong = (probe: Probe): boolean => countOf(probe) > 1;
  return [...probes.filter(isLong), ...probes.filter((probe) => !isLong(probe))];
}

/** The phases with what is made of the token. After them comes only what is heavy. */
const LATE = ['wrong-token', 'afterwards'] as const satisfies readonly Phase[];

export function isLate({ phase }: Probe): boolean {
  return LATE.some((late) => late === phase);
}

/** Whether a probe comes before what is made of the token, and before what is heavy. */
export function isOrdinary(probe: Probe): boolean {
  return probe.phase !== 'control' && probe.phase !== 'heavy' && !isLate(probe);
}

/** The probes that families generate last: they are left out if there is no time for all. */
export function tellingFirst(probes: readonly Probe[]): readonly Probe[] {
  return [...probes.filter((probe) => !mayBeLeftOut(probe)), ...probes.filter(mayBeLeftOut)];
}

function explicitness({ level }: AnyRule): number {
  return level === HOUSE_LEVEL ? levels.length : levels.indexOf(level);
}

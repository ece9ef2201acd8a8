import { HOUSE_LEVEL } from '../../report/conclusion.js';
import { mayBeLeftOut, type Probe } from '../probe.js';
import { type AnyRule, isSentFor, levels } from '../rule.js';

/** The order of what people need to know, in which probes are sent if there is time for few. */
export interface Order {
  /** All probes, the most needed one first. */
  readonly probes: readonly Probe[];
  /** Those that give each documented rule its first request, and then those that give each implied rule one. */
  readonly first: readonly [documented: readonly Probe[], implied: readonly Probe[]];
}

/** A probe with more requests is not sent before there is one for each rule. */
const FEW = 6;

/** A rule, the probes that may be sent for it, and how many of them are in the order so far. */
interface Need {
  readonly rule: AnyRule;
  readonly left: readonly Probe[];
  sent: number;
}

/**
 * Orders probes: first the controls, then one probe for each rule, then another one for each, and so on. The rules of the more
 * explicit level come first, and within a level in their order.
 *
 * @param countOf the number of requests of a probe
 */
export function orderOf(
  rules: readonly AnyRule[],
  probes: readonly Probe[],
  countOf: (probe: Probe) => number,
): Order {
  const telling = [...probes.filter((probe) => !mayBeLeftOut(probe)), ...probes.filter(mayBeLeftOut)];
  const byName = new Map<string, Probe>(probes.map((probe) => [probe.name, probe]));
  const needs: readonly Need[] = rules
    .toSorted((a, b) => explicitness(a) - explicitness(b))
    .map((rule) => ({ rule, left: telling.filter((probe) => isSentFor(rule, probe)), sent: 0 }));
  const needsOf = new Map<Probe, Need[]>(probes.map((probe) => [probe, []]));
  for (const need of needs) for (const probe of need.left) needsOf.get(probe)?.push(need);
  const ordered = new Set<Probe>();
  const first: [Probe[], Probe[]] = [[], []];
  const add = (probe: Probe | undefined, at = -1): void => {
    if (probe === undefined || ordered.has(probe)) return;
    ordered.add(probe);
    first[at]?.push(probe);
    for (const need of needsOf.get(probe) ?? []) need.sent++;
  };
  for (const probe of probes.filter(({ phase }) => phase === 'control')) add(probe, 0);
  for (let times = 0; needs.some(({ left, sent }) => sent < left.length); times++)
    for (const { rule, left, sent } of needs) {
      const at = times === 0 ? explicitness(rule) : -1;
      if (at >= 0) for (const name of rule.dependsOn ?? []) add(byName.get(name), at);
      const mayBeNext = (probe: Probe): boolean =>
        !ordered.has(probe) && (times > 0 || countOf(probe) <= FEW);
      if (sent <= times) add(left.find(mayBeNext), at);
    }
  // The others are sent for no rule.
  for (const probe of telling) add(probe);
  return { probes: [...ordered], first };
}

function explicitness({ level }: AnyRule): number {
  return level === HOUSE_LEVEL ? levels.length : levels.indexOf(level);
}

import { isAfterWrongTokens, PHASES, type Probe } from '../row.js';
import { type AnyRule, isSentFor } from '../rule.js';

/** Probes that are sent side by side, but for those that are alone. */
export type Part = readonly Probe[];

/** What has more requests is not the first of a rule, if there is another. */
const FEW = 6;

/**
 * The parts in which a check sends its probes, always the same. First comes the first probe of each rule of severity `error`, wrong
 * tokens included, with a plain plant that shows a lockout. Then come all others, phase by phase. So if there is no time for all,
 * people know what matters most. What may stop a provider is last.
 *
 * @param isFar whether waiting for the last response of each part would take as long as sending it
 */
export function inParts(
  probes: readonly Probe[],
  rules: readonly AnyRule[],
  isFar: boolean,
): readonly Part[] {
  const first = firstOf(
    rules.filter((rule) => rule.level !== 'unspecified' && rule.severity === 'error'),
    probes,
  );
  // This one comes after the first wrong tokens, and the others after all.
  const afterFirst = probes.find(({ phase }) => phase === 'afterwards');
  const isFirst = (probe: Probe): boolean =>
    probe === afterFirst || (first.has(probe) && probe.phase !== 'heavy');
  return [probes.filter(isFirst), probes.filter((probe) => !isFirst(probe))].flatMap((some) =>
    inPhases(some, isFar),
  );
}

/** The first probe of each of some rules, with those that these rules look at and the controls of all. */
function firstOf(rules: readonly AnyRule[], probes: readonly Probe[]): ReadonlySet<Probe | undefined> {
  const byName = new Map<string, Probe>(probes.map((probe) => [probe.name, probe]));
  const found = rules.flatMap((rule) => {
    const sent = probes.filter((probe) => isSentFor(rule, probe));
    // Its own rows come first, the most telling one before the others. Rows of other topics may name it, too.
    const own = (rule.rows ?? []).flatMap(({ name }) => byName.get(name) ?? []);
    const all = [...own, ...sent];
    const needed = (rule.dependsOn ?? []).map((name) => byName.get(name));
    return [...needed, all.find((probe) => probe.requests.length <= FEW) ?? all[0]];
  });
  return new Set([...found, ...found.map((probe) => byName.get(probe?.control ?? ''))]);
}

function inPhases(probes: readonly Probe[], isFar: boolean): readonly Part[] {
  const parts = PHASES.map((phase) => probes.filter((probe) => probe.phase === phase));
  const isLate = ([probe]: Part): boolean => isAfterWrongTokens(probe?.phase);
  const early = parts.filter((part) => !isLate(part));
  const all = [...(isFar ? [early.flat()] : early), ...parts.filter(isLate)];
  return all.filter(({ length }) => length > 0).map((part) => (isFar ? longestFirst(part) : part));
}

/** What takes many responses, one after the other, begins first: all others come beside it. */
function longestFirst(part: Part): Part {
  const roundsOf = ({ together, requests }: Probe): number => (together === true ? 1 : requests.length);
  return part.toSorted((a, b) => roundsOf(b) - roundsOf(a));
}

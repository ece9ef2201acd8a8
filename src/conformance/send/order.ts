import { isAfterWrongTokens, PHASES, type Probe } from '../row.js';
import { type AnyRule, isSentFor } from '../rule.js';

/** Probes that are sent side by side, but for those that are alone. */
export type Part = readonly Probe[];

/** How many wrong tokens are sent until a plain plant shows whether they prove anything, unless the provider is far. */
const FEW_TOKENS = 14;
/** What has more requests is not the first of a rule, if there is another. */
const FEW = 6;

/**
 * The parts in which a check sends its probes, always the same: a request without a token and one with a wrong one, the first probe
 * of each rule, errors before warnings, and all others, phase by phase. So if there is no time for all, people know what matters
 * most. Wrong tokens are late, a few in each part, and what may stop a provider is last. To a far provider, few parts take less time.
 *
 * @param isFar whether waiting for the last response of each part would take as long as sending it
 */
export function inParts(
  probes: readonly Probe[],
  rules: readonly AnyRule[],
  isFar: boolean,
): readonly Part[] {
  const isLate = ({ phase }: Probe): boolean => isAfterWrongTokens(phase);
  const early = probes.filter((probe) => probe.early === true);
  const others = probes.filter((probe) => !isLate(probe) && !early.includes(probe));
  const demands = rules.filter((rule) => rule.level !== 'unspecified');
  const errors = firstOf(
    demands.filter(({ severity }) => severity === 'error'),
    others,
  );
  const warnings = firstOf(
    demands.filter(({ severity }) => severity === 'warning'),
    others,
  );
  const isFirst = (probe: Probe): boolean => errors.has(probe) || warnings.has(probe);
  const before = [
    ...inPhases(others.filter((probe) => errors.has(probe))),
    ...inPhases(others.filter((probe) => warnings.has(probe) && !errors.has(probe))),
    ...inPhases(others.filter((probe) => !isFirst(probe))),
  ];
  const late = inPhases(probes.filter((probe) => isLate(probe) && !early.includes(probe)));
  const parts = isFar
    ? [[...early, ...longestFirst(before.flat())], ...late.map(longestFirst)]
    : [early, ...before, ...late.flatMap(inGroups)];
  return parts.filter(({ length }) => length > 0);
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

function inPhases(probes: readonly Probe[]): readonly Part[] {
  return PHASES.map((phase) => probes.filter((probe) => probe.phase === phase));
}

/** Whether a plain plant has to show what the rejections of a part prove. */
export function hasWrongTokens(part: Part): boolean {
  return part.some(({ phase }) => phase === 'wrong-token');
}

function inGroups(part: Part): readonly Part[] {
  if (!hasWrongTokens(part)) return [part];
  const count = Math.ceil(part.length / FEW_TOKENS);
  return Array.from({ length: count }, (_, at) => part.slice(at * FEW_TOKENS, (at + 1) * FEW_TOKENS));
}

/** What takes many responses, one after the other, begins first: all others come beside it. */
function longestFirst(part: Part): Part {
  const roundsOf = ({ together, requests }: Probe): number => (together === true ? 1 : requests.length);
  return part.toSorted((a, b) => roundsOf(b) - roundsOf(a));
}

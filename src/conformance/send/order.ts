import { HOUSE_LEVEL } from '../../report/conclusion.js';
import { isAfterWrongTokens, PHASES, type Probe } from '../probe.js';
import { type AnyRule, isSentFor, levels } from '../rule.js';

/** Probes that are sent side by side, but for those that are alone. */
export type Part = readonly Probe[];

/** What has more requests is not the first of a rule, if there is another. */
const FEW = 6;

/**
 * The parts in which a check sends its probes, always the same. First comes the first probe of each rule of severity `error`, wrong
 * tokens included, with a plain plant that shows a lockout. Then come the first ones of the other rules, and all others, phase
 * by phase. So if there is no time for all, people know what matters most. What may stop a provider is last.
 *
 * @param isFar whether waiting for the last response of each part would take as long as sending it
 */
export function inParts(
  probes: readonly Probe[],
  rules: readonly AnyRule[],
  isFar: boolean,
): readonly Part[] {
  const isError = (rule: AnyRule): boolean => rule.level !== 'unspecified' && rule.severity === 'error';
  const first = firstOf(rules.filter(isError), probes);
  const others = rules.filter((rule) => !isError(rule));
  const second = firstOf(others, probes);
  // This one comes after the first wrong tokens, and the others after all.
  const afterFirst = probes.find(({ phase }) => phase === 'afterwards');
  const rankOf = (probe: Probe): number => {
    if (probe === afterFirst) return 0;
    if (first.has(probe) && probe.phase !== 'heavy') return 0;
    // Others would hide something: wrong tokens, if they lock the client out, and ids that a provider then has already.
    return second.has(probe) && (probe.phase === 'valid' || probe.phase === 'invalid') ? 1 : 2;
  };
  return [0, 1, 2].flatMap((rank) =>
    inPhases(
      probes.filter((probe) => rankOf(probe) === rank),
      isFar,
    ),
  );
}

/** The first probe of each of some rules, with those that these rules look at and the controls of all. */
function firstOf(rules: readonly AnyRule[], probes: readonly Probe[]): ReadonlySet<Probe> {
  const byName = new Map<string, Probe>(probes.map((probe) => [probe.name, probe]));
  const found = new Set<Probe>();
  const add = (probe: Probe | undefined): void => {
    if (probe === undefined) return;
    found.add(probe);
    const control = byName.get(probe.control ?? '');
    if (control !== undefined) found.add(control);
  };
  for (const rule of rules.toSorted((a, b) => explicitness(a) - explicitness(b))) {
    for (const name of rule.dependsOn ?? []) add(byName.get(name));
    const sent = probes.filter((probe) => isSentFor(rule, probe));
    // Its own rows come first, the most telling one before the others. Rows of other topics may name it, too.
    const own = (rule.rows ?? []).flatMap(({ name }) => byName.get(name) ?? []);
    const all = [...own, ...sent];
    add(all.find((probe) => probe.requests.length <= FEW) ?? all[0]);
  }
  return found;
}

function explicitness({ level }: AnyRule): number {
  return level === HOUSE_LEVEL ? levels.length : levels.indexOf(level);
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

import { didYouMean } from '../output/suggestion.js';
import { invalidOption, type ToolkitError } from '../toolkit-error.js';
import { probes as allProbes } from './families/index.js';
import { isGenerated, type Probe } from './probe.js';
import { concerns, type Level, levels, needs, type Rule, topicOf } from './rule.js';
import { rules as allRules } from './rules/index.js';

/** Which rules are judged. */
export interface SelectionOptions {
  /** Judge only these: ids of rules, topics (`auth`), or levels (`documented`). Default: all. */
  readonly only?: readonly string[];
  /** Judge all except these: ids, topics, or levels. */
  readonly skip?: readonly string[];
  /** Judge only the rules of these levels. Default: all three. */
  readonly levels?: readonly Level[];
  /** Send at most 150 requests: leave out those that families generate, and the rules that only they show. Default false. */
  readonly quick?: boolean;
}

/** The rules that are judged, and the probes that they need. */
export interface Selection {
  readonly rules: readonly Rule[];
  readonly probes: readonly Probe[];
}

/** Whether every selection needs a probe: a control, or after wrong tokens, the probe that shows a lockout. */
function isNeeded(probe: Probe, chosen: ReadonlySet<Probe>): boolean {
  if (probe.phase === 'control') return true;
  return probe.phase === 'afterwards' && [...chosen].some(({ phase }) => phase === 'wrong-token');
}

/**
 * Selects rules, the probes that they need, and the controls of those probes.
 *
 * @throws ToolkitError `invalid-option` if a word names no rule, or no rule is left
 */
export function select({ quick = false, ...options }: SelectionOptions): Selection {
  const whole = selectAll(options);
  return quick ? quickSelection(whole) : whole;
}

/** @throws ToolkitError `invalid-option` if no rule is left */
export function quickSelection({ rules, probes }: Selection): Selection {
  const left = probes.filter((probe) => !isGenerated(probe));
  const judged = rules.filter((rule) => left.some((probe) => concerns(rule, probe)));
  if (judged.length === 0) throw invalidOption('a quick check has no request for these rules');
  return { rules: judged, probes: left };
}

function selectAll({ only = [], skip = [], levels: wanted = levels }: SelectionOptions): Selection {
  for (const word of [...only, ...skip]) {
    if (!allRules.some((rule) => matches(rule, word))) throw unknown(word);
  }
  for (const level of wanted) {
    if (!levels.includes(level))
      throw invalidOption(
        `unknown level "${level}"; expected one of: ${levels.join(', ')}${didYouMean(level, levels)}`,
      );
  }
  const rules = allRules.filter(
    (rule) =>
      wanted.includes(rule.level) &&
      (only.length === 0 || only.some((word) => matches(rule, word))) &&
      !skip.some((word) => matches(rule, word)),
  );
  if (rules.length === 0) throw invalidOption('the options select no rule');
  return { rules, probes: probesFor(rules) };
}

function probesFor(rules: readonly Rule[]): readonly Probe[] {
  const byName = new Map(allProbes.map((probe) => [probe.name, probe]));
  const chosen = new Set<Probe>();
  const choose = (probe: Probe | undefined): void => {
    if (probe === undefined || chosen.has(probe)) return;
    chosen.add(probe);
    if (probe.control !== undefined) choose(byName.get(probe.control));
  };
  for (const probe of allProbes) {
    if (rules.some((rule) => needs(rule, probe))) choose(probe);
  }
  for (const probe of allProbes) if (isNeeded(probe, chosen)) choose(probe);
  return allProbes.filter((probe) => chosen.has(probe));
}

function matches(rule: Rule, word: string): boolean {
  return rule.id === word || topicOf(rule) === word || rule.level === word;
}

function unknown(word: string): ToolkitError {
  const topics = [...new Set(allRules.map(topicOf))];
  const hint = didYouMean(word, [...topics, ...levels, ...allRules.map(({ id }) => id)]);
  return invalidOption(
    `"${word}" is not a rule, a topic (${topics.join(', ')}) or a level (${levels.join(', ')})` +
      (hint || '; `plant-store rules` lists them'),
  );
}

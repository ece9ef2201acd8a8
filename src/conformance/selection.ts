import { ToolkitError } from '../toolkit-error.js';
import type { Probe } from './probe.js';
import { probes as allProbes } from './probes/index.js';
import { concerns, type Level, levels, type Rule, topicOf } from './rule.js';
import { rules as allRules } from './rules/index.js';

/** Which rules are judged: ids, topics or levels; what is left out chooses all. */
export interface SelectionOptions {
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly levels?: readonly Level[];
}

/** The rules that are judged, and the probes that they need. */
export interface Selection {
  readonly rules: readonly Rule[];
  readonly probes: readonly Probe[];
}

/** What is needed whatever is judged: the controls, and what shows a lock-out once wrong tokens were sent. */
function isNeeded(probe: Probe, chosen: ReadonlySet<Probe>): boolean {
  if (probe.phase === 'control') return true;
  return probe.phase === 'afterwards' && [...chosen].some(({ phase }) => phase === 'wrong-token');
}

/**
 * The rules that were chosen, with their probes and the controls of these.
 *
 * @throws ToolkitError `invalid-option` where a word chooses no rule, or no rule is left
 */
export function select({ only = [], skip = [], levels: wanted = levels }: SelectionOptions): Selection {
  for (const word of [...only, ...skip]) {
    if (!allRules.some((rule) => matches(rule, word))) throw unknown(word);
  }
  for (const level of wanted) {
    if (!levels.includes(level))
      throw new ToolkitError(
        'invalid-option',
        `there is no level "${level}"; there are: ${levels.join(', ')}`,
      );
  }
  const rules = allRules.filter(
    (rule) =>
      wanted.includes(rule.level) &&
      (only.length === 0 || only.some((word) => matches(rule, word))) &&
      !skip.some((word) => matches(rule, word)),
  );
  if (rules.length === 0) throw new ToolkitError('invalid-option', 'no rule is left to judge');
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
    const isAsked = rules.some(({ asks = [] }) => asks.includes(probe.name));
    if (isAsked || rules.some((rule) => concerns(rule, probe))) choose(probe);
  }
  for (const probe of allProbes) if (isNeeded(probe, chosen)) choose(probe);
  return allProbes.filter((probe) => chosen.has(probe));
}

function matches(rule: Rule, word: string): boolean {
  return rule.id === word || topicOf(rule) === word || rule.level === word;
}

function unknown(word: string): ToolkitError {
  const topics = [...new Set(allRules.map(topicOf))].join(', ');
  return new ToolkitError(
    'invalid-option',
    `"${word}" is no rule, no topic (${topics}) and no level (${levels.join(', ')}); \`plant-store rules\` lists them`,
  );
}

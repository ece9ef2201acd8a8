import type { HOUSE_LEVEL } from '../report/conclusion.js';
import { didYouMean } from '../suggestion.js';
import { invalidOption, type ToolkitError } from '../toolkit-error.js';
import type { ExploredFailure } from './exploring/exploration.js';
import { type HouseRule, type HouseRules, readHouseRules } from './house.js';
import type { HouseId, Probe } from './probe.js';
import { probeOf } from './row.js';
import {
  type AnyRule,
  concerns,
  type Demand,
  isMeantFor,
  isSentFor,
  levels,
  needs,
  type Rule,
  type RuleId,
  topicOf,
} from './rule.js';
import { probes as probesOfInterface, rules as rulesOfInterface } from './topics/index.js';

/** Which rules are judged. */
export interface SelectionOptions {
  /**
   * Judge only these, and send only what they need: ids of rules, topics (`auth`), or levels (`documented`); `house` has all
   * house rules. Default: all.
   */
  readonly only?: readonly string[];
  /** Judge all except these: ids, topics, or levels. */
  readonly skip?: readonly string[];
  /** Rules of your own, with their probes: see {@link HouseRule}. They never change what is said about the interface. */
  readonly houseRules?: readonly HouseRule[];
}

/** The rules that are judged, and the probes that they need. */
export interface Selection {
  readonly rules: readonly AnyRule[];
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
 * @throws ToolkitError `invalid-option` if a house rule is wrong, a word names no rule, or no rule is left
 */
export function select({ houseRules, ...options }: SelectionOptions): Selection {
  return selectFrom(everything(readHouseRules(houseRules)), options);
}

/**
 * Selects saved failures, and the rules that they break.
 *
 * @throws ToolkitError `invalid-option` if there are none
 */
export function selectSaved(all: Selection, saved: readonly ExploredFailure[]): Selection {
  if (saved.length === 0) throw invalidOption('there are no saved failures to send again');
  const broken = all.rules.filter(({ id }) => saved.some(({ rule }) => rule === id));
  const again = saved.map(({ row, rule }, at): Probe => {
    const probe = probeOf(row);
    // Exploring gives many rows the same name.
    return { ...probe, name: `${row.name}-${at + 1}`, rules: [...(probe.rules ?? []), rule] };
  });
  return withNeeded(again, { ...all, rules: broken });
}

/**
 * Selects one row, and the rules that judge it.
 *
 * @throws ToolkitError `invalid-option` if there is no row of this name
 */
export function selectRow(all: Selection, name: string): Selection {
  const rows = all.probes.flatMap((probe) => [probe, ...(probe.parts ?? [])]);
  const row = rows.find((one) => one.name === name);
  if (row === undefined) {
    const known = rows.map((one) => one.name);
    const hint = didYouMean(name, known) || '; `plant-store check <url> --dry-run` lists them';
    throw invalidOption(`there is no row "${name}"${hint}`);
  }
  const { ifRejected: _, ...sent } = row;
  const judging = all.rules.filter((rule) =>
    [sent, ...(sent.parts ?? [])].some((one) => concerns(rule, one)),
  );
  return withNeeded([sent], { probes: all.probes.filter((one) => one !== row), rules: judging });
}

/** Some probes, and others without which the rules prove nothing. The rules judge only the former. */
function withNeeded(own: readonly Probe[], { rules, probes }: Selection): Selection {
  const whole = own.flatMap((one) => [one, ...(one.parts ?? [])]);
  const names = new Set(whole.map(({ name }) => name));
  const sentFor = rules.filter((rule) => whole.some((one) => isSentFor(rule, one)));
  const needed = new Set<string | undefined>([
    ...whole.map(({ control }) => control),
    ...sentFor.flatMap(({ dependsOn = [] }) => dependsOn),
  ]);
  const others = probes.filter(({ name, phase }) => phase === 'control' || needed.has(name));
  return {
    rules: rules.map(({ judges, ...rule }) => ({
      ...rule,
      ...(judges !== undefined && { judges: (probe: Probe) => names.has(probe.name) && judges(probe) }),
    })),
    probes: [...others.map(({ rules: _, ...other }) => other), ...own],
  };
}

/** The rules and probes of the interface, and those of the house. */
export function everything({ rules, probes }: HouseRules): Selection {
  return { rules: [...rulesOfInterface, ...rules], probes: [...probesOfInterface, ...probes] };
}

/** @throws ToolkitError `invalid-option` if a word names no rule, or no rule is left */
export function selectFrom(
  { rules: all, probes }: Selection,
  { only = [], skip = [] }: Omit<SelectionOptions, 'houseRules'>,
): Selection {
  for (const word of [...only, ...skip]) {
    if (!all.some((rule) => matches(rule, word))) throw unknown(word, all);
  }
  const rules = all.filter(
    (rule) =>
      (only.length === 0 || only.some((word) => matches(rule, word))) &&
      !skip.some((word) => matches(rule, word)),
  );
  if (rules.length === 0) throw invalidOption('the options select no rule');
  return { rules, probes: probesFor(rules, { rules: all, probes }) };
}

function probesFor(rules: readonly AnyRule[], { rules: every, probes: all }: Selection): readonly Probe[] {
  const byName = new Map(all.map((probe) => [probe.name, probe]));
  const chosen = new Set<Probe>();
  const choose = (probe: Probe | undefined): void => {
    if (probe === undefined || chosen.has(probe)) return;
    chosen.add(probe);
    if (probe.control !== undefined) choose(byName.get(probe.control));
  };
  for (const probe of all) {
    const meant = every.filter((rule) => isMeantFor(rule, probe));
    if (rules.some((rule) => needs(rule, probe, meant))) choose(probe);
  }
  for (const probe of all) if (isNeeded(probe, chosen)) choose(probe);
  return all.filter((probe) => chosen.has(probe));
}

function matches(rule: AnyRule, word: string): boolean {
  return rule.id === word || topicOf(rule) === word || rule.level === word;
}

function unknown(word: string, all: readonly AnyRule[]): ToolkitError {
  const topics = [...new Set(all.map(topicOf))];
  const hint = didYouMean(word, [...topics, ...levels, ...all.map(({ id }) => id)]);
  return invalidOption(
    `"${word}" is not a rule, a topic (${topics.join(', ')}) or a level (${levels.join(', ')})` +
      (hint || '; `plant-store rules` lists them'),
  );
}

/** Everything that there is to know about a rule. */
export interface CatalogueEntry
  extends Pick<Rule, 'title' | 'why'>,
    Partial<Pick<Rule, 'source'>>,
    Partial<Pick<Demand, 'severity' | 'usualCause' | 'fix'>> {
  readonly id: RuleId | HouseId;
  readonly level: Rule['level'] | typeof HOUSE_LEVEL;
  readonly topic: string;
  /** The probes that it judges. */
  readonly probes: readonly { readonly name: string; readonly title: string }[];
}

/**
 * Lists every rule in the order of the report. It needs no provider. Rules that demand something also have their
 * severity, their usual cause and its fix. House rules have no source in the interface.
 *
 * @param houseRules your own rules, to list after those of the interface
 * @throws ToolkitError `invalid-option` if a house rule is wrong
 * @example
 * import assert from 'node:assert/strict';
 * import { catalogue } from 'plant-store-contract/conformance';
 *
 * const entry = catalogue().find(({ id }) => id === 'request/ids-are-exact');
 * assert.match(entry?.fix ?? '', /BigInt/);
 */
export function catalogue(houseRules: readonly HouseRule[] = []): CatalogueEntry[] {
  const { rules, probes } = everything(readHouseRules(houseRules));
  return rules.map((rule) => {
    const { id, title, level, why } = rule;
    return {
      // No rule has another id: see `rules` and `readHouseRules`.
      id: id as CatalogueEntry['id'],
      topic: topicOf(rule),
      title,
      level,
      ...('severity' in rule && { severity: rule.severity }),
      ...('source' in rule && { source: rule.source }),
      why,
      probes: probes.flatMap((probe) =>
        concerns(rule, probe) ? [{ name: probe.name, title: probe.title }] : [],
      ),
      ...('usualCause' in rule && { usualCause: rule.usualCause }),
      ...('fix' in rule && { fix: rule.fix }),
    };
  });
}

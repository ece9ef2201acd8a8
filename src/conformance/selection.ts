import type { HOUSE_LEVEL } from '../report/conclusion.js';
import { didYouMean } from '../suggestion.js';
import { invalidOption, type ToolkitError } from '../toolkit-error.js';
import type { ExploredFailure } from './exploring/exploration.js';
import { type HouseRule, type HouseRules, readHouseRules } from './house.js';
import { type HouseId, mayBeLeftOut, type Probe } from './probe.js';
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
 * Selects saved failures, the rules that they break, and the probes without which these rules prove nothing.
 *
 * @throws ToolkitError `invalid-option` if there are none
 */
export function selectSaved({ rules, probes }: Selection, saved: readonly ExploredFailure[]): Selection {
  if (saved.length === 0) throw invalidOption('there are no saved failures to send again');
  const broken = rules.filter(({ id }) => saved.some(({ rule }) => rule === id));
  const again = saved.map(({ row, rule }, at): Probe => {
    const probe = probeOf(row);
    // Exploring gives many rows the same name.
    return { ...probe, name: `${row.name}-${at + 1}`, rules: [...(probe.rules ?? []), rule] };
  });
  const needed = new Set([
    ...broken.flatMap(({ dependsOn = [] }) => dependsOn),
    ...again.flatMap(({ control }) => control ?? []),
  ]);
  const others = probes.filter(({ name, phase }) => phase === 'control' || needed.has(name));
  return { rules: broken, probes: [...others, ...again] };
}

/**
 * Selects one row, the rules that judge it, and the probes without which they prove nothing. The rules judge nothing else.
 *
 * @throws ToolkitError `invalid-option` if there is no row of this name
 */
export function selectRow({ rules, probes }: Selection, name: string): Selection {
  const rows = probes.flatMap((probe) => [probe, ...(probe.parts ?? [])]);
  const row = rows.find((one) => one.name === name);
  if (row === undefined) {
    const hint = didYouMean(
      name,
      rows.map((one) => one.name),
    );
    throw invalidOption(
      `there is no row "${name}"${hint || '; `plant-store check <url> --dry-run` lists them'}`,
    );
  }
  const { ifRejected: _, ...sent } = row;
  const own = [sent, ...(sent.parts ?? [])];
  const judging = rules.filter((rule) => own.some((one) => concerns(rule, one)));
  const needed = new Set<string | undefined>([
    ...own.map(({ control }) => control),
    ...judging
      .filter((rule) => own.some((one) => isSentFor(rule, one)))
      .flatMap(({ dependsOn = [] }) => dependsOn),
  ]);
  const others = probes.filter((one) => one !== row && (one.phase === 'control' || needed.has(one.name)));
  return {
    rules: judging.map((rule) => ({ ...rule, ...judgesOnly(rule, own) })),
    probes: [...others.map(({ rules: _of, ...other }) => other), sent],
  };
}

/** What a rule judges besides what is sent for it, as far as it is among these. */
function judgesOnly({ judges }: AnyRule, own: readonly Probe[]): Pick<AnyRule, 'judges'> {
  const names = own.map(({ name }) => name);
  return judges === undefined ? {} : { judges: (probe) => names.includes(probe.name) && judges(probe) };
}

/** The rules and probes of the interface, and those of the house. */
export function everything({ rules, probes }: HouseRules): Selection {
  return { rules: [...rulesOfInterface, ...rules], probes: [...probesOfInterface, ...probes] };
}

/**
 * What is sent if there is no time for all of a selection: the probes that no family generates, and the rules that they show.
 *
 * @throws ToolkitError `invalid-option` if no rule is left
 */
export function mostTelling({ rules, probes }: Selection): Selection {
  const left = probes.filter((probe) => !mayBeLeftOut(probe));
  const judged = rules.filter((rule) => left.some((probe) => concerns(rule, probe)));
  if (judged.length === 0)
    throw invalidOption(
      'there is no time for these rules at this rate; allow a higher rate, or a longer time limit',
    );
  return { rules: judged, probes: left };
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

import { HOUSE_LEVEL } from '../report/conclusion.js';
import { didYouMean } from '../suggestion.js';
import { invalidOption, type ToolkitError } from '../toolkit-error.js';
import { probeLikeDrawn } from './given-row.js';
import { type HouseRule, readHouseRules } from './house.js';
import type { Probe, Row } from './row.js';
import { type AnyRule, concerns, isSentFor, levels, topicOf } from './rule.js';
import { probes as probesOfInterface, rules as rulesOfInterface } from './topics/index.js';

/** Which rules are judged. */
export interface SelectionOptions {
  /**
   * Judge only these, and send only what they need: ids of rules, topics (`auth`), or levels (`documented`); `house` has all
   * house rules. Default: all.
   */
  readonly only?: readonly string[] | undefined;
  /** Judge all except these: ids, topics, or levels. */
  readonly skip?: readonly string[] | undefined;
  /** Rules of your own, with their probes: see {@link HouseRule}. They never change what is said about the interface. */
  readonly houseRules?: readonly HouseRule[] | undefined;
}

/** The rules that are judged, and the probes that they need. */
export interface Selection {
  readonly rules: readonly AnyRule[];
  readonly probes: readonly Probe[];
  /** The only row that is judged, if there is one. */
  readonly row?: Probe;
}

/** The rules and probes of the interface, and those of the house. */
export function everything(houseRules: readonly HouseRule[] | undefined): Selection {
  const { rules, probes } = readHouseRules(houseRules);
  return { rules: [...rulesOfInterface, ...rules], probes: [...probesOfInterface, ...probes] };
}

/**
 * Selects rules, and the probes that they need.
 *
 * @throws ToolkitError `invalid-option` if a word names no rule, or no rule is left
 */
export function select(
  { rules: all, probes }: Selection,
  { only = [], skip = [] }: Pick<SelectionOptions, 'only' | 'skip'>,
): Selection {
  for (const word of [...only, ...skip]) {
    if (!all.some((rule) => matches(rule, word))) throw unknown(word, all);
  }
  const isAmong = (rule: AnyRule, words: readonly string[]): boolean =>
    words.some((word) => matches(rule, word));
  const rules = all.filter((rule) => (only.length === 0 || isAmong(rule, only)) && !isAmong(rule, skip));
  if (rules.length === 0) throw invalidOption('the options select no rule');
  const skipped = all.filter((rule) => isAmong(rule, skip));
  // Who skips what is about tokens does not want to be locked out.
  const skipsTokens = all.filter((rule) => topicOf(rule) === 'auth').every((rule) => skipped.includes(rule));
  const left = probes.filter(
    (probe) => !isSkipped(probe, rules, skipped) && !(skipsTokens && probe.phase === 'wrong-token'),
  );
  // Nothing is recorded of what is not sent.
  const isUnsent = (rule: AnyRule): boolean =>
    probes.some((probe) => isSentFor(rule, probe)) && !left.some((probe) => isSentFor(rule, probe));
  const kept = rules.filter((rule) => rule.level !== 'unspecified' || !isUnsent(rule));
  return { rules: kept, probes: probesFor(kept, { rules: all, probes: left }) };
}

/** Whether a probe is sent for a rule that the user skips, and for no other demand. */
function isSkipped(probe: Probe, rules: readonly AnyRule[], skipped: readonly AnyRule[]): boolean {
  const isNeeded = rules.some((rule) => rule.level !== 'unspecified' && isSentFor(rule, probe));
  return !isNeeded && skipped.some((rule) => isSentFor(rule, probe));
}

/**
 * The probes that some rules need, and the controls of these. A rule for which nothing is sent judges what is sent for others: for
 * rules that are at least as explicit, and every valid request, because what the interface says outright holds for each.
 */
function probesFor(rules: readonly AnyRule[], { rules: every, probes: all }: Selection): readonly Probe[] {
  const needed = all.filter((probe) => {
    const means = (rule: AnyRule): boolean =>
      isSentFor(rule, probe) || rule.dependsOn?.includes(probe.name) === true;
    const explicit = Math.min(...every.filter(means).map(explicitness));
    return rules.some((rule) => {
      if (means(rule)) return true;
      if ((rule.rows ?? []).length > 0 || !concerns(rule, probe)) return false;
      return probe.expectation === 'created' || explicit === Infinity || explicit <= explicitness(rule);
    });
  });
  const names = new Set<string | undefined>(needed.flatMap(({ name, control }) => [name, control]));
  return all.filter(({ name, phase }) => names.has(name) || phase === 'control');
}

/** Less is more explicit. A rule of the user is the least. */
function explicitness({ level }: AnyRule): number {
  return level === HOUSE_LEVEL ? levels.length : levels.indexOf(level);
}

function matches(rule: AnyRule, word: string): boolean {
  return rule.id === word || topicOf(rule) === word || rule.level === word;
}

function unknown(word: string, all: readonly AnyRule[]): ToolkitError {
  const topics = [...new Set(all.map(topicOf))];
  const hint = didYouMean(word, [...topics, ...levels, ...all.map(({ id }) => id)]);
  return invalidOption(
    `"${word}" is not a rule, a topic (${topics.join(', ')}) or a level (${levels.join(', ')})` +
      (hint || '; `plant-store-contract rules` lists them'),
  );
}

/**
 * Selects one row, and the rules that judge it.
 *
 * @param given its name, or the row itself
 * @throws ToolkitError `invalid-option` if there is no row of this name, or it is no row
 */
export function selectRow(all: Selection, given: string | Row): Selection {
  const rows = all.probes.flatMap((probe) => [probe, ...(probe.parts ?? [])]);
  const names = rows.map(({ name }) => name);
  const row =
    typeof given === 'string'
      ? rows.find(({ name }) => name === given)
      : probeLikeDrawn(given, new Set(names), new Set(all.rules.map(({ id }) => id)));
  if (row === undefined) {
    const hint =
      didYouMean(String(given), names) || '; `plant-store-contract check <url> --dry-run` lists them';
    throw invalidOption(`there is no row "${given}"${hint}`);
  }
  const judging = all.rules.filter((rule) => [row, ...(row.parts ?? [])].some((one) => concerns(rule, one)));
  const others = all.probes.filter((one) => one !== row);
  return { ...withNeeded(row, { probes: others, rules: judging }), row };
}

/** A row, and others without which the rules prove nothing. The rules judge only the row. */
function withNeeded(row: Probe, { rules, probes }: Selection): Selection {
  const whole = [row, ...(row.parts ?? [])];
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
    probes: [...others.map(({ rules: _, ...other }) => other), row],
  };
}

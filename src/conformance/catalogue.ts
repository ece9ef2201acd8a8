import { definedOnly } from '../defined-only.js';
import type { HOUSE_LEVEL } from '../report/conclusion.js';
import type { HouseRule } from './house.js';
import { concerns, type Demand, type Rule, type RuleId, topicOf } from './rule.js';
import { everything } from './selection.js';

/** Everything that there is to know about a rule. */
export interface CatalogueEntry
  extends Pick<Rule, 'title' | 'why'>,
    Partial<Pick<Rule, 'source'>>,
    Partial<Pick<Demand, 'severity' | 'usualCause' | 'fix' | 'about'>> {
  readonly id: RuleId;
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
  const { rules, probes } = everything(houseRules);
  return rules.map((rule) => {
    const entry: Omit<CatalogueEntry, 'topic' | 'probes'> = rule;
    const { id, title, level, severity, source, why, usualCause, fix, about } = entry;
    const own = probes.filter((probe) => concerns(rule, probe));
    const sent = own.map((probe) => ({ name: probe.name, title: probe.title }));
    const topic = topicOf(rule);
    return definedOnly({
      id,
      topic,
      title,
      level,
      severity,
      source,
      why,
      probes: sent,
      usualCause,
      fix,
      about,
    });
  });
}

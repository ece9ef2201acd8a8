import { probes } from './families/index.js';
import { concerns, type Demand, type Rule, topicOf } from './rule.js';
import { type RuleId, rules } from './rules/index.js';

/** Everything that there is to know about a rule. */
export interface CatalogueEntry
  extends Pick<Rule, 'title' | 'level' | 'source' | 'why'>,
    Partial<Pick<Demand, 'usualCause' | 'fix'>> {
  readonly id: RuleId;
  readonly topic: string;
  /** The probes that it judges. */
  readonly probes: readonly { readonly name: string; readonly title: string }[];
}

/**
 * Lists every rule in the order of the report. It needs no provider. Rules that demand something also have their usual
 * cause and its fix.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { catalogue } from 'plant-store-contract/conformance';
 *
 * const entry = catalogue().find(({ id }) => id === 'request/ids-are-exact');
 * assert.match(entry?.fix ?? '', /BigInt/);
 */
export function catalogue(): CatalogueEntry[] {
  return rules.map((rule) => {
    const { id, title, level, source, why } = rule;
    return {
      id,
      topic: topicOf(rule),
      title,
      level,
      source,
      why,
      probes: probes.flatMap((probe) =>
        concerns(rule, probe) ? [{ name: probe.name, title: probe.title }] : [],
      ),
      ...(rule.level !== 'unspecified' && { usualCause: rule.usualCause, fix: rule.fix }),
    };
  });
}

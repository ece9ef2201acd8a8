import { explanations } from './explanations.js';
import { probes } from './probes/index.js';
import { concerns, type Level, type Source, topicOf } from './rule.js';
import { rules } from './rules/index.js';

/** A rule for people who want to know what it is about. */
export interface CatalogueEntry {
  readonly id: string;
  readonly topic: string;
  readonly title: string;
  readonly level: Level;
  readonly source: Source;
  readonly why: string;
  /** The requests that it judges. */
  readonly probes: readonly { readonly name: string; readonly title: string }[];
  /** How it is usually broken, and how to mend that; of rules that demand something. */
  readonly broken?: string;
  readonly mend?: string;
}

/**
 * Every rule with what there is to know of it, in the order of the report. Needs no provider.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { catalogue } from 'plant-store-contract/conformance';
 *
 * const entry = catalogue().find(({ id }) => id === 'request/ids-are-exact');
 * assert.match(entry?.mend ?? '', /BigInt/);
 */
export function catalogue(): CatalogueEntry[] {
  return rules.map((rule) => {
    const { id, title, level, source, why } = rule;
    const explanation = Object.hasOwn(explanations, id)
      ? explanations[id as keyof typeof explanations]
      : undefined;
    return {
      ...{ id, topic: topicOf(rule), title, level, source, why },
      probes: probes
        .filter((probe) => concerns(rule, probe))
        .map(({ name, title: sent }) => ({ name, title: sent })),
      ...explanation,
    };
  });
}

import { definedOnly } from '../../defined-only.js';
import { HOUSE_LEVEL } from '../../report/conclusion.js';
import { type Finding, impacts, type Recipe } from '../../report/frame.js';
import type { Facts } from '../judge/facts.js';
import type { Failure, JudgedRule } from '../judge/judge.js';
import { rules } from '../topics/index.js';
import { causeOf } from './causes.js';
import { frameworkOf, recipeFor } from './frameworks.js';

/** Why a rule is broken, as far as that is known. */
interface Explanation {
  /** `framework-error-page`; the id of the rule if no cause of several failures is known. */
  readonly id: string;
  readonly cause: string | undefined;
  /** Of a rule, if nothing shows the cause. */
  readonly usualCause?: string | undefined;
  readonly fix: string | undefined;
  readonly recipe?: Recipe | undefined;
}

interface FailureGroup {
  readonly finding: Finding;
  readonly failures: readonly Failure[];
}

/**
 * Groups failures by their likely cause: one mistake often breaks several rules. Failures without a known cause are a
 * group of their rule. Errors come before warnings. The group that hurts most comes first, and of two that hurt the same, the one
 * whose rule is the first in the report.
 *
 * @param judged the failures of each rule in the order of {@link plainestFirst}
 */
export function groupFailures(judged: readonly JudgedRule[], facts: Facts): readonly FailureGroup[] {
  const all = judged.flatMap(({ failures }) => failures);
  if (all.length === 0) return [];
  const groups = new Map<string, { explanation: Explanation; failures: [Failure, ...Failure[]] }>();
  const framework = frameworkOf(facts);
  for (const failure of all) {
    const explanation = explained(failure, facts, framework);
    const { id, cause, usualCause, fix, recipe } = explanation;
    // Rules with one usual cause share it.
    const key = [cause ?? usualCause ?? id, fix, recipe?.framework].join('\n');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { explanation, failures: [failure] });
    else group.failures.push(failure);
  }
  return [...groups.values()]
    .map(({ explanation, failures }) => {
      const [worst, ...others] = worstFirst(failures, facts);
      return { finding: findingOf(explanation, [worst as Failure, ...others], facts), failures };
    })
    .sort((a, b) => rankOf(a) - rankOf(b));
}

/** The failures of a finding, the worst first: its title, its example and its severity are those of the first. */
function worstFirst(failures: readonly Failure[], facts: Facts): readonly Failure[] {
  const badness = ({ rule: { severity, hurts } }: Failure): number =>
    (severity === 'warning' ? impacts.length : 0) + impacts.indexOf(hurts);
  return plainestFirst(failures, facts).toSorted((a, b) => badness(a) - badness(b));
}

/** The failures of a rule, those first that say most to a reader: they are steady, and what was sent is plain. */
export function plainestFirst(failures: readonly Failure[], facts: Facts): readonly Failure[] {
  return failures.toSorted((a, b) => oddnessOf(a, facts) - oddnessOf(b, facts));
}

/** The first row of each rule. */
const mostTelling: ReadonlySet<string> = new Set(rules.flatMap(({ rows = [] }) => rows[0]?.name ?? []));

/** How odd a request is that fails. Of two that are equally plain, the first one of the plan comes first. */
function oddnessOf({ exchange }: Failure, { probes }: Facts): number {
  const probe = probes.get(exchange.probe);
  if (probe === undefined) return 0;
  if (probe.phase === 'heavy') return 4;
  if (probe.rare === true) return 3;
  if (exchange.role !== 'judged' || probe.requests.length > 1) return 2;
  return mostTelling.has(probe.name) ? 0 : 1;
}

/** The smaller, the sooner a reader should know it. That the provider stops responding is no guess, and comes first. */
function rankOf({ finding: { severity, impact }, failures: [failure] }: FailureGroup): number {
  if (failure?.rule.onNoResponse === 'judge-even-after-stop') return -1;
  return (severity === undefined ? 0 : impacts.length) + (impact === undefined ? 0 : impacts.indexOf(impact));
}

/** @param failures the worst first */
function findingOf(
  { id, cause, usualCause, fix, recipe }: Explanation,
  failures: readonly [Failure, ...Failure[]],
  facts: Facts,
): Finding {
  const [worst] = failures;
  return definedOnly({
    id,
    title: factOf(worst, facts),
    severity: worst.rule.severity === 'warning' ? ('warning' as const) : undefined,
    impact: worst.rule.hurts,
    cause,
    usualCause,
    fix,
    recipe,
    cases: [...new Set(failures.map(({ rule }) => rule.id))],
  });
}

function explained({ rule, exchange }: Failure, facts: Facts, framework: string | undefined): Explanation {
  const { id, usualCause, fix } = rule;
  const ofRule = { id, cause: undefined, usualCause, fix };
  if (rule.level === HOUSE_LEVEL) return ofRule;
  const known = causeOf({ rule, exchange, framework }, facts) ?? ofRule;
  return { ...known, recipe: recipeFor(known.id, exchange, framework) };
}

/** What happened, as a sentence: "A plain plant without an Authorization header is accepted." */
export function factOf({ rule, ...broken }: Failure, facts: Facts): string {
  return typeof rule.fact === 'string' ? rule.fact : rule.fact(broken, facts);
}

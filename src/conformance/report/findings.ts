import { definedOnly } from '../../defined-only.js';
import { HOUSE_LEVEL } from '../../report/conclusion.js';
import { type Finding, impacts, type Recipe } from '../../report/frame.js';
import type { Facts } from '../judge/facts.js';
import type { Failure, JudgedRule } from '../judge/judge.js';
import { causeOf } from './causes.js';
import { frameworkOf, recipeFor } from './frameworks.js';

/** Why a rule is broken, as far as that is known. */
interface Explanation {
  /** `framework-error-page`; the id of the rule if no cause of several failures is known. */
  readonly id: string;
  readonly cause: string | undefined;
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
 */
export function groupFailures(judged: readonly JudgedRule[], facts: Facts): readonly FailureGroup[] {
  const groups = new Map<string, { explanation: Explanation; failures: [Failure, ...Failure[]] }>();
  const framework = frameworkOf(facts);
  for (const failure of judged.flatMap(({ failures }) => failures)) {
    const explanation = explained(failure, facts, framework);
    const { id, cause, fix, recipe } = explanation;
    // Rules with one usual cause share it.
    const key = [cause ?? id, fix, recipe?.framework].join('\n');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { explanation, failures: [failure] });
    else group.failures.push(failure);
  }
  return [...groups.values()]
    .map(({ explanation, failures }) => ({ finding: findingOf(explanation, failures, facts), failures }))
    .sort((a, b) => rankOf(a) - rankOf(b));
}

/** The smaller, the sooner a reader should know it. That the provider stops responding is no guess, and comes first. */
function rankOf({ finding: { severity, impact }, failures: [failure] }: FailureGroup): number {
  if (failure?.rule.onNoResponse === 'judge-even-after-stop') return -1;
  return (severity === undefined ? 0 : impacts.length) + (impact === undefined ? 0 : impacts.indexOf(impact));
}

/** A group says what its first failure shows, and hurts as much as the worst of them. */
function findingOf(
  { id, cause, fix, recipe }: Explanation,
  failures: readonly [Failure, ...Failure[]],
  facts: Facts,
): Finding {
  const found = failures.map(({ rule }) => rule.hurts);
  return definedOnly({
    id,
    title: factOf(failures[0], facts),
    severity: failures.every(({ rule }) => rule.severity === 'warning') ? ('warning' as const) : undefined,
    impact: impacts.find((one) => found.includes(one)),
    cause,
    fix,
    recipe,
    cases: [...new Set(failures.map(({ rule }) => rule.id))],
  });
}

function explained({ rule, exchange }: Failure, facts: Facts, framework: string | undefined): Explanation {
  const { id, usualCause, fix } = rule;
  if (rule.level === HOUSE_LEVEL) return { id, cause: usualCause, fix };
  const ofRule = { id, cause: namesSeveral(rule.usualCause) ? undefined : usualCause, fix };
  const known = causeOf({ rule: rule.id, exchange, framework }, facts) ?? ofRule;
  return { ...known, recipe: recipeFor(known.id, exchange, framework) };
}

/** Whether a usual cause is one of several. Nobody knows which of them fits, so a finding has none of them. */
function namesSeveral(usualCause: string): boolean {
  return /\bor\b/.test(usualCause);
}

/** What happened, as a sentence: "A plain plant without an Authorization header is accepted." */
function factOf({ rule, ...broken }: Failure, facts: Facts): string {
  return typeof rule.fact === 'string' ? rule.fact : rule.fact(broken, facts);
}

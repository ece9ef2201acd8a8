import { capitalised } from '../../output/wording.js';
import { HOUSE_LEVEL } from '../../report/conclusion.js';
import type { Recipe } from '../../report/frame.js';
import { causes } from '../causes/causes.js';
import { recipeFor } from '../causes/recipes.js';
import type { Exchange } from '../exchange.js';
import type { Facts } from '../facts/facts.js';
import { stopInBrief } from '../facts/stop.js';
import type { Failure, JudgedRule } from '../judging/judge.js';
import type { AnyDemand, HouseDemand } from '../rule.js';
import type { DemandId } from '../rules/index.js';
import { bySimplicity, complexityOfFailure, sortedBySimplicity } from './simplicity.js';

/** Failures that seem to have one cause. */
export interface FailureGroup {
  /** `framework-error-page`; the id of the rule if no cause of several failures is known. */
  readonly id: string;
  /** The likely cause, as a sentence. */
  readonly cause: string;
  /** Whether the cause is a guess. */
  readonly isLikelyCause: boolean;
  readonly fix?: string;
  readonly recipe?: Recipe;
  readonly failures: readonly { readonly rule: string; readonly failure: Failure }[];
}

/**
 * Groups failures by their likely cause: one mistake often breaks several rules. Failures without a known cause are a
 * group of their rule, with the usual reason for breaking it. The group with the simplest failure comes first.
 */
export function groupFailures(judged: readonly JudgedRule[], facts: Facts): readonly FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const { rule, failures } of judged) {
    if (rule.level === 'unspecified') continue;
    for (const failure of failures) {
      const explanation = explained(rule, failure, facts);
      const key = `${explanation.id} ${explanation.cause} ${explanation.recipe?.framework ?? ''}`;
      const before = groups.get(key)?.failures ?? [];
      groups.set(key, { ...explanation, failures: [...before, { rule: rule.id, failure }] });
    }
  }
  return sortedBySimplicity([...groups.values()], ({ id, failures }) => {
    const [simplest = []] = failures
      .map(({ failure }) => complexityOfFailure(failure, facts))
      .sort(bySimplicity);
    return [id === STOPPED ? 0 : 1, ...simplest];
  });
}

/** The rule that a provider breaks if it stops responding. That is no guess, and it comes first. */
const STOPPED: DemandId = 'state/provider-keeps-responding';

function explained(rule: AnyDemand, { exchange }: Failure, facts: Facts): Omit<FailureGroup, 'failures'> {
  const explanation = explanationOf(rule, exchange, facts);
  const recipe = recipeFor(explanation.id, exchange, facts);
  return { ...explanation, ...(recipe !== undefined && { recipe }) };
}

/** The rule that failures break which do not repeat. Its finding says how many there were, which is no guess either. */
const INTERMITTENT: DemandId = 'state/no-intermittent-failures';

function explanationOf(
  rule: AnyDemand,
  exchange: Exchange,
  facts: Facts,
): Omit<FailureGroup, 'failures' | 'recipe'> {
  if (rule.level === HOUSE_LEVEL) return explanationOfHouse(rule);
  if (rule.id === INTERMITTENT) {
    const { failed, of } = facts.intermittent;
    const cause = `Valid plants fail intermittently (${failed.size} of ${of} requests).`;
    return { id: rule.id, cause, isLikelyCause: false, fix: rule.fix };
  }
  if (rule.id === STOPPED && facts.stop !== undefined) {
    const { first } = facts.stop;
    const title = facts.probes.get(first.probe)?.title ?? first.probe;
    const cause = `${capitalised(stopInBrief(facts.stop))}: there was none to ${title}, nor to anything after it.`;
    return { id: rule.id, cause, isLikelyCause: false, fix: rule.fix };
  }
  for (const { id, fix, explain } of causes) {
    const cause = explain({ rule: rule.id, exchange }, facts);
    if (cause !== undefined) return { id, cause, isLikelyCause: true, fix };
  }
  return { id: rule.id, cause: rule.usualCause, isLikelyCause: true, fix: rule.fix };
}

/** Without a usual cause, the title says what is required. */
function explanationOfHouse({
  id,
  title,
  usualCause,
  fix,
}: HouseDemand): Omit<FailureGroup, 'failures' | 'recipe'> {
  return {
    id,
    cause: usualCause ?? `A house rule is broken: ${title}`,
    isLikelyCause: usualCause !== undefined,
    ...(fix !== undefined && { fix }),
  };
}

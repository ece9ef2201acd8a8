import { objectOf } from '../../validation/json-value.js';
import { patternsIn, unusableGenerator, unusableRules } from '../matching/unusable.js';
import type { PactInteraction } from '../pact-file.js';
import { type FoundProblem, foundRule } from './problem.js';

const SIDES = ['request', 'response'] as const;

/** The matching rules and the generators of an interaction that Pact cannot use. */
export function ruleProblems(interaction: PactInteraction, hasPlugins: boolean): FoundProblem[] {
  const { raw } = interaction;
  const generator = unusableGenerator(interaction);
  const rules = SIDES.flatMap((side) =>
    unusableRules(objectOf(raw[side]).matchingRules, hasPlugins).map(({ path, message, breaks }) => {
      const so =
        breaks === 'pact' ? 'so it cannot load the pact' : 'so the rule has no effect, or nothing matches it';
      return foundRule(side, 'matchingRules', path, `Pact cannot use the rule: ${message}, ${so}.`);
    }),
  );
  if (generator === undefined) return rules;
  const { part, path, message } = generator;
  return [...rules, foundRule('request', part, path, `Pact cannot use the generator: ${message}.`)];
}

/** The patterns of an interaction that took too long, as problems that are unknown: whether a value matches is not known. */
export function unknownMatches({ raw, request }: PactInteraction): FoundProblem[] {
  const { patterns } = request;
  if (!patterns.hasHitLimit) return [];
  return SIDES.flatMap((side) =>
    patternsIn(objectOf(raw[side]).matchingRules)
      .filter(({ pattern }) => patterns.isOverLimit(pattern))
      .map(({ path }) =>
        foundRule(
          side,
          'matchingRules',
          path,
          'The pattern takes too long, so what it accepts is not known.',
        ),
      ),
  );
}

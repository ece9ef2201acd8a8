import type { JudgedRule } from '../judging/judge.js';

/**
 * Says what was not judged because of what the provider has stored: a reader of the summary must not take that for a
 * pass. Sentences for the end of the summary.
 */
export function unjudgedInBrief(judged: readonly JudgedRule[]): string[] {
  return judged.flatMap(({ rule, isAmbiguous, reason }) =>
    isAmbiguous ? [`${rule.id} could not be judged, because ${reason}.`] : [],
  );
}

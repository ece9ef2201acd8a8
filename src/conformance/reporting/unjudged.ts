import { capitalised } from '../../output/wording.js';
import type { Facts } from '../facts/facts.js';
import { stopInBrief } from '../facts/stop.js';
import type { JudgedRule } from '../judging/judge.js';

/** Says first that the provider stopped responding, if it did. Sentences for the beginning of the summary. */
export function stopInSummary({ stop }: Facts): string[] {
  return stop === undefined ? [] : [`${capitalised(stopInBrief(stop))}.`];
}

/**
 * Says what was not judged because of what the provider has stored: a reader of the summary must not take that for a
 * pass. Sentences for the end of the summary.
 */
export function unjudgedInBrief(judged: readonly JudgedRule[]): string[] {
  return judged.flatMap(({ rule, isAmbiguous, reason }) =>
    isAmbiguous ? [`${rule.id} could not be judged, because ${reason}.`] : [],
  );
}

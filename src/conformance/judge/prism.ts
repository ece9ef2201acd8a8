import { HOUSE_LEVEL } from '../../report/conclusion.js';
import { MAX_DEPTH } from '../../validation/json.js';
import type { Prism } from '../../validation/prism.js';
import { contentOf, type ProviderResponse } from '../body.js';
import { type Exchange, isDescribed } from '../exchange.js';
import { isHouseProbe } from '../row.js';
import { topicOf } from '../rule.js';
import type { JudgedRule } from './judge.js';

/** Prism's opinion of the responses of a check. */
export interface PrismOpinion {
  /** How many responses Prism judged. */
  readonly responses: number;
  /** The responses to which Prism objects and no rule does, or the other way round: one of the lists is empty. */
  readonly disagreements: readonly {
    /** The index of the exchange in the report. */
    readonly exchange: number;
    /** The errors that Prism finds in the response. */
    readonly prism: readonly string[];
    /** The ids of the rules about responses that it breaks. */
    readonly rules: readonly string[];
  }[];
}

/** Lets Prism judge every response, and finds where Prism and the rules disagree. */
export function prismOpinion(
  prism: Prism,
  exchanges: readonly Exchange[],
  judged: readonly JudgedRule[],
): PrismOpinion {
  const ofInterface = judged.filter(({ rule }) => rule.level !== HOUSE_LEVEL);
  const asked = exchanges.flatMap((exchange) => {
    const { index, response } = exchange;
    return response === undefined || !isForPrism(exchange, response) ? [] : [{ index, response }];
  });
  const disagreements = asked.flatMap(({ index, response }) => {
    const rules = ofInterface
      .filter(({ failures }) => failures.some(({ exchange }) => exchange.index === index))
      .map(({ rule }) => rule.id);
    // The other rules are about requests. Prism gets the response alone, and cannot know what was sent.
    const ofResponse = rules.filter((id) => ['success', 'failure'].includes(topicOf({ id })));
    const errors = errorsIn(prism, response);
    if (errors.length > 0) return rules.length === 0 ? [{ exchange: index, prism: errors, rules }] : [];
    return ofResponse.length === 0 ? [] : [{ exchange: index, prism: [], rules: ofResponse }];
  });
  return { responses: asked.length, disagreements };
}

/** Prism has no limits of its own, so it gets no body that is long or deep. */
function isForPrism(exchange: Exchange, response: ProviderResponse): boolean {
  const { isTooLong, json } = contentOf(response);
  const isTooDeep = !json.ok && json.message.includes(`deeper than ${MAX_DEPTH} levels`);
  const isJudged = exchange.role === 'judged' && !isHouseProbe(exchange.probe);
  return isJudged && isDescribed(exchange) && !isTooLong && !isTooDeep;
}

function errorsIn(prism: Prism, response: ProviderResponse): string[] {
  const { decoded } = contentOf(response);
  const { status, headers, body } = response;
  return prism.errorsIn({ status, headers, body: typeof decoded === 'string' ? body : decoded });
}

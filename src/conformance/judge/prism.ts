import { createHash } from 'node:crypto';
import { headerValues } from '../../http/fields.js';
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
  const errorsOf = remembered(prism);
  const disagreements = asked.flatMap(({ index, response }) => {
    const rules = ofInterface
      .filter(({ failures }) => failures.some(({ exchange }) => exchange.index === index))
      .map(({ rule }) => rule.id);
    // The other rules are about requests. Prism gets the response alone, and cannot know what was sent.
    const ofResponse = rules.filter((id) => ['success', 'failure'].includes(topicOf({ id })));
    const errors = errorsOf(response);
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

/** Prism's errors. Many rejections have the same bytes, so it judges each text once. */
function remembered(prism: Prism): (response: ProviderResponse) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (response) => {
    const { decoded } = contentOf(response);
    const { status, headers } = response;
    const body = typeof decoded === 'string' ? response.body : decoded;
    const head = JSON.stringify([status, headerValues(headers, 'content-type')]);
    const key = createHash('sha256').update(head).update(body).digest('base64');
    const errors = known.get(key) ?? prism.errorsIn({ status, headers, body });
    known.set(key, errors);
    return errors;
  };
}

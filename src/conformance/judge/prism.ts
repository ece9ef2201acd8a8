import { HOUSE_LEVEL } from '../../report/conclusion.js';
import { MAX_DEPTH } from '../../validation/json.js';
import type { Prism } from '../../validation/prism.js';
import { contentOf, type ProviderResponse } from '../body.js';
import type { Exchange } from '../exchange.js';
import { isHouseProbe } from '../probe.js';
import { topicOf } from '../rule.js';
import type { JudgedRule } from './judge.js';

/** A response to which Prism objects and no rule does, or the other way round: one of the lists is empty. */
export interface PrismDisagreement {
  /** The index of the exchange in the report. */
  readonly exchange: number;
  /** The errors that Prism finds in the response. */
  readonly prism: readonly string[];
  /** The ids of the rules about responses that it breaks. */
  readonly rules: readonly string[];
}

/** Prism's opinion of the responses of a check. */
export interface PrismOpinion {
  /** How many responses Prism judged. */
  readonly responses: number;
  /** Those about which Prism and the rules disagree. */
  readonly disagreements: readonly PrismDisagreement[];
}

/**
 * Lets Prism judge every response, and finds where Prism and the rules disagree. Prism has no limits of its own, so it
 * gets no body that is long or deep.
 */
export function prismOpinion(
  prism: Prism,
  exchanges: readonly Exchange[],
  judged: readonly JudgedRule[],
): PrismOpinion {
  const broken = brokenRules(judged);
  const disagreements: PrismDisagreement[] = [];
  let responses = 0;
  for (const { index, response } of exchanges.filter(isForPrism)) {
    if (response === undefined || isTooMuch(response)) continue;
    responses++;
    const errors = errorsIn(prism, response);
    const rules = broken.get(index) ?? [];
    // The other rules are about requests. Prism gets the response alone, and cannot know what was sent.
    const ofResponse = rules.filter((id) => ['success', 'failure'].includes(topicOf({ id })));
    if (errors.length > 0 && rules.length === 0)
      disagreements.push({ exchange: index, prism: errors, rules: [] });
    if (errors.length === 0 && ofResponse.length > 0)
      disagreements.push({ exchange: index, prism: [], rules: ofResponse });
  }
  return { responses, disagreements };
}

function isForPrism({ probe, request, role }: Exchange): boolean {
  const isOrdinary = request.otherOperation === undefined && request.isUnusual !== true;
  return role === 'judged' && !isHouseProbe(probe) && isOrdinary;
}

/** The rules that each exchange breaks, by its index. */
function brokenRules(judged: readonly JudgedRule[]): ReadonlyMap<number, readonly string[]> {
  const broken = new Map<number, readonly string[]>();
  for (const { rule, failures } of judged) {
    if (rule.level === HOUSE_LEVEL) continue;
    for (const { exchange } of failures)
      broken.set(exchange.index, [...new Set([...(broken.get(exchange.index) ?? []), rule.id])]);
  }
  return broken;
}

function isTooMuch(response: ProviderResponse): boolean {
  const { isTooLong, json } = contentOf(response);
  return isTooLong || (!json.ok && json.message.includes(`deeper than ${MAX_DEPTH} levels`));
}

function errorsIn(prism: Prism, response: ProviderResponse): string[] {
  const { decoded } = contentOf(response);
  const { status, headers, body } = response;
  return prism
    .judgeResponse({ status, headers, body: typeof decoded === 'string' ? body : decoded })
    .flatMap(({ severity, message }) => (severity === 'error' ? [message] : []));
}

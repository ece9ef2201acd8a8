import { HOUSE_LEVEL } from '../../report/conclusion.js';
import { MAX_DEPTH } from '../../validation/json.js';
import type { Prism } from '../../validation/prism.js';
import { contentOf, decodedBody, LONGEST_BODY } from '../body.js';
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
  /** The responses that were kept from Prism, by reason. Left out if there are none. */
  readonly notAsked?: readonly NotAsked[];
}

/** Responses that Prism did not judge. */
interface NotAsked {
  /** A clause without a full stop. */
  readonly why: string;
  /** The indexes of their exchanges in the report. */
  readonly exchanges: readonly number[];
}

/** Prism has this long for all responses, in milliseconds. */
const TIME_MS = 1_500;

/**
 * Lets Prism judge every response, and finds where Prism and the rules disagree. Prism has no limits of its own, so it
 * gets no long bodies, and no more responses after some time.
 *
 * @param timeMs how long Prism may take, in milliseconds
 */
export function prismOpinion(
  prism: Prism,
  exchanges: readonly Exchange[],
  judged: readonly JudgedRule[],
  timeMs: number = TIME_MS,
): PrismOpinion {
  const broken = brokenRules(judged);
  const disagreements: PrismDisagreement[] = [];
  const notAsked = new Map<string, number[]>();
  let responses = 0;
  const end = performance.now() + timeMs;
  for (const exchange of exchanges.filter(isForPrism)) {
    const { index } = exchange;
    const why = performance.now() > end ? 'there was no time for it' : whyTooMuch(exchange);
    if (why !== undefined) {
      notAsked.set(why, [...(notAsked.get(why) ?? []), index]);
      continue;
    }
    responses++;
    const errors = errorsIn(prism, exchange);
    const rules = broken.get(exchange) ?? [];
    const ofResponse = rules.filter(isAboutResponses);
    if (errors.length > 0 && rules.length === 0)
      disagreements.push({ exchange: index, prism: errors, rules: [] });
    if (errors.length === 0 && ofResponse.length > 0)
      disagreements.push({ exchange: index, prism: [], rules: ofResponse });
  }
  return {
    responses,
    disagreements,
    ...(notAsked.size > 0 && {
      notAsked: [...notAsked].map(([why, indexes]) => ({ why, exchanges: indexes })),
    }),
  };
}

function isForPrism({ probe, request, response, role }: Exchange): boolean {
  return (
    role === 'judged' &&
    !isHouseProbe(probe) &&
    request.otherOperation === undefined &&
    request.isUnusual !== true &&
    response !== undefined
  );
}

function brokenRules(judged: readonly JudgedRule[]): ReadonlyMap<Exchange, readonly string[]> {
  const broken = new Map<Exchange, readonly string[]>();
  for (const { rule, failures } of judged) {
    if (rule.level === HOUSE_LEVEL) continue;
    for (const { exchange } of failures)
      broken.set(exchange, [...new Set([...(broken.get(exchange) ?? []), rule.id])]);
  }
  return broken;
}

/** The other rules are about requests. Prism gets the response alone, and cannot know what was sent. */
function isAboutResponses(id: string): boolean {
  const topic = topicOf({ id });
  return topic === 'success' || topic === 'failure';
}

function whyTooMuch({ response }: Exchange): string | undefined {
  if (response === undefined) return undefined;
  const { isTooLong, json } = contentOf(response);
  if (isTooLong) return `the body of the response has more than ${LONGEST_BODY} bytes`;
  const isDeep = !json.ok && json.message.includes(`deeper than ${MAX_DEPTH} levels`);
  return isDeep ? `the JSON of the response nests deeper than ${MAX_DEPTH} levels` : undefined;
}

function errorsIn(prism: Prism, { response }: Exchange): string[] {
  if (response === undefined) return [];
  const decoded = decodedBody(response);
  const body = typeof decoded === 'string' ? response.body : decoded;
  return prism
    .judgeResponse({ status: response.status, headers: response.headers, body })
    .flatMap(({ severity, message }) => (severity === 'error' ? [message] : []));
}

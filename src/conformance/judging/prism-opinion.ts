import { HOUSE_LEVEL } from '../../report/conclusion.js';
import { operation } from '../../spec/operation.js';
import { MAX_DEPTH } from '../../validation/json-parser.js';
import type { Prism, PrismViolation } from '../../validation/prism.js';
import type { Exchange } from '../exchange.js';
import { isOfHouse } from '../house/house-id.js';
import { contentOf, decodedBody, KEPT_OF_BODY } from '../response-body.js';
import { topicOf } from '../rule.js';
import type { RuleId } from '../rules/index.js';
import type { JudgedRule } from './judge.js';

/** The known reasons why Prism and the rules differ. */
const LIMITS = {
  'int64-is-clamped':
    'Prism limits int64 to the range in which a double is exact. It objects to ids beyond 2^53, which the interface allows.',
  'tokens-are-not-known': 'Prism sees whether there is a bearer token, but not whether it is the right one.',
  'messages-are-judged-alone':
    'Prism judges one message at a time. It does not compare a response with its request, or one request with another.',
  'further-fields':
    'The schema of Plant allows other fields, because NewPlant extends it. Resources, rule 1, says that a 200 has only the fields of Plant.',
  'json-suffix': 'Prism treats every media type that ends in +json as application/json.',
  'undocumented-statuses': 'Prism only warns about an undocumented status, and does not judge its body.',
  'left-open':
    'Prism compares every response with the document. The interface leaves the response to such a request open, so the rules do not judge it.',
  'bytes-are-not-seen':
    'Prism gets the body decoded and parsed. It cannot judge the bytes, their number, or their UTF-8.',
} as const;

type Limit = keyof typeof LIMITS;

/** Exchanges in which Prism and the rules differ for the same reason. */
export interface PrismDifference {
  /** The id of a known limit of Prism, or `unexplained`. */
  readonly limit: Limit | 'unexplained';
  /** Why they differ. */
  readonly why: string;
  /** `prism`: Prism objects to what the rules allow. `rules`: a rule is broken, and Prism does not object. */
  readonly objects: 'prism' | 'rules';
  /** The broken rules that Prism misses. Empty if Prism objects. */
  readonly rules: readonly string[];
  /** The indexes of the exchanges in the report. */
  readonly exchanges: readonly number[];
}

/** Prism's opinion of the exchanges of a check. */
export interface PrismOpinion {
  /** How many exchanges Prism judged. */
  readonly exchanges: number;
  /** The number of requests with an error, according to Prism. */
  readonly requestErrors: number;
  /** The number of responses with an error, according to Prism. */
  readonly responseErrors: number;
  /** The exchanges that were kept from Prism, by reason. Left out if there are none. */
  readonly notAsked?: readonly NotAsked[];
  readonly differences: readonly PrismDifference[];
}

/** Exchanges that Prism did not judge. */
export interface NotAsked {
  /** A clause without a full stop. */
  readonly why: string;
  /** Their indexes in the report. */
  readonly exchanges: readonly number[];
}

/** Prism has this long for all exchanges, in milliseconds. */
const TIME_MS = 1_500;

type Opinion = Readonly<Record<'request' | 'response', readonly PrismViolation[]>>;

/**
 * Lets Prism judge every exchange, and finds where Prism and the rules differ. Prism has no limits of its own, so it gets
 * no long bodies, and no more exchanges after some time.
 *
 * @param timeMs how long Prism may take, in milliseconds
 */
export function prismOpinion(
  prism: Prism,
  exchanges: readonly Exchange[],
  judged: readonly JudgedRule[],
  timeMs: number = TIME_MS,
): PrismOpinion {
  const asked = exchanges.filter(
    ({ probe, request, response, role }) =>
      role === 'judged' &&
      !isOfHouse({ name: probe }) &&
      request.elsewhere === undefined &&
      request.isWellFormed !== false &&
      response !== undefined,
  );
  const opinions = new Map<Exchange, Opinion>();
  const notAsked = new Map<string, number[]>();
  const end = performance.now() + timeMs;
  for (const exchange of asked) {
    const why = performance.now() > end ? 'there was no time for it' : whyTooMuch(exchange);
    if (why === undefined) opinions.set(exchange, opinionOf(prism, exchange));
    else notAsked.set(why, [...(notAsked.get(why) ?? []), exchange.index]);
  }
  const differences = new Map<string, PrismDifference>();
  const failing = new Set<Exchange>();
  for (const { rule, failures } of judged) {
    if (rule.level === HOUSE_LEVEL) continue;
    for (const { exchange, expected, actual } of failures) {
      failing.add(exchange);
      const opinion = opinions.get(exchange);
      if (opinion === undefined || seesBroken(rule.id, opinion)) continue;
      const message = `${rule.id}: expected ${expected}; got ${actual}`;
      addDifference(differences, 'rules', whyUnseen(rule.id, exchange), message, exchange, [rule.id]);
    }
  }
  for (const [exchange, { request, response }] of opinions) {
    const objections = [
      ...(exchange.expectation === 'created' ? request : []),
      ...(failing.has(exchange) ? [] : response),
    ];
    const [first] = objections;
    if (first === undefined) continue;
    const isClamped = objections.every(({ keyword }) => keyword === 'maximum' || keyword === 'minimum');
    const isOpen = exchange.expectation === 'open';
    const limit = isClamped ? 'int64-is-clamped' : isOpen ? 'left-open' : undefined;
    addDifference(differences, 'prism', limit, first.message, exchange);
  }
  return {
    exchanges: opinions.size,
    requestErrors: count(opinions, 'request'),
    responseErrors: count(opinions, 'response'),
    ...(notAsked.size > 0 && {
      notAsked: [...notAsked].map(([why, indexes]) => ({ why, exchanges: indexes })),
    }),
    differences: [...differences.values()],
  };
}

/** Why a response is too much for Prism, if it is. */
function whyTooMuch({ response }: Exchange): string | undefined {
  if (response === undefined) return undefined;
  const { decodedLength, json } = contentOf(response);
  if (Math.max(decodedLength, response.received) > KEPT_OF_BODY)
    return `the body of the response has more than ${KEPT_OF_BODY} bytes`;
  const isDeep = !json.ok && json.message.includes(`deeper than ${MAX_DEPTH} levels`);
  return isDeep ? `the JSON of the response nests deeper than ${MAX_DEPTH} levels` : undefined;
}

/** @param message the reason if it is no known limit of Prism */
function addDifference(
  differences: Map<string, PrismDifference>,
  objects: PrismDifference['objects'],
  limit: Limit | undefined,
  message: string,
  { index }: Exchange,
  broken: readonly string[] = [],
): void {
  const why = limit === undefined ? `${message.replace(/\.$/, '')}.` : LIMITS[limit];
  const key = `${objects} ${why}`;
  const { rules = [], exchanges = [] } = differences.get(key) ?? {};
  differences.set(key, {
    limit: limit ?? 'unexplained',
    why,
    objects,
    rules: [...new Set([...rules, ...broken])],
    exchanges: [...new Set([...exchanges, index])],
  });
}

function count(opinions: ReadonlyMap<Exchange, Opinion>, side: keyof Opinion): number {
  return [...opinions.values()].filter((opinion) => opinion[side].length > 0).length;
}

function opinionOf(prism: Prism, { request, response }: Exchange): Opinion {
  const isError = ({ severity }: PrismViolation): boolean => severity === 'error';
  const url = `${operation.path}${request.query ?? ''}`;
  const { headers } = request;
  const asked = prism.judgeRequest({ method: operation.method, url, headers, body: request.body });
  return {
    request: asked.filter(isError),
    response: response === undefined ? [] : judgeResponse(prism, response).filter(isError),
  };
}

function judgeResponse(prism: Prism, response: NonNullable<Exchange['response']>): PrismViolation[] {
  const decoded = decodedBody(response);
  const body = typeof decoded === 'string' ? response.body : decoded;
  return prism.judgeResponse({ status: response.status, headers: response.headers, body });
}

/** Whether Prism objects to the message that breaks a rule. */
function seesBroken(rule: RuleId, { request, response }: Opinion): boolean {
  const topic = topicOf({ id: rule });
  if (topic === 'success' || topic === 'failure') return response.length > 0;
  return request.length > 0;
}

/** The limit of Prism because of which it misses a broken rule. */
function whyUnseen(rule: RuleId, { response, request }: Exchange): Limit | undefined {
  if (rule === 'success/plant-fields-only') return 'further-fields';
  if (/body-comes-whole$|body-is-json$/.test(rule)) return 'bytes-are-not-seen';
  if (topicOf({ id: rule }) === 'auth') return 'tokens-are-not-known';
  const status = response?.status ?? 0;
  if (rule === 'success/valid-plant-is-processed') return 'undocumented-statuses';
  if (rule.startsWith('failure/')) {
    if (status !== 400) return 'undocumented-statuses';
    return rule === 'failure/media-type-is-json' ? 'json-suffix' : undefined;
  }
  if (rule === 'success/media-type-is-json') return 'json-suffix';
  // Prism sees each message alone: it cannot know what else was sent before.
  return request.plant === undefined && rule.startsWith('request/') ? undefined : 'messages-are-judged-alone';
}

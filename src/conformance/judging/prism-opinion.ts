import type { Prism, PrismViolation } from '../../validation/prism.js';
import { decodedBody, type Exchange } from '../exchange.js';
import { topicOf } from '../rule.js';
import type { JudgedRule } from './judge.js';

/** Why Prism and the rules differ, where that is known. */
const LIMITS = {
  'int64-is-clamped':
    'Prism clamps int64 to what a double holds exactly: it objects to ids beyond 2^53, which the interface allows.',
  'tokens-are-not-known': 'Prism sees whether there is a bearer token, not whether it is the right one.',
  'messages-are-judged-alone':
    'Prism judges one message at a time: not whether an answer fits its request, nor what several requests do to each other.',
  'further-fields':
    'The schema of Plant forbids no further fields, since NewPlant extends it; that a 200 has the fields of Plant only is rule 1 of Resources.',
  'json-suffix': 'Prism takes every media type that ends in +json for application/json.',
  'undocumented-statuses':
    'Prism merely warns of an undocumented status, and does not look at the body that comes with it.',
  'left-open':
    'Prism holds every answer against the document; what becomes of such a request is left open, and not judged.',
  'bytes-are-not-seen':
    'Prism is given the body decoded and parsed: its bytes, their length and their UTF-8 are gone.',
} as const;

type Limit = keyof typeof LIMITS;

/** Where Prism and the rules differ for one reason. */
export interface PrismDifference {
  /** The id of a known limit of Prism, or `unexplained`. */
  readonly limit: Limit | 'unexplained';
  /** Why they differ. */
  readonly why: string;
  /** Who objects: Prism to what the rules allow, or the rules to what Prism lets through. */
  readonly objects: 'prism' | 'rules';
  /** The rules that Prism does not see broken; none where it is Prism that objects. */
  readonly rules: readonly string[];
  /** The places of the exchanges in the report. */
  readonly exchanges: readonly number[];
}

/** What Prism thinks of the exchanges of a check. */
export interface PrismOpinion {
  /** How many exchanges were put to it. */
  readonly exchanges: number;
  /** In how many it finds an error in the request, or in the response. */
  readonly requestErrors: number;
  readonly responseErrors: number;
  readonly differences: readonly PrismDifference[];
}

/** One exchange in which Prism and the rules differ. */
interface Difference {
  readonly limit: Limit | undefined;
  readonly objects: 'prism' | 'rules';
  readonly rule?: string;
  readonly exchange: Exchange;
  readonly says: string;
}

interface Opinion {
  readonly request: readonly PrismViolation[];
  readonly response: readonly PrismViolation[];
}

/** Puts every exchange to Prism, and tells where it and the rules differ. */
export function prismOpinion(
  prism: Prism,
  exchanges: readonly Exchange[],
  judged: readonly JudgedRule[],
): PrismOpinion {
  const asked = exchanges.filter(
    ({ request, response, role }) =>
      role === 'judged' && request.elsewhere === undefined && response !== undefined,
  );
  const opinions = new Map(asked.map((exchange) => [exchange, opinionOf(prism, exchange)]));
  const found: Difference[] = [];
  const failing = new Set<Exchange>();
  for (const { rule, failures } of judged) {
    for (const { exchange, expected, actual } of failures) {
      failing.add(exchange);
      const opinion = opinions.get(exchange);
      if (opinion === undefined || seesBroken(rule.id, opinion)) continue;
      const says = `${rule.id}: expected ${expected}; got ${actual}`;
      found.push({ limit: whyUnseen(rule.id, exchange), objects: 'rules', rule: rule.id, exchange, says });
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
    found.push({ limit, objects: 'prism', exchange, says: first.message });
  }
  return {
    exchanges: asked.length,
    requestErrors: count(opinions, 'request'),
    responseErrors: count(opinions, 'response'),
    differences: grouped(found),
  };
}

function grouped(found: readonly Difference[]): PrismDifference[] {
  const groups = new Map<string, PrismDifference>();
  for (const { limit, objects, rule, exchange, says } of found) {
    const why = limit === undefined ? `${says.replace(/\.$/, '')}.` : LIMITS[limit];
    const key = `${limit} ${objects} ${limit === undefined ? says : ''}`;
    const before = groups.get(key);
    groups.set(key, {
      limit: limit ?? 'unexplained',
      why,
      objects,
      rules: [...new Set([...(before?.rules ?? []), ...(rule === undefined ? [] : [rule])])],
      exchanges: [...new Set([...(before?.exchanges ?? []), exchange.index])],
    });
  }
  return [...groups.values()];
}

function count(opinions: ReadonlyMap<Exchange, Opinion>, side: keyof Opinion): number {
  return [...opinions.values()].filter((opinion) => opinion[side].length > 0).length;
}

function opinionOf(prism: Prism, { request, response }: Exchange): Opinion {
  const isError = ({ severity }: PrismViolation): boolean => severity === 'error';
  const url = `/plants${request.query ?? ''}`;
  const { headers } = request;
  const asked = prism.judgeRequest({ method: 'POST', url, headers, body: request.body });
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

/** Whether Prism objects to the side of the exchange that breaks a rule. */
function seesBroken(rule: string, { request, response }: Opinion): boolean {
  const topic = topicOf({ id: rule });
  if (topic === 'success' || topic === 'failure') return response.length > 0;
  return request.length > 0;
}

/** Which of its limits keeps Prism from seeing a rule broken. */
function whyUnseen(rule: string, { response, request }: Exchange): Limit | undefined {
  if (rule === 'success/plant-fields-only') return 'further-fields';
  if (/body-comes-whole$|body-is-json$/.test(rule)) return 'bytes-are-not-seen';
  if (topicOf({ id: rule }) === 'auth') return 'tokens-are-not-known';
  const status = response?.status ?? 0;
  if (rule.startsWith('failure/')) {
    if (status !== 400) return 'undocumented-statuses';
    return rule === 'failure/media-type-is-json' ? 'json-suffix' : undefined;
  }
  if (rule === 'success/media-type-is-json') return 'json-suffix';
  // A request that is valid, or one that is not and was accepted though Prism cannot see why it should not be.
  return request.plant === undefined && rule.startsWith('request/') ? undefined : 'messages-are-judged-alone';
}

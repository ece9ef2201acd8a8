import type { Exchange, Judgement } from '../../../../src/conformance/exchange.js';
import { Facts } from '../../../../src/conformance/judge/facts.js';
import { judgeRules } from '../../../../src/conformance/judge/judge.js';
import type { Probe } from '../../../../src/conformance/row.js';
import type { Context, RuleId } from '../../../../src/conformance/rule.js';
import { probes as known, rules } from '../../../../src/conformance/topics/index.js';
import { exchange, probe, response } from '../../recorded.js';

const json = [['Content-Type', 'application/json']] as const;
export const headers = [['Authorization', 'Bearer a-token'], ...json] as const;
export const error = '{"error":1,"message":"no"}';
export const PLANT = '{"name":"Aloe","id":7}';

/** An exchange without a response. */
export const NONE = {
  response: undefined,
  failure: { kind: 'reset', message: 'the connection was reset' },
} as const;

/** What {@link judged} says if there is nothing to judge, or if duplicate ids are accepted. */
export const nothing = 'says nothing';
export const whyHidden =
  'notApplicable: the interface allows the provider to accept a duplicate id, and it does';

/** What a provider says: 200 with a plant, or a rejection with an Error. */
export function says(status: number, body = status === 200 ? '{"name":"Aloe"}' : error) {
  return response(status, json, body);
}

/** A rejection, in the words of {@link judged}. */
export function inWords(status: number, body = error): string {
  return `${status} (application/json) ${body}`;
}

export function sent(body: string, given: Partial<Exchange> = {}): Exchange {
  return exchange({ request: { headers, body: Buffer.from(body), id: 7 }, response: says(200), ...given });
}

/** A request that creates a plant. */
export function creates(
  plant: { readonly name: string; readonly id: number | bigint; readonly tag?: string },
  given: Partial<Exchange> = {},
): Exchange {
  const body = Buffer.from(JSON.stringify({ ...plant, id: Number(plant.id) }));
  return sent('', { request: { headers, body, id: plant.id, plant }, ...given });
}

/** The exchanges of one probe, in order. */
export function inOrder(name: string, ...exchanges: readonly Exchange[]): Exchange[] {
  return exchanges.map((one, step) => ({ ...one, probe: name, step }));
}

/** A plant, the same plant again, and another plant with its id. */
export function repeated(last: Partial<Exchange>): Exchange[] {
  return inOrder('repeated-id', sent(PLANT), sent(PLANT), sent('{"name":"Fern","id":7}', last));
}

/** The verdict of one rule, its reason, and what was expected and seen. */
export function verdictOf(id: RuleId, exchanges: readonly Exchange[], probes: readonly Probe[]): unknown[] {
  const rule = rules.find((one) => one.id === id);
  const [judged] = judgeRules(rule === undefined ? [] : [rule], new Facts(probes, exchanges));
  const problems = judged?.failures.map(({ expected, actual }) => `${expected} | ${actual}`) ?? [];
  return [judged?.verdict, ...(judged?.reason === undefined ? [] : [judged.reason]), ...problems];
}

/** What a rule says of an exchange in a run, in words: `passes`, `says nothing`, `blocked: …`, `expected … | …`. */
export function judged(
  id: RuleId,
  one: Exchange,
  others: readonly Exchange[] = [],
  probes: readonly Probe[] = [],
): string {
  const rule = rules.find((each) => each.id === id);
  if (rule === undefined || !('judge' in rule)) return 'is not judged';
  return said(rule.judge(one, contextOf(one, others, probes)));
}

/** What a rule may look at: the exchange among the others of its run. */
function contextOf(one: Exchange, others: readonly Exchange[] = [], probes: readonly Probe[] = []): Context {
  const facts = new Facts(probes, others.includes(one) ? others : [...others, one]);
  return {
    probe:
      facts.probes.get(one.probe) ??
      known.find(({ name }) => name === one.probe) ??
      probe({ name: one.probe }),
    sequence: facts.of(one.probe),
    facts,
  };
}

/** What a rule says of the last of several exchanges of one probe. */
export function lastJudged(
  id: RuleId,
  name: string,
  exchanges: readonly Exchange[],
  others: readonly Exchange[] = [],
): string {
  const sequence = inOrder(name, ...exchanges);
  return judged(id, sequence.at(-1) ?? sent(PLANT), [...others, ...sequence]);
}

/** A judgement in the words of {@link judged}. */
function said(judgement: Judgement): string {
  if (judgement === undefined) return 'passes';
  if (judgement === 'nothing-to-judge') return nothing;
  if ('expected' in judgement) return `expected ${judgement.expected} | ${judgement.actual}`;
  const [[kind, reason] = []] = Object.entries(judgement);
  return `${kind}: ${reason}`;
}

import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { keptResponse, LONGEST_BODY } from '../../../src/conformance/body.js';
import type { Exchange } from '../../../src/conformance/exchange.js';
import type { JudgedRule } from '../../../src/conformance/judge/judge.js';
import { prismOpinion } from '../../../src/conformance/judge/prism.js';
import type { HouseDemand, RuleId } from '../../../src/conformance/rule.js';
import { HOUSE_LEVEL } from '../../../src/report/conclusion.js';
import { loadPrism, type Prism } from '../../../src/validation/prism.js';
import { demand, exchange, response } from '../recorded.js';

/** A Prism that finds the same errors in every response. */
const prismThatFinds = (errors: readonly string[] = []): Prism => ({ errorsIn: () => [...errors] });

function failing(id: string, ...exchanges: readonly Exchange[]): JudgedRule {
  const rule = demand({ id: id as RuleId });
  const failures = exchanges.map((one) => ({ rule, exchange: one, expected: 'a', actual: 'b' }));
  return { rule, verdict: 'fail', failures };
}

function disagreements(
  exchanges: readonly Exchange[],
  judged: readonly JudgedRule[] = [],
  found: readonly string[] = [],
) {
  return prismOpinion(prismThatFinds(found), exchanges, judged).disagreements;
}

const one = exchange();
const houseRule: HouseDemand = { ...demand(), level: HOUSE_LEVEL, id: 'house/own' };

test.each<[string, found: string[], broken: string[], prism: string[], rules: string[]]>([
  ['of a rule about responses', [], ['success/plant-fields-only'], [], ['success/plant-fields-only']],
  [
    'of all such rules, each once',
    [],
    ['success/status-is-200', 'request/name-is-required', 'failure/body-is-an-error'],
    [],
    ['success/status-is-200', 'failure/body-is-an-error'],
  ],
  ['of no rule, although Prism finds errors', ['no name', 'no tag'], [], ['no name', 'no tag'], []],
])('Prism and the rules disagree: a response shows a breach %s', (_what, found, broken, prism, rules) => {
  const judged = broken.map((id) => failing(id, one, one));
  expect(disagreements([one], judged, found)).toEqual([{ exchange: 0, prism, rules }]);
});

test('they agree about a response to a request that should not be accepted, which Prism cannot know', () => {
  const judged = [failing('auth/wrong-token-is-refused', one)];
  expect(disagreements([one], judged)).toEqual([]);
  expect(disagreements([one], judged, ['no name'])).toEqual([]);
});

test('they disagree only about the response that breaks a rule', () => {
  const other = exchange({ index: 1 });
  const id = 'success/plant-fields-only';
  const found = [{ exchange: 1, prism: [], rules: [id] }];
  expect(disagreements([one, other], [failing(id, other)])).toEqual(found);
  expect(disagreements([one, other], [failing(id, other, exchange({ index: 2 }))])).toEqual(found);
});

test('a broken rule of the user is no opinion of the rules', () => {
  const judged = [{ ...failing('success/body-is-a-plant', one), rule: houseRule }];
  expect(disagreements([one], judged)).toEqual([]);
  expect(disagreements([one], judged, ['no name'])).toEqual([{ exchange: 0, prism: ['no name'], rules: [] }]);
});

test('Prism gets the decoded body, or the body as it came if it cannot be decoded', () => {
  const bodies: string[] = [];
  const prism: Prism = {
    errorsIn: ({ body }) => {
      bodies.push(Buffer.from(body as Uint8Array).toString());
      return [];
    },
  };
  const encoded = (body: Uint8Array) =>
    exchange({ response: { ...response(200, [['Content-Encoding', 'gzip']]), body, received: body.length } });
  prismOpinion(prism, [one, encoded(gzipSync('{"name":"a"}')), encoded(Buffer.from('plain'))], []);
  expect(bodies).toEqual(['{}', '{"name":"a"}', 'plain']);
});

describe('Prism judges', () => {
  const { request } = exchange();

  test.each<[string, Partial<Exchange>]>([
    ['is sent again', { role: 'superseded' }],
    ['is of a house rule', { probe: 'house/own' }],
    ['goes elsewhere', { request: { ...request, otherOperation: { method: 'GET', path: '/' } } }],
    ['is not well-formed', { request: { ...request, isUnusual: true } }],
    ['got no response', { failure: { kind: 'reset', message: '' } }],
  ])('no response to a request that %s', (_what, given) => {
    expect(prismOpinion(prismThatFinds(), [one, exchange({ index: 1, ...given })], []).responses).toBe(1);
  });
});

test('Prism is not asked about long bodies and about deep ones', async () => {
  const bodies = [
    '{"name":"Aloe"}',
    `{"name":"Aloe","x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    `{"name":"Aloe","x":"${'y'.repeat(LONGEST_BODY)}"}`,
  ];
  const sent = bodies.map((body, index) => {
    const received = response(200, [['content-type', 'application/json']], body);
    return exchange({ index, response: keptResponse(received) });
  });
  expect(prismOpinion(await loadPrism(), sent, [])).toMatchObject({ responses: 1, disagreements: [] });
});

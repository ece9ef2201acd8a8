import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { keptResponse, LONGEST_BODY } from '../../../src/conformance/body.js';
import type { Exchange } from '../../../src/conformance/exchange.js';
import type { JudgedRule } from '../../../src/conformance/judge/judge.js';
import { prismOpinion } from '../../../src/conformance/judge/prism.js';
import type { HouseDemand, RuleId } from '../../../src/conformance/rule.js';
import { HOUSE_LEVEL } from '../../../src/report/conclusion.js';
import { loadPrism, type Prism } from '../../../src/validation/prism.js';
import type { Violation } from '../../../src/validation/violation.js';
import { demand, exchange, response } from '../recorded.js';

/** A Prism that finds the same in every response. Each text is the message of a violation. */
function prismThatFinds(texts: readonly string[] = [], severity = 'error'): Prism {
  const violations = texts.map((message) => ({ severity, message })) as unknown as Violation[];
  return { judgeResponse: () => violations };
}

function failing(id: string, ...exchanges: readonly Exchange[]): JudgedRule {
  const failures = exchanges.map((one) => ({ exchange: one, expected: 'a', actual: 'b' }));
  return { rule: demand({ id: id as RuleId }), verdict: 'fail', failures };
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

describe('Prism and the rules disagree about a response', () => {
  test.each(['success/plant-fields-only', 'failure/body-is-an-error'])(
    'that breaks %s, if Prism finds no error',
    (id) => {
      expect(disagreements([one], [failing(id, one)])).toEqual([{ exchange: 0, prism: [], rules: [id] }]);
    },
  );

  test('with all rules about responses that it breaks, each once', () => {
    const rules = ['success/status-is-200', 'request/name-is-required', 'success/body-is-a-plant'];
    const judged = [...rules, ...rules].map((id) => failing(id, one));
    expect(disagreements([one], judged)).toEqual([
      { exchange: 0, prism: [], rules: ['success/status-is-200', 'success/body-is-a-plant'] },
    ]);
  });

  test('that breaks none, if Prism finds errors', () => {
    const sent = exchange({ index: 3 });
    expect(disagreements([sent], [], ['no name', 'no tag'])).toEqual([
      { exchange: 3, prism: ['no name', 'no tag'], rules: [] },
    ]);
  });
});

describe('they agree about a response', () => {
  test('to a request that should not be accepted, which Prism cannot know', () => {
    for (const id of ['request/name-is-required', 'auth/wrong-token-is-refused']) {
      expect(disagreements([one], [failing(id, one)])).toEqual([]);
      expect(disagreements([one], [failing(id, one)], ['no name'])).toEqual([]);
    }
  });

  test('if only a rule of the user is broken', () => {
    const { failures } = failing('success/body-is-a-plant', one);
    const judged = [{ rule: houseRule, verdict: 'fail', failures } as const];
    expect(disagreements([one], judged)).toEqual([]);
    expect(disagreements([one], judged, ['no name'])).toHaveLength(1);
  });
});

test('Prism gets the decoded body, or the body as it came if it cannot be decoded', () => {
  const bodies: string[] = [];
  const prism: Prism = {
    judgeResponse: ({ body }) => {
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

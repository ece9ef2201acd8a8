import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/conformance/exchange.js';
import type { JudgedRule } from '../../../src/conformance/judging/judge.js';
import { prismOpinion } from '../../../src/conformance/judging/prism-opinion.js';
import { keptResponse } from '../../../src/conformance/response-body.js';
import type { HouseDemand } from '../../../src/conformance/rule.js';
import type { DemandId } from '../../../src/conformance/rules/index.js';
import { HOUSE_LEVEL } from '../../../src/report/conclusion.js';
import { loadPrism, type Prism, type PrismViolation } from '../../../src/validation/prism.js';
import { demand, exchange, response } from '../recorded.js';

/** What Prism finds in every message. Each text is the message of an error, or its keyword if it is one. */
interface Found {
  readonly request?: readonly string[];
  readonly response?: readonly string[];
}

function prismThatFinds(found: Found = {}, severity = 'error'): Prism {
  const violations = (texts: readonly string[] = []) =>
    texts.map((text) => ({
      severity,
      message: text,
      path: [],
      keyword: text,
    })) as unknown as PrismViolation[];
  return { judgeRequest: () => violations(found.request), judgeResponse: () => violations(found.response) };
}

function failing(id: string, ...exchanges: readonly Exchange[]): JudgedRule {
  const failures = exchanges.map((one) => ({ exchange: one, expected: 'a', actual: 'b' }));
  return { rule: demand({ id: id as DemandId }), verdict: 'fail', failures };
}

function differencesOf(
  exchanges: readonly Exchange[],
  judged: readonly JudgedRule[] = [],
  found: Found = {},
) {
  return prismOpinion(prismThatFinds(found), exchanges, judged, 60_000).differences;
}

const one = exchange();
const houseRule: HouseDemand = { ...demand(), level: HOUSE_LEVEL, id: 'house/own' };

describe('a broken rule that Prism misses', () => {
  test.each<[string, number, string]>([
    ['success/plant-fields-only', 200, 'further-fields'],
    ['success/body-comes-whole', 200, 'bytes-are-not-seen'],
    ['failure/body-comes-whole', 400, 'bytes-are-not-seen'],
    ['success/body-is-json', 200, 'bytes-are-not-seen'],
    ['request/body-is-json', 200, 'bytes-are-not-seen'],
    ['success/body-is-a-plant', 200, 'messages-are-judged-alone'],
    ['auth/wrong-token-is-refused', 200, 'tokens-are-not-known'],
    ['success/valid-plant-is-processed', 500, 'undocumented-statuses'],
    ['success/media-type-is-json', 200, 'json-suffix'],
    ['failure/media-type-is-json', 400, 'json-suffix'],
    ['failure/media-type-is-json', 422, 'undocumented-statuses'],
    ['failure/body-is-an-error', 500, 'undocumented-statuses'],
    ['failure/body-is-an-error', 400, 'unexplained'],
    ['success/name-comes-back', 200, 'messages-are-judged-alone'],
    ['request/name-is-required', 200, 'unexplained'],
    ['request/name-is-a-string', 200, 'unexplained'],
    ['state/equal-ids-side-by-side', 200, 'messages-are-judged-alone'],
  ])('%s, with a %d: %s', (id, status, limit) => {
    const sent = exchange({ response: response(status) });
    expect(differencesOf([sent], [failing(id, sent)])).toMatchObject([
      { limit, objects: 'rules', rules: [id], exchanges: [0] },
    ]);
  });

  test('is about a value if the request has a plant', () => {
    const request = { ...one.request, plant: { name: 'Aloe', id: 7 } };
    const sent = exchange({ request });
    expect(differencesOf([sent], [failing('request/name-is-a-string', sent)])).toMatchObject([
      { limit: 'messages-are-judged-alone' },
    ]);
  });

  test('is given with what is expected, if no limit of Prism explains it', () => {
    expect(differencesOf([one], [failing('request/name-is-required', one)])).toMatchObject([
      { why: 'request/name-is-required: expected a; got b.' },
    ]);
  });

  test.each<[string, Found, number]>([
    ['success/body-is-a-plant', { response: ['type'] }, 0],
    ['success/body-is-a-plant', { request: ['type'] }, 1],
    ['failure/body-is-an-error', { response: ['type'] }, 0],
    ['failure/body-is-an-error', { request: ['type'] }, 1],
    ['request/name-is-required', { request: ['type'] }, 0],
    ['request/name-is-required', { response: ['type'] }, 1],
    ['auth/missing-token-is-refused', { request: ['type'] }, 0],
  ])('is none if Prism objects to the message of %s: %j (%d)', (id, found, many) => {
    const sent = exchange({ expectation: 'rejected' });
    expect(differencesOf([sent], [failing(id, sent)], found)).toHaveLength(many);
  });

  test('is none if the rule is of the user, or Prism was not asked', () => {
    const { failures } = failing('auth/wrong-token-is-refused', one);
    expect(differencesOf([one], [{ rule: houseRule, verdict: 'fail', failures }])).toEqual([]);
    const again = exchange({ role: 'superseded' });
    expect(differencesOf([again], [failing('auth/wrong-token-is-refused', again)])).toEqual([]);
  });

  test('is given once for each limit, with all rules and exchanges', () => {
    const other = exchange({ index: 1 });
    const judged = [
      failing('auth/wrong-token-is-refused', one, other),
      failing('auth/near-miss-token-is-refused', one),
      failing('success/plant-fields-only', one),
    ];
    expect(differencesOf([one, other], judged)).toMatchObject([
      {
        limit: 'tokens-are-not-known',
        rules: ['auth/wrong-token-is-refused', 'auth/near-miss-token-is-refused'],
        exchanges: [0, 1],
      },
      { limit: 'further-fields', rules: ['success/plant-fields-only'], exchanges: [0] },
    ]);
  });
});

describe('an objection of Prism that no rule shares', () => {
  const open = exchange({ expectation: 'open' });
  const invalid = exchange({ expectation: 'rejected' });

  test.each<[string, Exchange, Found, string | undefined]>([
    ['about a valid request', one, { request: ['wrong'] }, 'unexplained'],
    ['about an invalid request is none', invalid, { request: ['wrong'] }, undefined],
    ['about an open request is none', open, { request: ['wrong'] }, undefined],
    ['about a response', invalid, { response: ['wrong'] }, 'unexplained'],
    ['about the response to an open request', open, { response: ['wrong'] }, 'left-open'],
    ['about an id', one, { request: ['maximum', 'minimum'] }, 'int64-is-clamped'],
    ['about an id in an open request', open, { response: ['maximum'] }, 'int64-is-clamped'],
    ['about an id and more', one, { request: ['maximum', 'wrong'] }, 'unexplained'],
  ])('%s', (_what, sent, found, limit) => {
    const differences = differencesOf([sent], [], found);
    expect(differences.map((difference) => difference.limit)).toEqual(limit === undefined ? [] : [limit]);
    for (const difference of differences)
      expect(difference).toMatchObject({ objects: 'prism', rules: [], exchanges: [0] });
  });

  test('has its message as a sentence', () => {
    expect(differencesOf([one], [], { request: ['no name'] })[0]?.why).toBe('no name.');
    expect(differencesOf([one], [], { request: ['no. name.'] })[0]?.why).toBe('no. name.');
  });

  test('is none about a response that a rule fails, unless the rule is of the user', () => {
    const found = { response: ['wrong'] };
    expect(differencesOf([one], [failing('success/body-is-a-plant', one)], found)).toEqual([]);
    const { failures } = failing('success/body-is-a-plant', one);
    expect(differencesOf([one], [{ rule: houseRule, verdict: 'fail', failures }], found)).toHaveLength(1);
  });
});

test('Prism gets the decoded body, or the body as it came if it cannot be decoded', () => {
  const bodies: string[] = [];
  const prism: Prism = {
    judgeRequest: () => [],
    judgeResponse: ({ body }) => {
      bodies.push(Buffer.from(body as Uint8Array).toString());
      return [];
    },
  };
  const encoded = (body: Uint8Array) =>
    exchange({ response: { ...response(200, [['Content-Encoding', 'gzip']]), body, received: body.length } });
  prismOpinion(prism, [one, encoded(gzipSync('{"name":"a"}')), encoded(Buffer.from('plain'))], [], 60_000);
  expect(bodies).toEqual(['{}', '{"name":"a"}', 'plain']);
});

test.each<[string, number, string]>([
  ['the most', 2 ** 16, '{}'],
  ['no JSON', 3, 'not'],
])('Prism judges a body with %s', (_what, length, body) => {
  const sent = exchange({ response: response(200, [], body.padEnd(length)) });
  expect(prismOpinion(prismThatFinds(), [sent], [], 60_000)).toMatchObject({ exchanges: 1 });
});

test('Prism judges no body of which more was received than is kept', () => {
  const sent = exchange({ response: { ...response(200), received: 2 ** 16 + 1 } });
  expect(prismOpinion(prismThatFinds(), [sent], [], 60_000).notAsked).toEqual([
    { why: 'the body of the response has more than 65536 bytes', exchanges: [0] },
  ]);
});

describe('Prism counts', () => {
  test.each([
    ['the messages with errors on each side', { request: ['a', 'b'] }, 'error', 2, 0],
    ['warnings as none', { request: ['a'], response: ['b'] }, 'warning', 0, 0],
  ])('%s', (_what, found, severity, requestErrors, responseErrors) => {
    const prism = prismThatFinds(found, severity);
    expect(prismOpinion(prism, [one, exchange({ index: 1 })], [], 60_000)).toMatchObject({
      requestErrors,
      responseErrors,
    });
  });
});

describe('Prism judges', () => {
  const { request } = exchange();

  test.each<[string, Partial<Exchange>]>([
    ['is sent again', { role: 'superseded' }],
    ['is of a house rule', { probe: 'house/own' }],
    ['goes elsewhere', { request: { ...request, elsewhere: { method: 'GET', path: '/' } } }],
    ['is not well-formed', { request: { ...request, isWellFormed: false } }],
    ['got no response', { failure: { kind: 'reset', message: '' } }],
  ])('no request that %s', (_what, given) => {
    expect(prismOpinion(prismThatFinds(), [one, exchange({ index: 1, ...given })], []).exchanges).toBe(1);
  });

  test('the path with the query', () => {
    const urls: unknown[] = [];
    const judgeRequest: Prism['judgeRequest'] = ({ url }) => {
      urls.push(url);
      return [];
    };
    const exchanges = [one, exchange({ request: { ...request, query: '?a=1' } })];
    prismOpinion({ judgeRequest, judgeResponse: () => [] }, exchanges, []);
    expect(urls).toEqual(['/plants', '/plants?a=1']);
  });
});

describe('Prism is not asked', () => {
  const withBody = (index: number, body: string) => {
    const received = response(200, [['content-type', 'application/json']], body);
    return exchange({ index, response: keptResponse(received, undefined) });
  };

  test('about long bodies and about deep ones, and the opinion says so', async () => {
    const deep = `{"name":"Aloe","x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const long = `{"name":"Aloe","x":"${'y'.repeat(70_000)}"}`;
    const opinion = prismOpinion(
      await loadPrism(),
      [withBody(0, '{"name":"Aloe"}'), withBody(1, deep), withBody(2, long), withBody(3, long)],
      [],
      60_000,
    );
    expect(opinion.exchanges).toBe(1);
    expect(opinion.notAsked).toEqual([
      { why: 'the JSON of the response nests deeper than 500 levels', exchanges: [1] },
      { why: 'the body of the response has more than 65536 bytes', exchanges: [2, 3] },
    ]);
  });

  test('about anything when its time is over', async () => {
    const opinion = prismOpinion(await loadPrism(), [withBody(0, '{"name":"Aloe"}')], [], -1);
    expect(opinion).toMatchObject({
      exchanges: 0,
      notAsked: [{ why: 'there was no time for it', exchanges: [0] }],
    });
  });

  test('about nothing, if nothing is left out', async () => {
    const opinion = prismOpinion(await loadPrism(), [withBody(0, '{"name":"Aloe"}')], [], 60_000);
    expect(opinion).not.toHaveProperty('notAsked');
  });
});

import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/conformance/exchange.js';
import type { ProbeName } from '../../../src/conformance/families/index.js';
import { judgeRules } from '../../../src/conformance/judging/judge.js';
import { RunRecord } from '../../../src/conformance/judging/run-record.js';
import type { Probe } from '../../../src/conformance/probe.js';
import { judgeNearMiss, judgeOtherPlace } from '../../../src/conformance/rules/credentials.js';
import { isRejectedAlike, whyMaybeDuplicate } from '../../../src/conformance/rules/duplicates.js';
import { type RuleId, rules } from '../../../src/conformance/rules/index.js';
import {
  isFromOperation,
  isNewPlant,
  mayBeAccepted,
  problemIn,
} from '../../../src/conformance/rules/responses.js';
import { exchange, probe, response } from '../recorded.js';

const json = [['Content-Type', 'application/json']] as const;
const headers = [['Authorization', 'Bearer a-token'], ...json] as const;
const error = '{"error":1,"message":"no"}';

/** What a provider says: 200 with a plant, or a rejection with an Error. */
function says(status: number, body = status === 200 ? '{"name":"Aloe"}' : error) {
  return response(status, json, body);
}

function sent(body: string, given: Partial<Exchange> = {}): Exchange {
  return exchange({ request: { headers, body: Buffer.from(body), id: 7 }, response: says(200), ...given });
}

/** The exchanges of one probe, in order. */
function inOrder(name: ProbeName, ...exchanges: readonly Exchange[]): Exchange[] {
  return exchanges.map((one, step) => ({ ...one, probe: name, step }));
}

/** The verdict of one rule, its reason, and what was expected and seen. */
function verdictOf(id: RuleId, exchanges: readonly Exchange[], probes: readonly Probe[]): unknown[] {
  const rule = rules.find((one) => one.id === id);
  const [judged] = judgeRules(rule === undefined ? [] : [rule], new RunRecord(probes, exchanges));
  const problems = judged?.failures.map(({ expected, actual }) => `${expected} | ${actual}`) ?? [];
  return [judged?.verdict, ...(judged?.reason === undefined ? [] : [judged.reason]), ...problems];
}

const PLANT = '{"name":"Aloe","id":7}';
const NONE = {
  response: undefined,
  failure: { kind: 'reset', message: 'the connection was reset' },
} as const;

describe('bodies of several lengths', () => {
  const id = 'request/shorter-bodies-are-accepted';
  const lengths = probe({
    name: 'transport/lengths-at-buffer-sizes',
    expectation: 'open',
    phase: 'valid',
    rules: [id],
  });
  const allowed = 'the interface allows the provider to reject bodies of this length, and it does';
  const body = (length: number, status: number): Exchange =>
    sent(PLANT.padEnd(length), { expectation: 'open', response: says(status) });

  test.each<[string, Exchange, Exchange, unknown[]]>([
    ['both may be accepted', body(100, 200), body(200, 200), ['pass']],
    ['both may be rejected', body(100, 400), body(200, 413), ['not-applicable', allowed]],
    ['only the shorter one may be accepted', body(100, 200), body(200, 413), ['pass']],
    ['one of two that are as long may be rejected', body(100, 200), body(100, 400), ['pass']],
    ['a shorter one may be throttled', body(100, 429), body(200, 200), ['pass']],
    ['a shorter one may get a 500, as far as this rule goes', body(100, 500), body(200, 200), ['pass']],
    [
      'a shorter one is not rejected',
      body(100, 400),
      body(200, 200),
      ['fail', `200, as for a body of 200 bytes | 400 (application/json) ${error} for a body of 100 bytes`],
    ],
  ])('%s', (_what, first, second, expected) => {
    expect(verdictOf(id, inOrder(lengths.name, first, second), [lengths])).toEqual(expected);
  });
});

describe('equal ids side by side', () => {
  const id = 'state/equal-ids-side-by-side';
  const probes = [
    probe({ name: 'equal-ids-side-by-side', expectation: 'open', together: true, phase: 'state' }),
    probe({ name: 'repeated-id', phase: 'state' }),
  ];
  const repeated = inOrder('repeated-id', sent(PLANT), sent(PLANT), sent(PLANT, { response: says(409) }));
  const together = (...given: readonly Partial<Exchange>[]): Exchange[] =>
    inOrder(
      'equal-ids-side-by-side',
      ...given.map((one) => sent(PLANT, { expectation: 'open', shared: true, ...one })),
    );
  const [yes, no] = [{ response: says(200) }, { response: says(409) }];
  const twice =
    '1 of 3 concurrent plants with the same id accepted, as in sequential requests | 2 of 3 accepted';

  test.each<[string, Exchange[], unknown[]]>([
    ['one may be accepted', together(no, yes, no), ['pass']],
    ['two may not, and one failure says so', together(yes, no, yes), ['fail', twice]],
    ['two may not if the last gets no response', together(yes, yes, NONE), ['fail', twice]],
    ['two may not if the last is throttled', together(yes, yes, { response: says(429) }), ['fail', twice]],
    ['none may be accepted', together(no, no, no), ['blocked', 'none of the plants was accepted']],
    [
      'one after the other proves nothing',
      together(yes, { ...no, startMs: 5 }, { ...no, startMs: 9 }),
      ['not-applicable', 'no two of these requests were sent at the same time'],
    ],
  ])('%s', (_what, exchanges, expected) => {
    expect(verdictOf(id, [...repeated, ...exchanges], probes)).toEqual(expected);
  });
});

describe('a valid plant that the provider fails on', () => {
  const id = 'success/valid-plant-is-processed';
  const [valid, repeated] = [probe({ phase: 'valid' }), probe({ name: 'repeated-id', phase: 'state' })];
  const failed = says(500);
  const request = { headers, body: Buffer.from(PLANT) };
  const long = (length: number) => ({ ...request, id: 7, body: Buffer.from(PLANT.padEnd(length)) });
  const duplicates = (status: number): Exchange[] =>
    inOrder(
      'repeated-id',
      sent(PLANT),
      sent(PLANT, { response: says(409) }),
      sent(PLANT, { response: says(status) }),
    );

  test.each<[string, Partial<Exchange>, number, string]>([
    ['is a failure', { response: failed }, 409, 'fail'],
    [
      'is none if its id exists: that response is not shown',
      { response: failed, request: { ...request, id: 7, idMayExist: true } },
      409,
      'blocked',
    ],
    [
      'is a failure if the id may exist, and duplicates get something else',
      { response: failed, request: { ...request, idMayExist: true } },
      400,
      'fail',
    ],
    [
      'is none if the id may exist, and one duplicate gets the same',
      { response: failed, request: { ...request, idMayExist: true } },
      500,
      'blocked',
    ],
    ['is none if a large body is cut off', { ...NONE, request: long(2 ** 16 + 1) }, 409, 'blocked'],
    ['is none if a gateway says so', { response: says(502), request: long(2 ** 16 + 1) }, 409, 'blocked'],
    [
      'is a failure if a large body gets a 500',
      { response: failed, request: long(2 ** 16 + 1) },
      409,
      'fail',
    ],
    ['is a failure if the body is not large', { ...NONE, request: long(2 ** 16) }, 409, 'fail'],
  ])('%s', (_what, given, status, verdict) => {
    // They are judged apart. If the failure is none either, there is nothing to judge.
    const others = duplicates(status).map((one) => ({ ...one, expectation: 'rejected' as const }));
    expect(verdictOf(id, [...others, sent(PLANT, given)], [valid, repeated])[0]).toBe(verdict);
  });

  test('is none if the id may exist, and a duplicate got no response either', () => {
    const others = inOrder('repeated-id', sent(PLANT), sent(PLANT, NONE));
    const judged = others.map((one) => ({ ...one, expectation: 'rejected' as const }));
    const failed = sent(PLANT, { ...NONE, request: { ...request, idMayExist: true } });
    expect(verdictOf(id, [...judged, failed], [valid, repeated])[0]).toBe('blocked');
  });
});

describe('an unknown field', () => {
  const id = 'request/unknown-members-change-nothing';
  const probes = [
    probe(),
    probe({ name: 'plain-plant-with-tag' }),
    probe({ name: 'unknown-field', expectation: 'open', phase: 'valid' }),
  ];
  const plant = (
    name: string,
    tag: string | undefined,
    answer: string,
    given: Partial<Exchange> = {},
  ): Exchange => {
    const sentPlant = { name, id: 7, ...(tag !== undefined && { tag }) };
    const body = Buffer.from(JSON.stringify(sentPlant));
    return sent('', {
      request: { headers, body, id: 7, plant: sentPlant },
      response: says(200, answer),
      ...given,
    });
  };
  const plain = plant('Aloe', undefined, '{"name":"Aloe"}');
  const tagged = {
    ...plant('Aloe', 'a', '{"name":"Aloe","tag":"a"}'),
    probe: 'plain-plant-with-tag',
  } as const;
  const withoutTags = { ...tagged, response: says(200, '{"name":"Aloe"}') };
  const unknown = (one: Exchange): Exchange => ({ ...one, probe: 'unknown-field', expectation: 'open' });

  test.each<[string, Exchange[], unknown[]]>([
    ['changes nothing', [plain, tagged, unknown(plain)], ['pass']],
    [
      'may be rejected',
      [plain, tagged, unknown({ ...plain, response: says(400) })],
      ['not-applicable', 'the interface allows the provider to reject unknown fields, and it does'],
    ],
    [
      'does not change the name',
      [plain, tagged, unknown({ ...plain, response: says(200, '{"name":"Fern"}') })],
      ['fail', '"name" "Aloe", as sent | "name" is the string "Fern"'],
    ],
    [
      'does not add a tag',
      [plain, tagged, unknown({ ...plain, response: says(200, '{"name":"Aloe","tag":"x"}') })],
      ['fail', 'no "tag", as sent | "tag" is the string "x"'],
    ],
    [
      'does not remove the tag',
      [plain, tagged, unknown({ ...tagged, response: says(200, '{"name":"Aloe"}') })],
      ['fail', '"tag" "a", as sent | "tag" is missing'],
    ],
    ['is not to blame for a tag that never comes back', [plain, withoutTags, unknown(withoutTags)], ['pass']],
    [
      'is to blame for a tag that was not sent, even if tags never come back',
      [plain, withoutTags, unknown({ ...plain, response: says(200, '{"name":"Aloe","tag":"x"}') })],
      ['fail', 'no "tag", as sent | "tag" is the string "x"'],
    ],
    [
      'is not judged in what is no plant',
      [plain, tagged, unknown({ ...plain, response: says(200, '[]') })],
      ['blocked', 'no plant with an unknown field was accepted'],
    ],
  ])('%s', (_what, exchanges, expected) => {
    expect(verdictOf(id, exchanges, probes)).toEqual(expected);
  });
});

describe('a token that is not right', () => {
  const contextOf = (...before: readonly Exchange[]) => {
    const probes = before.map(({ probe: name }) => probe({ name }));
    return { probe: probe(), sequence: [], record: new RunRecord(probes, before) };
  };
  const accepted = sent(PLANT, { expectation: 'rejected', probe: 'tokens/in-a-list' });
  const expected = 'a rejection: a 4xx with an Error';

  test('proves nothing in another place if no token is needed', () => {
    const free = contextOf(...inOrder('no-authorization', sent(PLANT)));
    const strict = contextOf(...inOrder('no-authorization', sent(PLANT, { response: says(401) })));
    expect(judgeOtherPlace(accepted, free)).toEqual({
      blocked: 'the provider accepts a request without any token',
    });
    expect(judgeOtherPlace(accepted, strict)).toMatchObject({ expected });
    expect(judgeOtherPlace({ ...accepted, response: says(401) }, free)).toBeUndefined();
  });

  test('may be in a list if two headers are accepted', () => {
    const lenient = contextOf(...inOrder('two-authorizations', sent(PLANT)));
    expect(judgeNearMiss(accepted, lenient)).toEqual({
      notApplicable: 'the interface allows the provider to accept two Authorization headers, and it does',
    });
    expect(judgeNearMiss(accepted, contextOf())).toMatchObject({ expected });
    expect(judgeNearMiss({ ...accepted, probe: 'wrong-token' }, lenient)).toMatchObject({ expected });
  });
});

describe('a rejection is like that of a duplicate', () => {
  const rejected = (name: string, body: string, status = 400): Exchange =>
    sent(JSON.stringify({ name }), { response: says(status, body) });
  const message = (text: string, code = 1) => JSON.stringify({ error: code, message: text });

  test.each<[string, boolean, Exchange, Exchange]>([
    ['if both have the same words', true, rejected('Aloe', message('no')), rejected('Fern', message('no'))],
    [
      'not if the status differs',
      false,
      rejected('Aloe', message('no')),
      rejected('Fern', message('no'), 409),
    ],
    ['not if the code differs', false, rejected('Aloe', message('no')), rejected('Fern', message('no', 2))],
    ['not if the words differ', false, rejected('Aloe', message('no')), rejected('Fern', message('yes'))],
    [
      'if only the names differ',
      true,
      rejected('Aloe', message('Aloe exists')),
      rejected('Fern', message('Fern exists')),
    ],
    [
      'if a name is part of the other',
      true,
      rejected('Aloe', message('Aloe exists')),
      rejected('Aloe vera', message('Aloe vera exists')),
    ],
    ['if a name is empty', true, rejected('', message('exists')), rejected('Fern', message('Fernexists'))],
    [
      'if there is no name',
      true,
      sent('{}', { response: says(400, message('no')) }),
      rejected('Fern', message('no')),
    ],
    [
      'if only the ids differ',
      true,
      rejected('Aloe', message('7 exists')),
      rejected('Fern', message('id8 exists')),
    ],
    ['if it is no JSON', true, rejected('Aloe', 'no'), rejected('Fern', message('yes'))],
    ['if the other is no Error', true, rejected('Aloe', message('no')), rejected('Fern', '{"error":1}')],
    ['if the other is null', true, rejected('Aloe', message('no')), rejected('Fern', 'null')],
    ['if neither got a response', true, sent(PLANT, NONE), sent(PLANT, NONE)],
    ['not if only the other got one', false, sent(PLANT, NONE), rejected('Fern', message('no'))],
  ])('%s', (_what, isAlike, one, duplicate) => {
    expect(isRejectedAlike(one, duplicate)).toBe(isAlike);
    expect(isRejectedAlike(duplicate, one)).toBe(isAlike);
  });
});

describe('an invalid request may be rejected like a duplicate', () => {
  const rejection = (message: string) => ({
    expectation: 'rejected' as const,
    response: says(400, JSON.stringify({ error: 1, message })),
  });
  const plain = sent(PLANT);
  const duplicate = sent('{"name":"Fern","id":7}', { ...rejection('"Fern" is there'), expectation: 'open' });
  const other = sent(PLANT, { ...rejection('the name is wrong'), probe: 'missing-name' });
  const record = new RunRecord([], [...inOrder('repeated-id', plain, plain, duplicate), other]);

  test.each([
    ['whatever the names are', '"Palm" is there', true],
    ['but not in other words', '"Palm" is wrong', false],
    ['but not in the words for others', 'the name is wrong', false],
  ])('%s', (_what, message, isAmbiguous) => {
    const request = { headers, body: Buffer.from('{"name":"Palm","id":"7"}') };
    const one = exchange({ request, probe: 'id-is-text', ...rejection(message) });
    const judgement = whyMaybeDuplicate(one, record);
    expect(judgement !== undefined && 'ambiguous' in judgement).toBe(isAmbiguous);
  });
});

describe('a response', () => {
  test('that breaks a rule twice gives one line', () => {
    const wrong = sent(PLANT, { response: says(200, '{"tag":1,"id":7}') });
    expect(problemIn(wrong, ({ keyword }) => keyword !== 'additionalProperties')).toEqual({
      expected: 'the field "name"; a string',
      actual: '"name" is missing; "tag" is 1',
    });
    const two = sent(PLANT, { response: says(201, '{"name":1,"tag":1}') });
    expect(problemIn(two, ({ part }) => part === 'body')).toEqual({
      expected: 'a string',
      actual: '201: "name" is 1; "tag" is 1',
    });
    expect(problemIn(wrong, () => false)).toBeUndefined();
    expect(problemIn(sent(PLANT, NONE), () => true)).toBeUndefined();
  });

  test('is about a new plant only if a valid plant with a new id was sent', () => {
    const request = { headers, body: Buffer.from(PLANT), id: 7, plant: { name: 'Aloe', id: 7 } };
    const valid = sent(PLANT, { request });
    expect(isNewPlant(valid)).toBe(true);
    expect(isNewPlant(sent(PLANT))).toBe(false);
    expect(isNewPlant({ ...valid, expectation: 'rejected' })).toBe(false);
    expect(isNewPlant({ ...valid, request: { ...request, idMayExist: true } })).toBe(false);
    expect(isFromOperation(valid)).toBe(true);
    expect(
      isFromOperation({ ...valid, request: { ...request, elsewhere: { method: 'GET', path: '/' } } }),
    ).toBe(false);
  });

  test('to an invalid request may not be a success', () => {
    expect(
      ['created', 'open', 'rejected'].map((expectation) =>
        mayBeAccepted(probe({ expectation } as Partial<Probe>)),
      ),
    ).toEqual([true, true, false]);
  });
});

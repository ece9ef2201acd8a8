import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../../src/conformance/exchange.js';
import { FORGED_FIELD } from '../../../../src/conformance/topics/strings.js';
import { exchange, response } from '../../recorded.js';
import { error, headers, inOrder, inWords, judged, NONE, nothing, PLANT, says, sent } from './judged.js';

const refused = sent('{', { expectation: 'rejected', response: says(400), probe: 'malformed-json' });
const request = (one: Exchange, given: Partial<Exchange['request']>) => ({
  ...one,
  request: { ...one.request, ...given },
});

describe('a rejection', () => {
  const id = 'failure/refusal-is-4xx';
  const no4xx = (status: number) => `expected a 4xx | ${inWords(status)}`;
  const answered = (status: number) => ({ ...refused, response: says(status) });
  const overloaded = sent(PLANT, { response: says(503) });
  const earlier = { ...answered(500), role: 'superseded' } as const;
  // It failed once, and not when it was sent again.
  const intermittent = [
    sent(PLANT, { role: 'superseded', response: says(500) }),
    sent(PLANT, { response: says(200) }),
  ];

  test.each<[string, Exchange, readonly Exchange[], string]>([
    ['is a 400', refused, [], 'passes'],
    ['is another 4xx', answered(418), [], 'passes'],
    ['is no 5xx', answered(500), [], no4xx(500)],
    ['is no redirect', answered(302), [], no4xx(302)],
    ['is not missing', { ...refused, ...NONE }, [], 'expected a 4xx | the connection was reset'],
    ['may be a 503 if valid plants get one', answered(503), [overloaded], nothing],
    ['is no 503 otherwise', answered(503), [], no4xx(503)],
    ['is no 500 if valid plants get a 503', answered(500), [overloaded], no4xx(500)],
    ['is judged apart from an acceptance', answered(200), [], nothing],
    ['is no throttling', { ...answered(429), turnedAway: true }, [], nothing],
    ['is a 429 if the content is the reason', answered(429), [], 'passes'],
    ['is none if the request is valid', { ...answered(500), expectation: 'open' }, [], nothing],
    ['is no 5xx in an earlier attempt', earlier, [], no4xx(500)],
    ['may be one then if valid plants fail now and then', earlier, intermittent, nothing],
    ['was none in an earlier attempt', { ...earlier, response: says(400) }, [], nothing],
    ['is no 5xx now, even if valid plants fail now and then', answered(500), intermittent, no4xx(500)],
  ])('%s', (_what, one, others, expected) => {
    expect(judged(id, one, others)).toBe(expected);
  });

  test('may be that of a duplicate', () => {
    const failed = answered(500);
    const steps = (first: Partial<Exchange>, second = failed as Exchange) => {
      const sequence = inOrder('malformed-json', sent(PLANT, first), second);
      return judged(id, sequence[1] ?? failed, sequence);
    };
    const withoutId = exchange({ ...failed, request: { headers, body: Buffer.from(PLANT) } });
    expect(steps({})).toBe(nothing);
    expect(steps({ response: says(400) })).toBe(no4xx(500));
    expect(steps({}, request(failed, { id: 8 }))).toBe(no4xx(500));
    expect(steps({ request: withoutId.request }, withoutId)).toBe(no4xx(500));
    // The same id may be in another probe: a valid plant whose token is wrong.
    const existing = { plant: { name: 'Aloe', id: 0 }, idMayExist: true } as const;
    expect(judged(id, request(failed, existing))).toBe(nothing);
    expect(judged(id, request(failed, { idMayExist: true }))).toBe(no4xx(500));
    const turned = inOrder('malformed-json', failed, sent(PLANT));
    expect(judged(id, turned[0] ?? failed, turned)).toBe(no4xx(500));
  });
});

describe('a failure', () => {
  const type = [['Content-Type', 'text/html']] as const;
  const fails = (body: string, status = 400) => ({ ...refused, response: says(status, body) });
  const judgedBy = (one: Exchange) =>
    (['media-type-is-json', 'body-is-an-error', 'error-is-an-int32', 'message-is-a-string'] as const).map(
      (name) =>
        judged(`failure/${name}`, one)
          .replace(/ \|.*/, '')
          .replace(/^expected.*/, 'fails'),
    );
  const [all, none] = [Array(4).fill('passes'), Array(4).fill(nothing)];

  test.each<[string, Exchange, readonly string[]]>([
    ['is an Error', refused, all],
    ['is an Error with more fields', fails('{"error":1,"message":"no","at":"noon"}'), all],
    ['is an Error with a 500, which has a rule of its own', fails(error, 500), none],
    ['is a page with a 500', fails('<p>', 500), none],
    ['is a page of a limit', fails('<p>', 413), none],
    ['is an Error with a 399, which is none', fails('{}', 399), none],
    ['is a page', { ...refused, response: response(400, type, '<p>') }, ['fails', 'fails', nothing, nothing]],
    ['has no body', fails(''), ['passes', 'fails', nothing, nothing]],
    ['is an array', fails('[]'), ['passes', 'fails', nothing, nothing]],
    ['has no message', fails('{"error":1}'), ['passes', 'fails', 'passes', nothing]],
    ['has no error', fails('{"message":"no"}'), ['passes', 'fails', nothing, 'passes']],
    ['has an error in words', fails('{"error":"x","message":"no"}'), ['passes', 'passes', 'fails', 'passes']],
    ['has a list of messages', fails('{"error":1,"message":[]}'), ['passes', 'passes', 'passes', 'fails']],
    [
      'is one of another operation',
      request(fails(''), { otherOperation: { method: 'GET', path: '/' } }),
      none,
    ],
    ['is a success', fails('{"error":"x"}', 200), none],
    ['is cut', { ...refused, response: { ...says(400, '{}'), complete: false } }, none],
    ['is missing', { ...refused, ...NONE }, none],
  ])('%s', (_what, one, expected) => {
    expect(judgedBy(one)).toEqual(expected);
  });

  describe('with another 4xx', () => {
    const answer = (status: number, body: string, media = 'application/json') => ({
      ...refused,
      response: response(status, [['Content-Type', media]], body),
    });
    const both = (one: Exchange) =>
      (['other-4xx-is-json', 'other-4xx-is-an-error'] as const).map((name) =>
        judged(`failure/${name}`, one).replace(/^expected.*/, 'fails'),
      );
    const no400 = 'notApplicable: no failure has the status 400';

    test.each<[string, Exchange, readonly string[]]>([
      ['is an Error', answer(401, error), ['passes', 'passes']],
      ['is a problem', answer(422, error, 'application/problem+json'), ['fails', 'passes']],
      ['is a page', answer(401, '<p>', 'text/html'), ['fails', 'fails']],
      ['has a list of details', answer(422, '{"detail":[]}'), ['passes', 'fails']],
      ['has an error in words', answer(404, '{"error":"x","message":"no"}'), ['passes', 'fails']],
      ['has no body', answer(401, ''), Array(2).fill('notApplicable: no other 4xx has a body')],
      ['is a 400', refused, Array(2).fill('notApplicable: every failure has the status 400')],
      ['is a 500', answer(500, '<p>'), [nothing, nothing]],
      ...[408, 411, 413, 414, 417, 429, 431].map((status): [string, Exchange, readonly string[]] => [
        `is a ${status} of a limit`,
        answer(status, '<p>', 'text/html'),
        [nothing, nothing],
      ]),
      [
        'is a status of its own for too many requests',
        { ...answer(403, '<p>', 'text/html'), turnedAway: true },
        [nothing, nothing],
      ],
    ])('%s', (_what, one, expected) => {
      expect(both(one)).toEqual(expected);
    });

    test('the rules about a 400 do not apply', () => {
      expect(judged('failure/media-type-is-json', answer(401, '<p>'))).toBe(no400);
      expect(judged('failure/error-is-an-int32', answer(401, error))).toBe(no400);
    });
  });

  test.each<[string, Exchange, string]>([
    ['comes whole', refused, 'passes'],
    ['is cut', { ...refused, response: { ...says(400), complete: false, received: 3 } }, 'after 3 bytes'],
    ['is no success', { ...refused, response: { ...says(200), complete: false } }, nothing],
    ['is missing', { ...refused, ...NONE }, nothing],
  ])('%s, as its framing says', (_what, one, expected) => {
    expect(judged('failure/body-comes-whole', one)).toContain(expected);
  });

  test('may be cut if the request is very large', () => {
    const cut = { ...refused, response: { ...says(400), complete: false } };
    const of = (length: number) =>
      judged('failure/body-comes-whole', request(cut, { body: Buffer.alloc(length) }));
    expect(of(2 ** 20)).toMatch(/^expected a body/);
    expect(of(2 ** 20 + 1)).toBe(nothing);
  });
});

describe('text of a request', () => {
  const id = 'failure/text-stays-in-the-body';
  const probe = 'rejections/name-with-header';
  const forged = sent(`{"name":"Aloe\\r\\n${FORGED_FIELD}: yes","id":7}`, { probe });
  const field = { response: response(400, [[FORGED_FIELD.toLowerCase(), 'yes']]) };

  test.each<[string, Exchange, string]>([
    ['stays in the body', forged, 'passes'],
    [
      'becomes a field',
      { ...forged, ...field },
      `expected no header field that a string of the request contains | 400 with the field "${FORGED_FIELD}: yes", which the request has in a string`,
    ],
    ['has no field', sent(PLANT, { probe, ...field }), nothing],
    ['gets no response', { ...forged, ...NONE }, nothing],
  ])('%s', (_what, one, expected) => {
    expect(judged(id, one)).toBe(expected);
  });
});

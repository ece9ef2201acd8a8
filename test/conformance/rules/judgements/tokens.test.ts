import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../../src/conformance/exchange.js';
import { exchange } from '../../recorded.js';
import { error, headers, inOrder, inWords, judged, NONE, nothing, PLANT, says, sent } from './judged.js';

const rejected = { expectation: 'rejected', response: says(401) } as const;
const accepted = { expectation: 'rejected', response: says(200) } as const;
const problem = `expected a rejection: a 4xx with an Error | ${inWords(200, '{"name":"Aloe"}')}`;
const isOpen = 'blocked: the provider accepts a request without any token';

const [, json] = headers;

/** A plant without a token in its header. */
function without(given: Partial<Exchange>): Exchange {
  const plant = { name: 'Aloe', id: 7 };
  return sent(PLANT, {
    request: { headers: [json], body: Buffer.from(PLANT), ...{ id: 7, plant } },
    ...given,
  });
}

describe('a missing token', () => {
  const id = 'auth/missing-token-is-refused';
  test.each<[string, Exchange, string]>([
    ['is rejected', without({ ...rejected, probe: 'no-authorization' }), 'passes'],
    ['is accepted', without({ ...accepted, probe: 'no-authorization' }), problem],
    ['is accepted in another request', without(accepted), problem],
    ['is accepted where no response is demanded', without({ expectation: 'open' }), problem],
    ['is rejected where none is', without({ expectation: 'open', response: says(401) }), nothing],
    ['gets no response where none is', without({ expectation: 'open', ...NONE }), nothing],
    ['is not missing', sent(PLANT, { ...accepted, expectation: 'open' }), nothing],
  ])('%s', (_what, one, expected) => {
    expect(judged(id, one)).toBe(expected);
  });
});

describe('a token that is not right', () => {
  const strict = inOrder('no-authorization', sent(PLANT, { response: says(401) }));
  const free = inOrder('no-authorization', sent(PLANT));
  const one = sent(PLANT, { expectation: 'rejected', probe: 'tokens/in-a-list' });

  test('proves nothing in another place if no token is needed', () => {
    const inQuery = 'auth/token-in-query-is-refused';
    expect(judged(inQuery, without(accepted), free)).toBe(isOpen);
    expect(judged(inQuery, without(accepted), strict)).toBe(problem);
    expect(judged(inQuery, without(rejected), free)).toBe('passes');
  });

  test('may be in a list if two headers are accepted', () => {
    const nearMiss = 'auth/near-miss-token-is-refused';
    const lenient = inOrder('two-authorizations', sent(PLANT));
    expect(judged(nearMiss, one, lenient)).toBe(
      'notApplicable: the interface allows the provider to accept two-authorizations, and it does',
    );
    expect(judged(nearMiss, one)).toBe(problem);
    expect(judged(nearMiss, { ...one, probe: 'wrong-token' }, lenient)).toBe(problem);
  });

  const missing = (probe: string, given: Partial<Exchange> = {}) => without({ ...accepted, probe, ...given });
  const elsewhere = 'notApplicable: the provider responds as another operation, which is not shown';
  const other = { response: says(200, '{"status":"up"}') };

  test.each([
    ['rejected', missing('tokens/none-with-another-url', rejected), strict, 'passes'],
    ['accepted as another operation', missing('tokens/none-with-another-url', other), strict, elsewhere],
    ['accepted for a plant', missing('tokens/none-with-another-method'), strict, problem],
    [
      'accepted without a plant, and without a field that asks for another operation',
      missing('tokens/none-from-a-user', other),
      strict,
      `expected a rejection: a 4xx with an Error | ${inWords(200, '{"status":"up"}')}`,
    ],
    ['accepted, as every request is', missing('tokens/none-from-a-user'), free, isOpen],
  ])('is missing and %s', (_what, exchange, others, expected) => {
    expect(judged('auth/other-fields-give-no-access', exchange, others)).toBe(expected);
  });
});

describe('an unknown token after the right one', () => {
  const id = 'auth/response-depends-on-token';
  const steps = (first: number, other: number, right: number, last = 401) =>
    inOrder(
      'tokens/wrong-before-right',
      ...[first, other, right, last].map((status) =>
        sent(PLANT, { expectation: 'rejected', response: says(status) }),
      ),
    );
  const lastOf = (sequence: ReturnType<typeof steps>, at = 3) =>
    judged(id, sequence[at] ?? sent(PLANT), sequence);

  test.each([
    ['rejected', steps(401, 200, 200), 'passes'],
    ['accepted', steps(401, 200, 200, 200), problem],
    ['accepted, as at first', steps(200, 200, 200, 200), 'blocked: the provider accepts an unknown token'],
    ['throttled', steps(401, 200, 200, 429), nothing],
    [
      'rejected, as another plant with the right one',
      steps(401, 403, 200),
      'blocked: another plant was rejected after a wrong token',
    ],
    ['rejected, as is the right one', steps(401, 200, 403), nothing],
  ])('is %s', (_what, sequence, expected) => {
    expect(lastOf(sequence)).toBe(expected);
  });

  test('is judged by the last request only', () => {
    const sequence = steps(401, 200, 200, 200);
    expect([0, 1, 2].map((at) => lastOf(sequence, at))).toEqual(Array(3).fill(nothing));
  });
});

describe('a request without a token on a used connection', () => {
  const id = 'auth/connection-is-not-authenticated';
  const closes = 'notApplicable: the interface allows the provider to close each connection, and it does';
  const first = sent(PLANT);
  const kept = { reusedConnection: true };
  const free = inOrder('no-authorization', sent(PLANT));

  test.each([
    ['is rejected', first, without({ ...rejected, ...kept }), [], 'passes'],
    ['is accepted', first, without({ ...accepted, ...kept }), [], problem],
    ['is accepted, as on a new one', first, without({ ...accepted, ...kept }), free, isOpen],
    ['comes on a new one', first, without(accepted), [], closes],
    ['follows no response', sent(PLANT, NONE), without({ ...accepted, ...kept }), [], nothing],
  ])('%s', (_what, before, after, others, expected) => {
    const sequence = inOrder('no-token-on-used-connection', before, after);
    expect(judged(id, sequence[1] ?? after, [...others, ...sequence])).toBe(expected);
    expect(judged(id, sequence[0] ?? before, [...others, ...sequence])).toBe(nothing);
  });
});

test('a request that is invalid is judged by its response', () => {
  const id = 'request/body-is-json';
  const of = (given: Partial<ReturnType<typeof sent>>) =>
    judged(id, exchange({ request: { headers, body: Buffer.from('{') }, probe: 'malformed-json', ...given }));
  expect(of(rejected)).toBe('passes');
  expect(of(accepted)).toBe(problem);
  expect(of({ ...accepted, expectation: 'open' })).toBe(nothing);
  expect(of({ ...rejected, response: says(429) })).toBe(nothing);
  expect(of({ ...rejected, response: says(504, error) })).toBe('blocked: the response is 504');
  expect(of({ ...rejected, response: says(500) })).toBe('passes');
});

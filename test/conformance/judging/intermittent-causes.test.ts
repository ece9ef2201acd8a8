import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/conformance/exchange.js';
import {
  intermittentFailures,
  isFailed,
  isFixedOrInTime,
} from '../../../src/conformance/judging/intermittent.js';
import { RunRecord } from '../../../src/conformance/judging/run-record.js';
import type { Probe } from '../../../src/conformance/probe.js';
import { creation, exchange, probe, response } from '../recorded.js';

const fine = exchange({
  request: creation,
  response: response(200, [], '{"name":"Aloeaaaaaa"}'),
  startMs: 100,
});
const broken = { ...fine, response: response(500) };
const rejected = { ...fine, response: response(400) };
const reset = failing('reset');

function failing(kind: NonNullable<Exchange['failure']>['kind'], given: Partial<Exchange> = {}): Exchange {
  return { ...fine, response: undefined, failure: { kind, message: '' }, startMs: 0, ...given };
}

function superseded(one: Exchange): Exchange {
  return { ...one, role: 'superseded' };
}

function countOf(exchanges: readonly Exchange[], probes: readonly Probe[] = [probe()]): number {
  return intermittentFailures(new RunRecord(probes, exchanges)).failed.size;
}

describe('an earlier attempt of a valid plant counts', () => {
  test.each<[string, number, Exchange, readonly Exchange[]]>([
    ['if the last one is fine', 1, broken, [fine]],
    ['if the last one fails less badly', 1, broken, [rejected]],
    ['not if the last one was throttled', 0, broken, [{ ...fine, response: response(429) }]],
    ['not if there is no later one', 0, broken, []],
    ['not if only another request of the probe is fine', 0, broken, [{ ...fine, step: 1 }]],
    ['not if the request was invalid', 0, { ...broken, expectation: 'rejected' }, [fine]],
    ['if it was redirected', 1, { ...fine, response: response(302) }, [fine]],
    ['if the response was malformed', 1, failing('malformed'), [fine]],
    ['not if the network failed', 0, failing('unreachable'), [fine]],
  ])('%s', (_what, count, first, later) => {
    expect(countOf([superseded(first), ...later])).toBe(count);
  });

  test('not if its probe belongs to a house rule', () => {
    const own = 'house/own' as const;
    const sent = [superseded({ ...broken, probe: own }), { ...fine, probe: own }];
    expect(countOf(sent, [probe({ name: own })])).toBe(0);
  });

  test('not if its plant is that of another request: another rule says so', () => {
    const wrong = superseded({ ...fine, response: response(200, [], '{"name":"Aloebbbbbb"}') });
    const owner = exchange({
      probe: 'wrong-token',
      request: { ...creation, plant: { name: 'Aloebbbbbb', id: 8 } },
      expectation: 'rejected',
    });
    expect(countOf([wrong, fine])).toBe(1);
    expect(countOf([wrong, fine, owner])).toBe(0);
  });

  test.each([
    [1, 1],
    [2, 0],
  ])('if it was reset beside %d others: %d', (many, count) => {
    const others = [4, 5].slice(0, many).map((index) => exchange({ index, probe: 'wrong-token' }));
    expect(countOf([superseded(reset), fine, ...others])).toBe(count);
  });
});

describe('two rejections that do not repeat', () => {
  function countOfTwo(given: Partial<Exchange>, phase: Probe['phase'] = 'valid'): number {
    const names = ['plain-plant', 'id-zero'] as const;
    return countOf(
      names.flatMap((name) => [superseded({ ...rejected, probe: name, ...given }), { ...fine, probe: name }]),
      names.map((name) => probe({ name, phase })),
    );
  }

  test.each([
    [400, 2],
    [401, 2],
    [409, 2],
    [422, 2],
    [403, 0],
    [404, 0],
  ])('with %d count %d times: only some say that the request is wrong', (status, count) => {
    expect(countOfTwo({ response: response(status) })).toBe(count);
  });

  test.each<[number | bigint | undefined, number]>([
    [1, 2],
    [2 ** 31 - 1, 2],
    [7n, 2],
    [2 ** 31, 0],
    [0, 0],
    [-1, 0],
    [undefined, 0],
  ])('of the id %s count %d times: a provider may reject some ids of a larger range', (id, count) => {
    const { id: _id, ...withoutId } = creation;
    expect(countOfTwo({ request: { ...withoutId, ...(id !== undefined && { id }) } })).toBe(count);
  });

  test.each<[Probe['phase'], number]>([
    ['invalid', 2],
    ['wrong-token', 0],
    ['afterwards', 0],
  ])('in the phase %s count %d times: a client that sent wrong tokens may be locked out', (phase, count) => {
    expect(countOfTwo({}, phase)).toBe(count);
  });
});

describe('a new attempt is judged instead', () => {
  const mayExist = { request: { ...creation, idMayExist: true } };

  test.each<[string, boolean, Exchange]>([
    ['of a redirect', true, { ...fine, response: response(302) }],
    ['of a 5xx to an id that may exist', true, { ...broken, ...mayExist }],
    [
      'but not of another plant, if the id may exist',
      false,
      {
        ...fine,
        ...mayExist,
        response: response(200),
      },
    ],
    [
      'but not of a 503 with Retry-After',
      false,
      {
        ...fine,
        response: response(503, [['Retry-After', '1']]),
      },
    ],
    [
      'but not of a 5xx to what the interface leaves open',
      false,
      {
        ...broken,
        expectation: 'open',
        request: { ...creation, headers: [] },
      },
    ],
  ])('%s', (_what, expected, before) => {
    expect(isFixedOrInTime([before], [fine])).toBe(expected);
  });
});

test.each<[string, Partial<Exchange>, boolean]>([
  ['a 500 is', { response: response(500) }, true],
  ['a 599 to an invalid request is', { response: response(599), expectation: 'rejected' }, true],
  ['a 499 is not', { response: response(499) }, false],
  ['no response is not', { failure: { kind: 'reset', message: '' }, response: undefined }, false],
  [
    'a 500 from another path is not',
    { response: response(500), request: { ...creation, elsewhere: { method: 'GET', path: '/' } } },
    false,
  ],
  [
    'a 500 to what is not well-formed is not',
    { response: response(500), request: { ...creation, isWellFormed: false } },
    false,
  ],
])('%s a failure of the provider', (_what, given, expected) => {
  expect(isFailed(exchange(given))).toBe(expected);
});

test('the number of valid requests is that of those that were processed, in every role', () => {
  const record = new RunRecord(
    [probe()],
    [
      superseded(broken),
      fine,
      { ...fine, role: 'confirmation' },
      { ...fine, expectation: 'rejected' },
      { ...fine, response: response(429) },
    ],
  );
  expect(intermittentFailures(record).of).toBe(3);
});

import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/conformance/exchange.js';
import { probesToConfirm, repeatedFailures } from '../../../src/conformance/judging/confirm.js';
import { judgeRules } from '../../../src/conformance/judging/judge.js';
import { RunRecord } from '../../../src/conformance/judging/run-record.js';
import type { Judgement } from '../../../src/conformance/rule.js';
import { demand, exchange, probe, response } from '../recorded.js';

const problem = { expected: 'a', actual: 'b' };
const probes = [probe(), probe({ name: 'wrong-token' })];

/** A rule that every exchange with a 500 breaks. */
const rule = demand({
  judge: ({ response: got }): Judgement => (got?.status === 500 ? problem : undefined),
});
const failed = exchange({ response: response(500) });

function confirmed(first: Exchange, again: Exchange): boolean | undefined {
  const record = new RunRecord(probes, [first]);
  const judged = judgeRules([rule], record);
  const [failure] = judged[0]?.failures ?? [];
  return failure && repeatedFailures(judged, record, [{ ...again, role: 'confirmation' }]).get(failure);
}

describe('a failure', () => {
  const withoutId = { request: { headers: [], body: Buffer.from('{}') } };

  test.each<[string, boolean | undefined, Exchange, Exchange]>([
    ['repeats if it comes again', true, failed, failed],
    ['does not repeat if it does not', false, failed, exchange()],
    ['repeats only at the same request', undefined, failed, exchange({ step: 1 })],
    ['is not tried by another probe', undefined, failed, exchange({ probe: 'wrong-token' })],
    ['is not tried by a throttled request', undefined, failed, exchange({ response: response(429) })],
    [
      'is not tried by a request that was not sent',
      undefined,
      failed,
      exchange({ failure: { kind: 'not-sent', message: '' } }),
    ],
    ['may repeat without an id', true, { ...failed, ...withoutId }, failed],
  ])('%s', (_what, expected, first, again) => {
    expect(confirmed(first, again)).toBe(expected);
  });

  test.each([
    ['is not tried if its id is always the same and now exists', 200, 0],
    ['is tried if the provider failed', 500, 1],
  ])('%s', (_what, status, tried) => {
    const about = demand({ judge: () => problem });
    const request = { ...failed.request, idMayExist: true };
    const record = new RunRecord(probes, [exchange({ request, response: response(status) })]);
    expect(probesToConfirm(judgeRules([about], record), record)).toHaveLength(tried);
  });

  test('whose id the provider chose proves nothing if it does not repeat', () => {
    const accepting = demand({
      judge: ({ response: got }): Judgement => (got?.status === 200 ? problem : undefined),
    });
    const record = new RunRecord(probes, [exchange(withoutId)]);
    const judged = judgeRules([accepting], record);
    const again = exchange({ response: response(400), role: 'confirmation' });
    expect(repeatedFailures(judged, record, [again]).size).toBe(0);
  });
});

test('the first three failures of each rule are confirmed, each probe once', () => {
  const failures = [0, 1, 2].map((index) => exchange({ index, step: index, response: response(500) }));
  const fourth = exchange({ index: 3, probe: 'wrong-token', response: response(500) });
  const record = new RunRecord(probes, [...failures, fourth]);
  const about = demand({ judges: () => true, judge: () => problem });
  expect(probesToConfirm(judgeRules([about], record), record)).toEqual([probes[0]]);
  const other = demand({ judges: ['wrong-token'], judge: () => problem });
  expect(probesToConfirm(judgeRules([about, other], record), record)).toEqual(probes);
});

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

  describe('that does not repeat', () => {
    const { request } = failed;

    test.each<[string, Exchange['request'], number, readonly boolean[]]>([
      ['proves nothing if the provider accepted it and chose the id', withoutId.request, 200, []],
      ['is intermittent if the provider accepted it with its id', request, 200, [false]],
      ['is intermittent if the provider stored nothing', withoutId.request, 500, [false]],
    ])('%s', (_what, sent, status, expected) => {
      const about = demand({ judge: ({ role }) => (role === 'judged' ? problem : undefined) });
      const record = new RunRecord(probes, [exchange({ request: sent, response: response(status) })]);
      const judged = judgeRules([about], record);
      const again = exchange({ response: response(400), role: 'confirmation' });
      expect([...repeatedFailures(judged, record, [again]).values()]).toEqual(expected);
    });
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

test('a failure that was superseded is not confirmed: its probe was sent again', () => {
  const about = demand({ everyAttempt: true, judge: () => problem });
  const record = new RunRecord(probes, [exchange({ role: 'superseded' })]);
  const judged = judgeRules([about], record);
  expect(judged[0]?.failures).toHaveLength(1);
  expect(probesToConfirm(judged, record)).toEqual([]);
});

describe('all failures to valid plants are confirmed,', () => {
  const valid = {
    headers: [
      ['Authorization', 'Bearer x'],
      ['Content-Type', 'application/json'],
    ],
    body: Buffer.from('{"name":"Aloe","id":7}'),
    id: 7,
  } as const;
  const about = demand({ judges: () => true, judge: () => problem });

  test.each<[string, number, number]>([
    ['up to twenty', 20, 20],
    ['but of more only the first three', 21, 3],
  ])('%s', (_what, many, tried) => {
    const sent = Array.from({ length: many }, (_, at) => probe({ name: `strings/${at}` }));
    const record = new RunRecord(
      sent,
      sent.map(({ name }, index) =>
        exchange({ index, probe: name, request: valid, response: response(500) }),
      ),
    );
    expect(probesToConfirm(judgeRules([about], record), record)).toEqual(sent.slice(0, tried));
  });
});

test.each<[Judgement]>([['nothing-to-judge'], [{ blocked: 'x' }], [{ notApplicable: 'x' }]])(
  'a confirmation with the judgement %j proves nothing',
  (judgement) => {
    const about = demand({ judge: ({ role }) => (role === 'confirmation' ? judgement : problem) });
    const record = new RunRecord(probes, [failed]);
    const again = exchange({ role: 'confirmation' });
    expect(repeatedFailures(judgeRules([about], record), record, [again]).size).toBe(0);
  },
);

test('a rule sees the confirmations of the probe, and the run', () => {
  const seen: unknown[] = [];
  const about = demand({
    judge(one, context) {
      if (one.role === 'confirmation') seen.push(context);
      return problem;
    },
  });
  const record = new RunRecord(probes, [failed]);
  const again = [0, 1].map((step) => exchange({ step, role: 'confirmation' }));
  const other = exchange({ probe: 'wrong-token', role: 'confirmation' });
  repeatedFailures(judgeRules([about], record), record, [other, ...again]);
  expect(seen).toEqual([{ probe: probes[0], sequence: again, record }]);
});

// Goes with src/conformance/judging/judge.ts (confirming in rounds): it tests how that works. Whoever replaces it deletes this file.
import { describe, expect, test } from 'vitest';
import type { Exchange, Judgement } from '../../../src/conformance/exchange.js';
import { Facts } from '../../../src/conformance/judge/facts.js';
import {
  judgeAndConfirm,
  judgeRules,
  probesToConfirm,
  repeatedFailures,
} from '../../../src/conformance/judge/judge.js';
import { creation, demand, exchange, probe, response } from '../recorded.js';

const problem = { expected: 'a', actual: 'b' };
const probes = [probe(), probe({ name: 'wrong-token' })];

/** A rule that every exchange with a 500 breaks. */
const rule = demand({
  judge: ({ response: got }): Judgement => (got?.status === 500 ? problem : undefined),
});
const failed = exchange({ response: response(500) });

function confirmed(first: Exchange, again: Exchange): boolean | undefined {
  const facts = new Facts(probes, [first]);
  const judged = judgeRules([rule], facts);
  const [failure] = judged[0]?.failures ?? [];
  return failure && repeatedFailures(judged, facts, [{ ...again, role: 'confirmation' }]).get(failure);
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
    const facts = new Facts(probes, [exchange({ request, response: response(status) })]);
    expect(probesToConfirm(judgeRules([about], facts), facts)).toHaveLength(tried);
  });

  describe('that does not repeat', () => {
    const { request } = failed;

    test.each<[string, Exchange['request'], number, readonly boolean[]]>([
      ['proves nothing if the provider accepted it and chose the id', withoutId.request, 200, []],
      ['is intermittent if the provider accepted it with its id', request, 200, [false]],
      ['is intermittent if the provider stored nothing', withoutId.request, 500, [false]],
    ])('%s', (_what, sent, status, expected) => {
      const about = demand({ judge: ({ role }) => (role === 'judged' ? problem : undefined) });
      const facts = new Facts(probes, [exchange({ request: sent, response: response(status) })]);
      const judged = judgeRules([about], facts);
      const again = exchange({ response: response(400), role: 'confirmation' });
      expect([...repeatedFailures(judged, facts, [again]).values()]).toEqual(expected);
    });
  });
});

test('the first three failures of each rule are confirmed, each probe once', () => {
  const failures = [0, 1, 2].map((index) => exchange({ index, step: index, response: response(500) }));
  const fourth = exchange({ index: 3, probe: 'wrong-token', response: response(500) });
  const facts = new Facts(probes, [...failures, fourth]);
  const about = demand({ judges: () => true, judge: () => problem });
  expect(probesToConfirm(judgeRules([about], facts), facts)).toEqual([probes[0]]);
  const other = demand({ judges: ['wrong-token'], judge: () => problem });
  expect(probesToConfirm(judgeRules([about, other], facts), facts)).toEqual(probes);
});

test('a failure that was superseded is not confirmed: its probe was sent again', () => {
  const about = demand({ everyAttempt: true, judge: () => problem });
  const facts = new Facts(probes, [exchange({ role: 'superseded' })]);
  const judged = judgeRules([about], facts);
  expect(judged[0]?.failures).toHaveLength(1);
  expect(probesToConfirm(judged, facts)).toEqual([]);
});

describe('all failures to valid plants are confirmed,', () => {
  const about = demand({ judges: () => true, judge: () => problem });

  test.each<[string, number, number]>([
    ['up to twenty', 20, 20],
    ['but of more only the first three', 21, 3],
  ])('%s', (_what, many, tried) => {
    const sent = Array.from({ length: many }, (_, at) => probe({ name: `strings/${at}` }));
    const facts = new Facts(
      sent,
      sent.map(({ name }, index) =>
        exchange({ index, probe: name, request: creation, response: response(500) }),
      ),
    );
    expect(probesToConfirm(judgeRules([about], facts), facts)).toEqual(sent.slice(0, tried));
  });
});

test.each<[Judgement]>([['nothing-to-judge'], [{ blocked: 'x' }], [{ notApplicable: 'x' }]])(
  'a confirmation with the judgement %j proves nothing',
  (judgement) => {
    const about = demand({ judge: ({ role }) => (role === 'confirmation' ? judgement : problem) });
    const facts = new Facts(probes, [failed]);
    const again = exchange({ role: 'confirmation' });
    expect(repeatedFailures(judgeRules([about], facts), facts, [again]).size).toBe(0);
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
  const facts = new Facts(probes, [failed]);
  const again = [0, 1].map((step) => exchange({ step, role: 'confirmation' }));
  const other = exchange({ probe: 'wrong-token', role: 'confirmation' });
  repeatedFailures(judgeRules([about], facts), facts, [other, ...again]);
  expect(seen).toEqual([{ probe: probes[0], sequence: again, facts }]);
});

/** The status of one attempt. `instead`: it is judged instead of the earlier one. `none`: nothing is sent. */
type Attempt = number | { readonly instead: number } | 'none';

type Script = readonly [first: number, ...again: Attempt[]];

/** A rule that every exchange but a 200 breaks. */
const not200 = demand({
  judges: () => true,
  judge: ({ response: got }) => (got?.status === 200 ? undefined : { expected: '200', actual: 'another' }),
});

/**
 * Confirms the failures of a run.
 *
 * @param script the status of each probe, and what comes of it in each further attempt. The last one repeats.
 * @returns the probes that were tried in each round, and whether their failures repeated
 */
async function confirmedAll(script: Readonly<Record<string, Script>>) {
  const probes = Object.keys(script).map((name) => probe({ name: name as string }));
  let exchanges: Exchange[] = probes.map(({ name }, index) =>
    exchange({ index, probe: name, response: response(script[name]?.[0] ?? 0) }),
  );
  const rounds: string[] = [];
  const { judged, again } = await judgeAndConfirm(
    () => {
      const facts = new Facts(probes, exchanges);
      return { facts, judged: judgeRules([not200], facts) };
    },
    async (failed) => {
      rounds.push(failed.map(({ name }) => name).join(' '));
      const sent = failed.flatMap(({ name }): Exchange[] => {
        const attempts = script[name] ?? [];
        const now =
          attempts[rounds.filter((round) => round.split(' ').includes(name)).length] ?? attempts.at(-1);
        if (now === undefined || now === 'none') return [];
        const isInstead = typeof now === 'object';
        if (isInstead)
          exchanges = exchanges.map((one) =>
            one.probe === name && one.role === 'judged' ? { ...one, role: 'superseded' } : one,
          );
        const role = isInstead ? 'judged' : 'confirmation';
        return [exchange({ probe: name, role, response: response(isInstead ? now.instead : now) })];
      });
      exchanges = [...exchanges, ...sent];
      return sent;
    },
  );
  const repeated = [...again].map(([failure, isRepeated]) => [failure.exchange.probe, isRepeated]);
  return { rounds, repeated: Object.fromEntries(repeated), verdict: judged[0]?.verdict };
}

describe('failures', () => {
  test('are not sent again if there are none', async () => {
    expect(await confirmedAll({ a: [200] })).toEqual({ rounds: [], repeated: {}, verdict: 'pass' });
  });

  test('are sent again once, and each repeats or not', async () => {
    expect(await confirmedAll({ a: [400, 400], b: [200], c: [400, 200] })).toEqual({
      rounds: ['a c'],
      repeated: { a: true, c: false },
      verdict: 'fail',
    });
  });

  test('are not confirmed if nothing can be sent any more', async () => {
    expect(await confirmedAll({ a: [400, 'none'] })).toEqual({
      rounds: ['a'],
      repeated: {},
      verdict: 'fail',
    });
  });

  test('do not count if a new attempt is judged instead', async () => {
    expect(await confirmedAll({ a: [500, { instead: 200 }] })).toEqual({
      rounds: ['a'],
      repeated: {},
      verdict: 'pass',
    });
  });
});

describe('if a new attempt is judged instead,', () => {
  test('the others are tried again', async () => {
    const { rounds, verdict } = await confirmedAll({
      a: [500, { instead: 200 }],
      b: [500, 500, { instead: 200 }],
      c: [500, 500, 500, { instead: 200 }],
    });
    expect(rounds).toEqual(['a b c', 'b c', 'c']);
    expect(verdict).toBe('pass');
  });

  test('the others count by their last attempt', async () => {
    const { rounds, repeated } = await confirmedAll({ a: [500, { instead: 200 }], b: [500, 500, 200] });
    expect(rounds).toEqual(['a b', 'b']);
    expect(repeated).toEqual({ b: false });
  });

  test('the others keep their attempt if they are not sent again', async () => {
    const { rounds, repeated } = await confirmedAll({
      a: [500, { instead: 400 }, { instead: 200 }],
      b: [500, 500, 'none'],
    });
    expect(rounds).toEqual(['a b', 'a b', 'b']);
    expect(repeated).toEqual({ b: true });
  });

  test('it does not confirm itself', async () => {
    const { rounds, repeated } = await confirmedAll({ a: [500, { instead: 400 }, 'none'] });
    expect(rounds).toEqual(['a', 'a']);
    expect(repeated).toEqual({});
  });

  test('a failure that never goes away is tried three times', async () => {
    const { rounds, repeated, verdict } = await confirmedAll({
      a: [500, { instead: 500 }, { instead: 500 }, { instead: 500 }, { instead: 500 }],
      b: [500, 500],
    });
    expect(rounds).toEqual(['a b', 'a b', 'a b']);
    expect([repeated, verdict]).toEqual([{ b: true }, 'fail']);
  });

  test('the next failures are tried, in six rounds at most', async () => {
    const script = Array.from({ length: 24 }, (_, at): [string, Script] => [
      `probe-${at}`,
      [500, { instead: 200 }],
    ]);
    const { rounds, verdict } = await confirmedAll(Object.fromEntries(script));
    expect(rounds.map((round) => round.split(' ').length)).toEqual([3, 3, 3, 3, 3, 3]);
    expect(verdict).toBe('fail');
  });
});

import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/conformance/exchange.js';
import type { ProbeName } from '../../../src/conformance/families/index.js';
import { judgeAndConfirm } from '../../../src/conformance/judging/confirm.js';
import { judgeRules } from '../../../src/conformance/judging/judge.js';
import { RunRecord } from '../../../src/conformance/judging/run-record.js';
import { demand, exchange, probe, response } from '../recorded.js';

/** The status of one attempt. `instead`: it is judged instead of the earlier one. `none`: nothing is sent. */
type Attempt = number | { readonly instead: number } | 'none';

type Script = readonly [first: number, ...again: Attempt[]];

/** A rule that every exchange but a 200 breaks. */
const rule = demand({
  judges: () => true,
  judge: ({ response: got }) => (got?.status === 200 ? undefined : { expected: '200', actual: 'another' }),
});

/**
 * Confirms the failures of a run.
 *
 * @param script the status of each probe, and what comes of it in each further attempt. The last one repeats.
 * @returns the probes that were tried in each round, and whether their failures repeated
 */
async function confirmed(script: Readonly<Record<string, Script>>) {
  const probes = Object.keys(script).map((name) => probe({ name: name as ProbeName }));
  let exchanges: Exchange[] = probes.map(({ name }, index) =>
    exchange({ index, probe: name, response: response(script[name]?.[0] ?? 0) }),
  );
  const rounds: string[] = [];
  const { judged, again } = await judgeAndConfirm(
    () => {
      const record = new RunRecord(probes, exchanges);
      return { record, judged: judgeRules([rule], record) };
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
    expect(await confirmed({ a: [200] })).toEqual({ rounds: [], repeated: {}, verdict: 'pass' });
  });

  test('are sent again once, and each repeats or not', async () => {
    expect(await confirmed({ a: [400, 400], b: [200], c: [400, 200] })).toEqual({
      rounds: ['a c'],
      repeated: { a: true, c: false },
      verdict: 'fail',
    });
  });

  test('are not confirmed if nothing can be sent any more', async () => {
    expect(await confirmed({ a: [400, 'none'] })).toEqual({ rounds: ['a'], repeated: {}, verdict: 'fail' });
  });

  test('do not count if a new attempt is judged instead', async () => {
    expect(await confirmed({ a: [500, { instead: 200 }] })).toEqual({
      rounds: ['a'],
      repeated: {},
      verdict: 'pass',
    });
  });
});

describe('if a new attempt is judged instead,', () => {
  test('the others are tried again', async () => {
    const { rounds, verdict } = await confirmed({
      a: [500, { instead: 200 }],
      b: [500, 500, { instead: 200 }],
      c: [500, 500, 500, { instead: 200 }],
    });
    expect(rounds).toEqual(['a b c', 'b c', 'c']);
    expect(verdict).toBe('pass');
  });

  test('the others count by their last attempt', async () => {
    const { rounds, repeated } = await confirmed({ a: [500, { instead: 200 }], b: [500, 500, 200] });
    expect(rounds).toEqual(['a b', 'b']);
    expect(repeated).toEqual({ b: false });
  });

  test('the others keep their attempt if they are not sent again', async () => {
    const { rounds, repeated } = await confirmed({
      a: [500, { instead: 400 }, { instead: 200 }],
      b: [500, 500, 'none'],
    });
    expect(rounds).toEqual(['a b', 'a b', 'b']);
    expect(repeated).toEqual({ b: true });
  });

  test('it does not confirm itself', async () => {
    const { rounds, repeated } = await confirmed({ a: [500, { instead: 400 }, 'none'] });
    expect(rounds).toEqual(['a', 'a']);
    expect(repeated).toEqual({});
  });

  test('a failure that never goes away is tried three times', async () => {
    const { rounds, repeated, verdict } = await confirmed({
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
    const { rounds, verdict } = await confirmed(Object.fromEntries(script));
    expect(rounds.map((round) => round.split(' ').length)).toEqual([3, 3, 3, 3, 3, 3]);
    expect(verdict).toBe('fail');
  });
});

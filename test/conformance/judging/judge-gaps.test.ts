import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/conformance/exchange.js';
import { type JudgedRule, judgeRules } from '../../../src/conformance/judging/judge.js';
import { RunRecord } from '../../../src/conformance/judging/run-record.js';
import type { Probe } from '../../../src/conformance/probe.js';
import type { Rule } from '../../../src/conformance/rule.js';
import { demand, exchange, observation, probe, response } from '../recorded.js';

const problem = { expected: 'a', actual: 'b' };
const throttled = { response: response(429) };
const reset = { failure: { kind: 'reset', message: 'reset' } } as const;
const notConnected = { failure: { kind: 'not-connected', message: 'refused' } } as const;

function judged(
  rule: Rule,
  exchanges: readonly Exchange[],
  probes: readonly Probe[] = [probe()],
  cutShort?: ReadonlySet<Probe>,
): JudgedRule {
  const [only] = judgeRules([rule], new RunRecord(probes, exchanges, undefined, cutShort));
  return only as JudgedRule;
}

describe('a request that was sent again', () => {
  const about = demand({
    everyAttempt: true,
    judge: ({ response: got }) => (got?.status === 429 ? 'nothing-to-judge' : undefined),
  });

  test.each([
    ['without a response', reset],
    ['without a connection', notConnected],
    ['throttled', throttled],
  ])('blocks no rule about every attempt if it was %s', (_what, result) => {
    const again = exchange({ index: 1 });
    expect(judged(about, [exchange({ role: 'superseded', ...result }), again]).verdict).toBe('pass');
    expect(judged(about, [exchange(result), again]).verdict).toBe('blocked');
  });
});

describe('a request with nothing to judge', () => {
  test('blocks no rule if the provider processed it', () => {
    const rule = demand({ judge: ({ index }) => (index === 1 ? 'nothing-to-judge' : undefined) });
    expect(judged(rule, [exchange(), exchange({ index: 1 })]).verdict).toBe('pass');
    const lost = exchange({ index: 1, ...throttled });
    expect(judged(rule, [exchange(), lost]).verdict).toBe('blocked');
  });

  test('blocks a rule about silence if there was no connection', () => {
    const rule = demand({ judgesSilence: 'of-a-request', judge: () => 'nothing-to-judge' });
    expect(judged(rule, [exchange(notConnected)])).toMatchObject({
      verdict: 'blocked',
      reason: 'a plain plant was not processed: refused',
    });
  });

  const late = probe({ phase: 'wrong-token', together: true });
  const rule = demand({ judge: () => 'nothing-to-judge', judgesSilence: 'of-a-request' });
  const expired = exchange({ response: response(401), tokenExpired: true });
  const sentAtOnce = exchange({ ...notConnected, shared: true });

  test.each<[string, Exchange]>([
    ['its token had expired', expired],
    ['it had no connection', sentAtOnce],
  ])('blocks the rule, late and among others, if %s', (_what, one) => {
    expect(judged(rule, [one], [late]).verdict).toBe('blocked');
    expect(judged(rule, [{ ...one, ...throttled }], [late]).verdict).toBe('not-applicable');
  });

  test('blocks the rule if it was not throttled, even if there was no time to send it again', () => {
    const some = demand({ judge: ({ index }) => (index === 1 ? 'nothing-to-judge' : undefined) });
    const [first, second] = [exchange(), { ...expired, index: 1 }];
    const only = probe();
    expect(judged(some, [first, second], [only], new Set([only])).verdict).toBe('blocked');
    expect(judged(some, [first, { ...second, ...throttled }], [only], new Set([only])).verdict).toBe('pass');
  });
});

test('a connection that was closed while no other was open blocks a rule, even of a probe that sends several', () => {
  const closed = exchange(reset);
  expect(judged(demand(), [closed], [probe({ together: true })]).verdict).toBe('blocked');
});

describe('a provider that stopped', () => {
  const silent = { failure: { kind: 'timeout', message: 'timeout' } } as const;
  const others = probe({ name: 'wrong-token' });
  const lost = exchange({ index: 1, probe: 'wrong-token', startMs: 10, ...silent });
  const attempts = [2, 3, 4].map((index) =>
    exchange({ index, startMs: 10 * index, role: 'confirmation', ...silent }),
  );
  const exchanges = [exchange(), lost, ...attempts];
  const probes = [probe(), others];
  const judges = ['plain-plant', 'wrong-token'] as const;

  test('blocks the rules that the lost requests were sent for, with the reason', () => {
    expect(judged(demand({ judges }), exchanges, probes)).toMatchObject({
      verdict: 'blocked',
      reason: 'the provider stopped responding after request 1',
    });
    const about = demand({ judges: () => true });
    expect(judged(about, exchanges, [probe(), { ...others, rules: [about.id] }]).verdict).toBe('blocked');
  });

  test('breaks no rule with the requests that were lost', () => {
    const about = {
      judgesSilence: 'of-a-request',
      judge: ({ failure }: Exchange) => failure && problem,
    } as const;
    expect(judged(demand({ judges: () => true, ...about }), exchanges, probes).verdict).toBe('pass');
    expect(judged(demand({ judges, ...about }), exchanges, probes).verdict).toBe('blocked');
  });

  test('breaks a rule about the provider, with every request', () => {
    const about = demand({
      judges,
      judgesSilence: 'of-the-provider',
      judge: ({ failure }) => failure && problem,
    });
    const { verdict, failures } = judged(about, exchanges, probes);
    expect(verdict).toBe('fail');
    expect(failures.map(({ exchange: one }) => one.index)).toEqual([1, 2, 3, 4]);
  });

  test('is not observed by a request that was lost', () => {
    expect(judged(observation({ judges: ['plain-plant'] }), exchanges, probes).verdict).toBe('observed');
    expect(judged(observation({ judges }), exchanges, probes).verdict).toBe('not-applicable');
  });
});

test('an observation needs one request that was processed, of its own probes', () => {
  const probes = [probe(), probe({ name: 'wrong-token' })];
  const some = [exchange(throttled), exchange({ index: 1, step: 1 })];
  const other = exchange({ index: 2, probe: 'wrong-token' });
  expect(judged(observation(), [...some, other], probes).behaviour?.value).toBe('2');
});

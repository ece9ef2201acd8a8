import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/conformance/exchange.js';
import { type JudgedRule, judgeRules } from '../../../src/conformance/judging/judge.js';
import { RunRecord } from '../../../src/conformance/judging/run-record.js';
import type { Probe } from '../../../src/conformance/probe.js';
import type { Demand, Judgement, Rule } from '../../../src/conformance/rule.js';
import { demand, exchange, observation, probe, response } from '../recorded.js';

const problem = { expected: 'a', actual: 'b' };
const throttled = { response: response(429) };
const stopped = { failure: { kind: 'stopped', message: 'stopped' } } as const;

function judged(
  rule: Rule,
  exchanges: readonly Exchange[],
  probes: readonly Probe[] = [probe()],
  leftOut?: ReadonlyMap<Probe, string>,
  cutShort?: ReadonlySet<Probe>,
): JudgedRule {
  const [only] = judgeRules([rule], new RunRecord(probes, exchanges, leftOut, cutShort));
  return only as JudgedRule;
}

/** A rule that has these judgements, one for each exchange in order. */
function judging(judgements: readonly Judgement[], given: Partial<Demand> = {}): Demand {
  return demand({ judge: ({ index }) => judgements[index], ...given });
}

function inOrder(judgements: readonly Judgement[], given: Partial<Exchange> = {}): Exchange[] {
  return judgements.map((_, index) => exchange({ index, step: index, ...given }));
}

describe('a rule about certain probes', () => {
  test.each<[string, readonly Judgement[], string, string | undefined]>([
    ['passes if every exchange keeps it', [undefined, undefined], 'pass', undefined],
    ['fails if one exchange breaks it', [undefined, problem], 'fail', undefined],
    ['fails even if another is blocked', [{ blocked: 'x' }, problem], 'fail', undefined],
    ['is blocked if one exchange is', [undefined, { blocked: 'x' }], 'blocked', 'x'],
    ['gives each reason once', [{ blocked: 'x' }, { blocked: 'y' }, { blocked: 'x' }], 'blocked', 'x; y'],
    ['does not pass if one leaves it open', [undefined, { ambiguous: 'x' }], 'not-applicable', 'x'],
    ['is blocked rather than left open', [{ ambiguous: 'x' }, { blocked: 'y' }], 'blocked', 'y'],
    ['passes if the rest does not apply', [undefined, { notApplicable: 'x' }], 'pass', undefined],
    ['does not apply if nothing does', [{ notApplicable: 'x' }], 'not-applicable', 'x'],
    ['is an error if it cannot judge one', [undefined, problem, { error: 'x' }], 'error', 'x'],
    ['is blocked if nothing is judged', ['nothing-to-judge'], 'blocked', 'no exchange was judged'],
    ['is blocked without exchanges', [], 'blocked', 'no exchange was judged'],
  ])('%s', (_what, judgements, verdict, reason) => {
    const result = judged(judging(judgements), inOrder(judgements));
    expect(result).toMatchObject({ verdict, ...(reason !== undefined && { reason }) });
    expect(result.reason).toBe(reason);
    expect(result.failures).toHaveLength(verdict === 'fail' ? 1 : 0);
  });

  test('says whether the reason is what the provider has stored', () => {
    expect(judged(judging([{ ambiguous: 'x' }]), [exchange()]).isAmbiguous).toBe(true);
    expect(judged(judging([{ notApplicable: 'x' }]), [exchange()]).isAmbiguous).toBeUndefined();
  });

  test('keeps each failure with its exchange', () => {
    const exchanges = inOrder([problem, undefined, problem]);
    const { failures } = judged(judging([problem, undefined, problem]), exchanges);
    expect(failures).toEqual([
      { exchange: exchanges[0], ...problem },
      { exchange: exchanges[2], ...problem },
    ]);
  });

  test('that throws is an error of ours, and the other rules are judged', () => {
    const broken = demand({
      judge() {
        throw new Error('no such field');
      },
    });
    const odd = demand({
      judge() {
        throw 'no such field';
      },
    });
    const record = new RunRecord([probe()], [exchange()]);
    const [first, second, third] = judgeRules([broken, odd, demand()], record);
    for (const one of [first, second])
      expect(one).toMatchObject({
        verdict: 'error',
        failures: [],
        reason: 'the rule itself failed: no such field',
      });
    expect(third?.verdict).toBe('pass');
  });

  test('sees the probe, its exchanges in order, and the run', () => {
    const exchanges = [exchange({ step: 1 }), exchange({ index: 1 })];
    const sent = probe();
    const record = new RunRecord([sent], exchanges);
    const seen: unknown[] = [];
    judgeRules([demand({ judge: (_exchange, context) => void seen.push(context) })], record);
    const context = { probe: sent, sequence: [exchanges[1], exchanges[0]], record };
    expect(seen).toEqual([context, context]);
  });

  test('judges no exchange of another probe', () => {
    const rule = demand({ judges: ['wrong-token'], judge: () => problem });
    expect(judged(rule, [exchange()]).verdict).toBe('blocked');
  });

  test('judges no exchange whose probe is not part of the run', () => {
    const rule = demand({ judges: ['plain-plant', 'wrong-token'], judge: () => problem });
    expect(judged(rule, [exchange({ probe: 'wrong-token' })]).verdict).toBe('blocked');
  });

  test.each([
    [false, 'pass'],
    [true, 'fail'],
  ])('judges superseded exchanges if everyAttempt is %s', (everyAttempt, verdict) => {
    const rule = demand({ everyAttempt, judge: ({ role }) => (role === 'superseded' ? problem : undefined) });
    const exchanges = [exchange({ role: 'superseded' }), exchange({ index: 1 })];
    expect(judged(rule, exchanges).verdict).toBe(verdict);
  });
});

describe('a control', () => {
  const control = probe({ name: 'plain-plant-with-tag', title: 'the control' });
  const open = { ...control, expectation: 'open' as const };
  const tested = probe({ control: 'plain-plant-with-tag' });
  const accepted = exchange({ probe: 'plain-plant-with-tag', index: 1 });
  const rejected = { ...accepted, response: response(400) };

  test.each<[Demand['control'], Exchange, Probe, Judgement, string, string | undefined]>([
    ['for-a-pass', accepted, control, undefined, 'pass', undefined],
    ['for-a-pass', rejected, control, undefined, 'blocked', 'its control was not accepted: the control'],
    ['for-a-pass', rejected, open, undefined, 'not-applicable', 'its control was rejected: the control'],
    ['for-a-pass', rejected, control, problem, 'fail', undefined],
    ['for-any-verdict', accepted, control, problem, 'fail', undefined],
    ['for-any-verdict', rejected, control, problem, 'blocked', 'its control was not accepted: the control'],
    ['for-any-verdict', rejected, open, problem, 'not-applicable', 'its control was rejected: the control'],
    ['none', rejected, control, undefined, 'pass', undefined],
    ['none', rejected, control, problem, 'fail', undefined],
  ])('%s (case %#)', (needs, other, with_, judgement, verdict, reason) => {
    const rule = demand({ control: needs, judge: () => judgement });
    const result = judged(rule, [exchange(), other], [tested, with_]);
    expect({ verdict: result.verdict, reason: result.reason }).toEqual({ verdict, reason });
  });
});

describe('a request that the provider did not process', () => {
  const rule = demand({ judges: ['wrong-token'], judge: () => 'nothing-to-judge' });
  const wrongToken = probe({ name: 'wrong-token', title: 'a wrong token', phase: 'wrong-token' });
  const valid = probe({ phase: 'valid' });
  const toWrongToken = { probe: 'wrong-token', expectation: 'rejected' } as const;

  test.each<[string, readonly Exchange[], Partial<Probe>, string, string]>([
    [
      'blocks the rule, with the reason',
      [exchange({ ...toWrongToken, ...stopped })],
      {},
      'blocked',
      'a wrong token got no response: stopped',
    ],
    [
      'does not apply if the provider throttles only after wrong tokens',
      [exchange({ ...toWrongToken, ...throttled })],
      {},
      'not-applicable',
      'the provider does not respond after wrong tokens, as it is allowed to',
    ],
    [
      'does not apply if the provider throttles only what follows wrong tokens',
      [exchange({ ...toWrongToken, ...throttled })],
      { phase: 'afterwards' },
      'not-applicable',
      'the provider does not respond after wrong tokens, as it is allowed to',
    ],
    [
      'blocks the rule if the provider is overloaded after wrong tokens',
      [exchange({ ...toWrongToken, response: response(503, [['Retry-After', '1']]) })],
      {},
      'blocked',
      'a wrong token was not processed: the response is 503',
    ],
    [
      'does not matter if it was sent again',
      [exchange({ ...toWrongToken, ...throttled, role: 'superseded' })],
      {},
      'blocked',
      'no exchange was judged',
    ],
    [
      'blocks the rule if the provider throttled before',
      [exchange(throttled), exchange({ ...toWrongToken, ...throttled })],
      {},
      'blocked',
      'a wrong token was not processed: the response is 429',
    ],
    [
      'blocks the rule if it has the right token',
      [exchange({ ...toWrongToken, ...throttled })],
      { phase: 'invalid' },
      'blocked',
      'a wrong token was not processed: the response is 429',
    ],
    [
      'does not apply if the requests were concurrent',
      [exchange(throttled), exchange({ ...toWrongToken, ...throttled })],
      { together: true },
      'not-applicable',
      'the provider accepts fewer requests at once, as it is allowed to',
    ],
    [
      'does not matter if the interface leaves it open',
      [exchange({ ...toWrongToken, ...throttled, expectation: 'open' })],
      {},
      'blocked',
      'no exchange was judged',
    ],
  ])('%s', (_what, exchanges, given, verdict, reason) => {
    const result = judged(rule, exchanges, [valid, { ...wrongToken, ...given }]);
    expect(result).toMatchObject({ verdict, reason });
  });

  test('does not matter to a rule about every exchange', () => {
    const about = demand({
      judges: () => true,
      judge: ({ failure }) => (failure === undefined ? undefined : 'nothing-to-judge'),
    });
    expect(judged(about, [exchange(), exchange({ index: 1, ...stopped })]).verdict).toBe('pass');
    const blocked = { ...about, judge: (one: Exchange) => (one.index === 0 ? undefined : { blocked: 'x' }) };
    expect(judged(blocked, [exchange(), exchange({ index: 1 })]).verdict).toBe('pass');
    expect(judged(blocked, [exchange({ index: 1 })]).verdict).toBe('blocked');
  });
});

test.each<[string, readonly Judgement[], string, string | undefined]>([
  ['is blocked rather than not applicable', [{ blocked: 'x' }, { notApplicable: 'y' }], 'blocked', 'x'],
  ['is blocked rather than left open', [{ blocked: 'x' }, { ambiguous: 'y' }], 'blocked', 'x'],
  ['passes if one exchange keeps it', [{ blocked: 'x' }, undefined], 'pass', undefined],
])('a rule about every exchange %s', (_what, judgements, verdict, reason) => {
  const result = judged(judging(judgements, { judges: () => true }), inOrder(judgements));
  expect({ verdict: result.verdict, reason: result.reason }).toEqual({ verdict, reason });
});

describe('a request without a response', () => {
  const reset = { failure: { kind: 'reset', message: 'reset' } } as const;

  test('blocks a rule that names its probe, even if the rule would pass', () => {
    expect(judged(demand(), [exchange(), exchange({ index: 1, ...reset })])).toMatchObject({
      verdict: 'blocked',
      reason: 'a plain plant got no response: reset',
    });
  });

  test('blocks a rule that its probe names', () => {
    const about = demand({ judges: () => true });
    const exchanges = [exchange(), exchange({ index: 1, ...reset })];
    expect(judged(about, exchanges).verdict).toBe('pass');
    expect(judged(about, exchanges, [probe({ rules: [about.id] })]).verdict).toBe('blocked');
  });

  test('blocks no rule about every exchange if it is a 429 instead', () => {
    const about = demand({
      judges: () => true,
      judge: ({ response: got }) => (got?.status === 200 ? undefined : 'nothing-to-judge'),
    });
    const exchanges = [exchange(), exchange({ index: 1, ...throttled, expectation: 'rejected' })];
    expect(judged(about, exchanges, [probe({ rules: [about.id] })]).verdict).toBe('pass');
  });

  test.each<[NonNullable<Exchange['failure']>['kind'], string]>([
    ['reset', 'not-applicable'],
    ['not-connected', 'not-applicable'],
    ['timeout', 'blocked'],
  ])('of several at once, with the failure %s, makes the rule %s', (kind, verdict) => {
    const closed = exchange({ failure: { kind, message: kind }, shared: true });
    const reason = {
      'not-applicable': 'the provider accepts fewer connections at once, as it is allowed to',
      blocked: 'a plain plant got no response: timeout',
    }[verdict];
    expect(judged(demand(), [closed], [probe({ together: true })])).toMatchObject({ verdict, reason });
  });

  test.each<[string, boolean, string]>([
    ['does not apply', true, 'not-applicable'],
    ['blocks the rule', false, 'blocked'],
  ])('%s if its requests are sent at once: %s', (_what, together, verdict) => {
    const closed = exchange({ ...reset, shared: true });
    expect(judged(demand(), [closed], [probe({ together })]).verdict).toBe(verdict);
  });

  test('is judged by a rule about silence', () => {
    const about = demand({ judgesSilence: 'of-a-request', judge: () => problem });
    expect(judged(about, [exchange(reset)]).verdict).toBe('fail');
  });

  test.each<[string, Partial<Exchange['request']>]>([
    ['is not well-formed', { isWellFormed: false }],
    ['is large', { body: Buffer.alloc(2 ** 16 + 1) }],
  ])('does not matter if the request %s', (_what, given) => {
    const request = { ...exchange().request, ...given };
    expect(judged(demand(), [exchange(), exchange({ index: 1, request, ...reset })]).verdict).toBe('pass');
  });
});

test('a request of 64 KiB without a response blocks the rule: it is not large', () => {
  const request = { ...exchange().request, body: Buffer.alloc(2 ** 16) };
  const lost = exchange({ index: 1, request, failure: { kind: 'reset', message: 'reset' } });
  expect(judged(demand(), [exchange(), lost]).verdict).toBe('blocked');
});

describe('a throttled probe', () => {
  const [sent, throttledProbe] = [probe(), probe({ name: 'wrong-token', title: 'a wrong token' })];
  const about = demand({
    judges: ['plain-plant', 'wrong-token'],
    judge: ({ response: got }) => (got?.status === 429 ? 'nothing-to-judge' : undefined),
  });
  const refused = exchange({ index: 1, probe: 'wrong-token', expectation: 'rejected', ...throttled });
  const before = exchange({ role: 'superseded', ...throttled });

  test.each<[string, readonly Exchange[], ReadonlySet<Probe>, string]>([
    [
      'blocks no rule if there was no time to send it again',
      [exchange(), refused],
      new Set([throttledProbe]),
      'pass',
    ],
    ['blocks the rule if there was time', [exchange(), refused], new Set(), 'blocked'],
    ['blocks the rule if it has no other', [refused], new Set([throttledProbe]), 'blocked'],
  ])('%s', (_what, exchanges, cutShort, verdict) => {
    expect(judged(about, [before, ...exchanges], [sent, throttledProbe], undefined, cutShort).verdict).toBe(
      verdict,
    );
  });
});

describe('a probe that cannot be sent', () => {
  const leftOut = new Map([[probe(), 'there is no connection']]);

  test.each<[string, Rule]>([
    ['a demand', demand()],
    ['an observation', observation()],
  ])('makes %s about it not applicable', (_what, rule) => {
    expect(judged(rule, [], [], leftOut)).toMatchObject({
      verdict: 'not-applicable',
      reason: 'there is no connection',
    });
  });

  test('does not excuse a rule about every exchange', () => {
    expect(judged(demand({ judges: () => true }), [], [], leftOut).verdict).toBe('blocked');
  });
});

describe('an observation', () => {
  test('records the behaviour', () => {
    expect(judged(observation(), [exchange()])).toMatchObject({
      verdict: 'observed',
      failures: [],
      behaviour: { sentence: '1 seen', value: '1' },
    });
  });

  test.each<[string, readonly Exchange[], Partial<Parameters<typeof observation>[0]>]>([
    ['nothing was sent', [], {}],
    ['nothing was processed', [exchange(stopped), exchange({ index: 1, ...throttled })], {}],
    ['the rule saw nothing', [exchange()], { observe: () => undefined }],
  ])('does not apply if %s', (_what, exchanges, given) => {
    expect(judged(observation(given), exchanges)).toMatchObject({
      verdict: 'not-applicable',
      failures: [],
      reason: 'nothing was observed',
    });
  });
});

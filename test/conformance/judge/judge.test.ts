import { describe, expect, test } from 'vitest';
import type { Exchange, Judgement } from '../../../src/conformance/exchange.js';
import { Facts } from '../../../src/conformance/judge/facts.js';
import { type JudgedRule, judgeRules } from '../../../src/conformance/judge/judge.js';
import type { Probe } from '../../../src/conformance/row.js';
import type { Demand, Rule } from '../../../src/conformance/rule.js';
import { demand, exchange, type Given, observation, probe, response, sentFor } from '../recorded.js';

const problem = { expected: 'a', actual: 'b' };
const throttled = { response: response(429) };
const reset = { failure: { kind: 'reset', message: 'reset' } } as const;
const stopped = { failure: { kind: 'stopped', message: 'stopped' } } as const;

function judged(
  rule: Rule,
  exchanges: readonly Exchange[],
  probes: readonly Probe[] = [probe()],
  leftOut?: ReadonlyMap<Probe, string>,
): JudgedRule {
  const all = new Set([...probes, ...(leftOut?.keys() ?? [])]);
  const sent = new Map([...all].map((one) => [one, sentFor(rule, one)]));
  const own = (one: Probe): Probe => sent.get(one) ?? one;
  const facts = new Facts(
    probes.map(own),
    exchanges,
    new Map([...(leftOut ?? [])].map(([one, why]) => [own(one), why])),
  );
  const [only] = judgeRules([rule], facts);
  return only as JudgedRule;
}

/** A rule that has these judgements, one for each exchange in order. */
function judging(judgements: readonly Judgement[], given: Given<Demand> = {}): Demand {
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

  test('that throws is an error of ours, and the other rules are judged', () => {
    const throwing = (thrown: unknown) =>
      demand({
        judge() {
          throw thrown;
        },
      });
    const rules = [throwing(new Error('no such field')), throwing('no such field'), demand()];
    const reason = 'the rule itself failed: no such field';
    expect(judgeRules(rules, new Facts([sentFor(demand(), probe())], [exchange()]))).toMatchObject([
      { verdict: 'error', failures: [], reason },
      { verdict: 'error', failures: [], reason },
      { verdict: 'pass' },
    ]);
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
  const rule = demand({ rows: [{ name: 'wrong-token' }], judge: () => 'nothing-to-judge' });
  const wrongToken = probe({ name: 'wrong-token', title: 'a wrong token', phase: 'wrong-token' });
  const valid = probe({ phase: 'valid' });
  const sent = (given: Partial<Exchange>) =>
    exchange({ probe: 'wrong-token', expectation: 'rejected', ...given });
  const slow = sent(throttled);
  const overloaded = sent({ response: response(503, [['Retry-After', '1']]), turnedAway: true });
  const again = sent({ ...throttled, role: 'superseded' });
  const open = sent({ ...throttled, expectation: 'open' });
  const none = 'no exchange was judged';
  const not = (what: string) => `a wrong token was not processed: the response is ${what}`;
  const lost = 'a wrong token got no response: stopped';

  test.each<[string, readonly Exchange[], Partial<Probe>, string, string]>([
    ['blocks the rule, with the reason', [sent(stopped)], {}, 'blocked', lost],
    ['blocks the rule if the provider is overloaded', [overloaded], {}, 'blocked', not('503')],
    ['does not matter if it was sent again', [again], {}, 'blocked', none],
    ['blocks the rule if a limit turned it away', [slow], {}, 'blocked', not('429')],
    ['does not matter if the interface leaves it open', [open], {}, 'blocked', none],
  ])('%s', (_what, exchanges, given, verdict, reason) => {
    const result = judged(rule, exchanges, [valid, { ...wrongToken, ...given }]);
    expect(result).toMatchObject({ verdict, reason });
  });
});

test('that a request is throttled does not matter to a rule that judges every exchange', () => {
  const rows = [{ name: 'wrong-token' }];
  const judge: Demand['judge'] = ({ response: got }) =>
    got?.status === 429 ? 'nothing-to-judge' : undefined;
  const sent = [exchange(), exchange({ index: 1, probe: 'wrong-token', ...throttled })];
  const probes = [probe(), probe({ name: 'wrong-token', phase: 'valid' })];
  expect(judged(demand({ rows, judge }), sent, probes).verdict).toBe('blocked');
  expect(judged(demand({ rows, judge, judges: () => true }), sent, probes).verdict).toBe('pass');
});

describe('a request without a response', () => {
  test('blocks a rule that names its probe, even if the rule would pass', () => {
    expect(judged(demand(), [exchange(), exchange({ index: 1, ...reset })])).toMatchObject({
      verdict: 'blocked',
      reason: 'a plain plant got no response: reset',
    });
  });

  const fewer = 'the provider accepts fewer connections at once, as it is allowed to';
  test.each<[NonNullable<Exchange['failure']>['kind'], boolean, boolean, string, string]>([
    ['reset', true, true, 'not-applicable', fewer],
    ['not-connected', true, true, 'not-applicable', fewer],
    ['timeout', true, true, 'blocked', 'a plain plant got no response: timeout'],
    ['reset', false, true, 'blocked', 'a plain plant got no response: reset'],
    ['reset', true, false, 'blocked', 'a plain plant got no response: reset'],
  ])(
    'with the failure %s (of several at once: %s, beside another: %s) makes the rule %s',
    (kind, together, isShared, verdict, reason) => {
      const closed = exchange({ failure: { kind, message: kind }, shared: isShared });
      expect(judged(demand(), [closed], [probe({ together })])).toMatchObject({ verdict, reason });
    },
  );
});

describe('a request without a response, because the provider stopped,', () => {
  const rule = demand({ rows: [{ name: 'wrong-token' }], everyAttempt: true });
  const last = [2, 3, 4].map((index) => exchange({ index, role: 'confirmation', ...reset }));
  const [why, none] = ['the provider stopped responding after request 1', 'no exchange was judged'];

  test.each<[string, boolean, Partial<Exchange>, Partial<Probe>, string, string]>([
    ['blocks the rule', false, {}, {}, 'blocked', why],
    ['does not if it was among the last', false, {}, { phase: 'heavy' }, 'not-applicable', why],
    ['does not if all others were sent again', true, {}, {}, 'not-applicable', why],
    ['does not matter if it was sent again', true, { role: 'superseded' }, {}, 'blocked', none],
  ])('%s', (_what, isRestarted, given, phase, verdict, reason) => {
    const lost = exchange({ index: 1, probe: 'wrong-token', ...reset, ...given });
    const own = sentFor(rule, probe({ name: 'wrong-token', phase: 'invalid', ...phase }));
    const all = [exchange(), lost, ...last, ...(isRestarted ? [exchange({ index: 5 })] : [])];
    const facts = new Facts([probe(), own], all, new Map(), isRestarted ? [5] : []);
    expect(judgeRules([rule], facts)).toMatchObject([{ verdict, reason }]);
  });
});

test('a large body without a response does not matter: the provider may close the connection meanwhile', () => {
  const ofLength = (length: number) =>
    exchange({ index: 1, ...reset, request: { ...exchange().request, body: Buffer.alloc(length) } });
  expect(judged(demand(), [exchange(), ofLength(2 ** 16 + 1)]).verdict).toBe('pass');
  expect(judged(demand(), [exchange(), ofLength(2 ** 16)]).verdict).toBe('blocked');
});

describe('an unusual request', () => {
  const request = { ...exchange().request, isUnusual: true } as const;
  const verdictOf = (given: Partial<Demand>) =>
    judged(demand({ judge: () => problem, ...given }), [exchange({ request })]).verdict;

  test('is judged by no demand', () => {
    expect(verdictOf({})).toBe('blocked');
    expect(verdictOf({ onNoResponse: 'judge' })).toBe('blocked');
  });

  test('counts if it stops the provider', () =>
    expect(verdictOf({ onNoResponse: 'judge-even-after-stop' })).toBe('fail'));
});

describe('a probe that was not sent', () => {
  const leftOut = new Map([[probe(), 'there was no time for it']]);
  const reason = 'there was no time for it';

  test('blocks a demand, whatever else was judged', () => {
    const rule = demand({ judges: () => true });
    const other = exchange({ probe: 'another' });
    const result = judged(
      rule,
      [other],
      [probe({ name: 'another' })],
      new Map([[sentFor(demand(), probe()), reason]]),
    );
    expect(result).toMatchObject({ verdict: 'blocked', reason });
  });

  test('makes an observation not applicable', () => {
    expect(judged(observation(), [], [], leftOut)).toMatchObject({ verdict: 'not-applicable', reason });
  });
});

describe('a provider that rejects every plain plant from some request on', () => {
  const accepted = exchange({ startMs: 1 });
  const wrong = exchange({
    index: 1,
    probe: 'invalid',
    expectation: 'rejected',
    startMs: 2,
    response: response(400),
  });
  const probes = [probe(), probe({ name: 'invalid', phase: 'invalid' })];
  const facts = new Facts(probes, [accepted, wrong], new Map(), [], true);

  test('proves nothing with what it rejects', () => {
    expect(facts.stop).toMatchObject({ what: 'rejects', after: 1, first: wrong });
    const rule = demand({ rows: [{ name: 'invalid' }] });
    const all = [probe(), sentFor(rule, probe({ name: 'invalid', phase: 'invalid' }))];
    const [result] = judgeRules([rule], new Facts(all, [accepted, wrong], new Map(), [], true));
    expect(result).toMatchObject({
      verdict: 'blocked',
      reason: 'the provider rejected every plain plant after request 1, with 400',
    });
  });

  test('breaks a rule with what it accepts all the same', () => {
    const taken = { ...wrong, response: response(200) };
    const rule = demand({ rows: [{ name: 'invalid' }], judge: () => problem });
    const all = [probe(), sentFor(rule, probe({ name: 'invalid', phase: 'invalid' }))];
    const [result] = judgeRules([rule], new Facts(all, [accepted, taken], new Map(), [], true));
    expect(result?.verdict).toBe('fail');
  });
});

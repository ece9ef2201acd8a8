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
  const overloaded = sent({ response: response(503, [['Retry-After', '1']]) });
  const again = sent({ ...throttled, role: 'superseded' });
  const open = sent({ ...throttled, expectation: 'open' });
  const before = exchange(throttled);
  const [afterTokens, none] = [{ phase: 'afterwards' }, 'no exchange was judged'] as const;
  const silence = 'the provider does not respond after wrong tokens, as it is allowed to';
  const fewer = 'the provider accepts fewer requests at once, as it is allowed to';
  const not = (what: string) => `a wrong token was not processed: the response is ${what}`;
  const lost = 'a wrong token got no response: stopped';

  test.each<[string, readonly Exchange[], Partial<Probe>, string, string]>([
    ['blocks the rule, with the reason', [sent(stopped)], {}, 'blocked', lost],
    ['may be throttled after wrong tokens only', [slow], {}, 'not-applicable', silence],
    ['may be throttled if it follows wrong tokens', [slow], afterTokens, 'not-applicable', silence],
    ['blocks the rule if the provider is overloaded', [overloaded], {}, 'blocked', not('503')],
    ['does not matter if it was sent again', [again], {}, 'blocked', none],
    ['blocks the rule if the provider throttled before', [before, slow], {}, 'blocked', not('429')],
    ['blocks the rule if it has the right token', [slow], { phase: 'invalid' }, 'blocked', not('429')],
    ['may be one of several at once', [before, slow], { together: true }, 'not-applicable', fewer],
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
});

describe('an observation', () => {
  test('records the behaviour, of its own probes', () => {
    const probes = [probe(), probe({ name: 'wrong-token' })];
    const some = [exchange(throttled), exchange({ index: 1, step: 1 })];
    const other = exchange({ index: 2, probe: 'wrong-token' });
    const behaviour = { sentence: '2 seen', value: '2' };
    const observed = { verdict: 'observed', failures: [], behaviour };
    expect(judged(observation(), [...some, other], probes)).toMatchObject(observed);
  });

  test.each<[string, readonly Exchange[], Partial<Parameters<typeof observation>[0]>]>([
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

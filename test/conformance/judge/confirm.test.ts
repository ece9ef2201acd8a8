import { describe, expect, test } from 'vitest';
import type { Exchange, Judgement } from '../../../src/conformance/exchange.js';
import { Facts } from '../../../src/conformance/judge/facts.js';
import { brokenBy, judgeAndConfirm, judgeRules } from '../../../src/conformance/judge/judge.js';
import type { Probe } from '../../../src/conformance/row.js';
import type { Demand } from '../../../src/conformance/rule.js';
import { creation, demand, exchange, probe, response, sentFor } from '../recorded.js';

const problem = { expected: '200', actual: 'another' };
/** A rule that every exchange but a 200 breaks. */
const not200 = demand({
  judges: () => true,
  judge: ({ response: got }) => (got?.status === 200 ? undefined : problem),
});
/** A rule that every exchange of the check breaks, and whose confirmations have a judgement. */
const broken = (again?: Judgement): Demand =>
  demand({ judges: () => true, judge: ({ role }) => (role === 'confirmation' ? again : problem) });
const gets = (status: number, given: Partial<Exchange> = {}): Exchange =>
  exchange({ response: response(status), ...given });
const again = (one: Exchange): Exchange => ({ ...one, role: 'confirmation' });
const instead = (one: Exchange): Exchange => ({ ...one, role: 'judged' });

/**
 * Judges a check, and sends what failed once more.
 *
 * @param rounds what comes of it each time. What is `judged` supersedes the earlier exchanges of its probe.
 */
async function confirmed(
  rule: Demand,
  first: readonly Exchange[],
  ...rounds: readonly (readonly Exchange[])[]
) {
  const probes = [...new Set(first.map((one) => one.probe))].map((name) => probe({ name }));
  const asked: (readonly string[])[] = [];
  let all = first;
  const result = await judgeAndConfirm(
    () => {
      const facts = new Facts(probes, all);
      return { facts, judged: judgeRules([rule], facts) };
    },
    async (failed) => {
      asked.push(failed.map(({ name }) => name));
      const sent = rounds[asked.length - 1] ?? [];
      const isReplaced = (old: Exchange) =>
        sent.some((one) => one.role === 'judged' && one.probe === old.probe);
      all = [
        ...all.map((one): Exchange => (isReplaced(one) ? { ...one, role: 'superseded' } : one)),
        ...sent,
      ];
      return sent;
    },
  );
  const repeated = [...result.again].map(([failure, isRepeated]) => [failure.exchange.probe, isRepeated]);
  return { asked, repeated, verdict: result.judged[0]?.verdict };
}

describe('a failure that is sent once more', () => {
  const withoutId = { request: { headers: [], body: Buffer.from('{}') } };
  const notSent = { failure: { kind: 'not-sent', message: '' } } as const;

  test.each<[string, readonly boolean[], Demand, Exchange, Exchange]>([
    ['repeats if it comes again', [true], not200, gets(500), gets(500)],
    ['does not repeat if it does not', [false], not200, gets(500), gets(200)],
    ['proves nothing with another request of its probe', [], not200, gets(500), gets(200, { step: 1 })],
    ['proves nothing with another probe', [], not200, gets(500), gets(200, { probe: 'wrong-token' })],
    ['proves nothing if it is throttled', [], not200, gets(500), gets(429)],
    ['proves nothing if it is not sent', [], not200, gets(500), exchange(notSent)],
    ['proves nothing if it cannot be judged', [], broken('nothing-to-judge'), gets(500), gets(400)],
    [
      'proves nothing if the provider chose an id, which may exist now',
      [],
      not200,
      gets(201, withoutId),
      gets(200),
    ],
    ['does not repeat if the provider stored nothing', [false], not200, gets(500, withoutId), gets(200)],
  ])('%s', async (_what, repeated, rule, first, then) => {
    const result = await confirmed(rule, [first], [again(then)]);
    expect(result.repeated.map(([, isRepeated]) => isRepeated)).toEqual(repeated);
  });

  const known = { request: { ...exchange().request, idMayExist: true } } as const;
  test.each<[string, boolean, Exchange]>([
    ['is not sent if its id exists now, as in every check', false, gets(200, known)],
    ['nor if it was rejected with that id', false, gets(400, known)],
    ['but is sent if the provider failed', true, gets(500, known)],
    ['but is sent if the id is fresh', true, gets(200)],
    ['is not sent if it was superseded', false, gets(500, { role: 'superseded' })],
  ])('%s', async (_what, isSent, one) => {
    const { asked } = await confirmed({ ...broken(), everyAttempt: true }, [one]);
    expect(asked).toEqual(isSent ? [['plain-plant']] : []);
  });

  test.each<[string, Exchange['request'], number, number]>([
    ['three of each rule', exchange().request, 5, 3],
    ['all of valid plants, up to twenty', creation, 20, 20],
    ['three of valid plants, if more than twenty fail', creation, 21, 3],
  ])('is one of %s', async (_what, request, many, sent) => {
    const failed = Array.from({ length: many }, (_, index) =>
      gets(500, { index, probe: `strings/${index}`, request }),
    );
    const { asked } = await confirmed(not200, failed);
    expect(asked).toEqual([failed.slice(0, sent).map((one) => one.probe)]);
  });
});

describe('what fails', () => {
  const [a, b] = [{ probe: 'a' }, { probe: 'b' }];

  test('does not count if another attempt is judged instead', async () => {
    const result = await confirmed(not200, [gets(500, a)], [instead(gets(200, a))]);
    expect(result).toEqual({ asked: [['a']], repeated: [], verdict: 'pass' });
  });

  test('is sent a second time if another attempt was judged instead, and counts by the last one', async () => {
    const rounds = [[instead(gets(200, a)), again(gets(500, b))], [again(gets(200, b))], []];
    const result = await confirmed(not200, [gets(500, a), gets(500, b)], ...rounds);
    expect(result).toEqual({ asked: [['a', 'b'], ['b']], repeated: [['b', false]], verdict: 'fail' });
  });

  test('counts by the first attempt if there is no second one, and is sent twice at most', async () => {
    const rounds = [
      [instead(gets(500, a)), again(gets(500, b))],
      [instead(gets(500, a))],
      [instead(gets(200, a))],
    ];
    const result = await confirmed(not200, [gets(500, a), gets(500, b)], ...rounds);
    expect(result).toEqual({
      asked: [
        ['a', 'b'],
        ['a', 'b'],
      ],
      repeated: [['b', true]],
      verdict: 'fail',
    });
  });
});

test('a drawn row breaks the rules that it is sent for, and those that judge it', () => {
  const drawn: Probe = probe({ name: 'strings/drawn' });
  const own = demand({ id: 'request/name-is-required', judge: () => problem });
  const rules = [not200, own, demand({ id: 'request/id-is-required', judge: () => problem })];
  const found = (one: Probe, status: number) =>
    brokenBy(rules, one, [gets(status, { probe: one.name })], new Facts([], [])).map(({ id }) => id);
  expect(found(drawn, 500)).toEqual([not200.id]);
  expect(found(drawn, 200)).toEqual([]);
  expect(found(sentFor(own, { ...drawn, name: 'plain-plant' }), 200)).toEqual([own.id]);
});

// Goes with src/conformance/judging/judge.ts (judging one probe): it tests how that works. Whoever replaces it deletes this file.
import { describe, expect, test } from 'vitest';
import type { Exchange, Judgement } from '../../../src/conformance/exchange.js';
import { Facts } from '../../../src/conformance/judge/facts.js';
import { judgeProbe } from '../../../src/conformance/judge/judge.js';
import type { Context, Demand } from '../../../src/conformance/rule.js';
import { demand, exchange, probe, response } from '../recorded.js';

const problem = { expected: 'a', actual: 'b' };
const tested = probe({ name: 'wrong-token', control: 'plain-plant' });
const sent = exchange({ probe: 'wrong-token', index: 1 });
const silent = exchange({ probe: 'wrong-token', index: 1, failure: { kind: 'reset', message: '' } });
const run = new Facts([probe()], [exchange()]);

function broken(given: Partial<Demand>, one: Exchange = sent, facts = run): number {
  const rule = demand({ judge: () => problem, ...given });
  return judgeProbe([rule], tested, [one], facts).length;
}

test('every rule judges every exchange of the probe', () => {
  const second = { ...sent, index: 2, step: 1 };
  const rules = [
    demand({ judge: () => problem }),
    demand({ judge: ({ step }) => (step ? problem : undefined) }),
  ];
  expect(judgeProbe(rules, tested, [sent, second], run)).toEqual([
    { rule: rules[0], failure: { exchange: sent, ...problem } },
    { rule: rules[0], failure: { exchange: second, ...problem } },
    { rule: rules[1], failure: { exchange: second, ...problem } },
  ]);
});

test.each<[Judgement]>([
  [undefined],
  ['nothing-to-judge'],
  [{ blocked: 'x' }],
  [{ notApplicable: 'x' }],
  [{ error: 'x' }],
])('%j breaks no rule', (judgement) => {
  expect(broken({ judge: () => judgement })).toBe(0);
});

test('no rule judges an unusual request', () => {
  expect(broken({}, { ...sent, request: { ...sent.request, isUnusual: true } })).toBe(0);
});

test('a rule sees the exchanges of the probe, and beside them those of the run', () => {
  const second = { ...sent, step: 1 };
  const seen: Context[] = [];
  const rule = demand({ judge: (_exchange, context) => void seen.push(context) });
  const earlier = exchange({ probe: 'wrong-token', response: response(400) });
  const facts = new Facts([probe(), tested], [exchange(), earlier]);
  judgeProbe([rule], tested, [sent, second], facts);
  expect(seen).toHaveLength(2);
  for (const context of seen) {
    expect(context.probe).toBe(tested);
    expect(context.sequence).toEqual([sent, second]);
    expect(context.facts.of('wrong-token')).toEqual([sent, second]);
    expect(context.facts.of('plain-plant')).toEqual([exchange()]);
  }
  expect(facts.of('wrong-token')).toEqual([earlier]);
});

describe('if the control of the probe was rejected,', () => {
  const rejected = new Facts([probe()], [exchange({ response: response(400) })]);

  test.each<[string, Demand['control'], Facts, number]>([
    ['a rule that needs it for any verdict is not judged', 'for-any-verdict', rejected, 0],
    ['a rule that needs it for a pass is', 'for-a-pass', rejected, 1],
    ['a rule that needs none is', 'none', rejected, 1],
    ['but not otherwise: a rule that needs it is judged', 'for-any-verdict', run, 1],
  ])('%s', (_what, control, facts, expected) => {
    expect(broken({ control }, sent, facts)).toBe(expected);
  });
});

describe('a request without a response', () => {
  const ofEvery = { judges: () => true };

  test.each<[string, Partial<Demand>, number]>([
    ['breaks no rule that names its probe', {}, 0],
    ['breaks a rule about silence', { onNoResponse: 'judge' }, 1],
    ['may break a rule about every exchange', ofEvery, 1],
  ])('%s', (_what, given, expected) => {
    expect(broken(given, silent)).toBe(expected);
  });

  test('breaks no rule that its probe names', () => {
    const rule = demand({ ...ofEvery, judge: () => problem });
    expect(judgeProbe([rule], { ...tested, rules: [rule.id] }, [silent], run)).toEqual([]);
  });
});

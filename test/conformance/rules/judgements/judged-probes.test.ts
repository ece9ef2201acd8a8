import { describe, expect, test } from 'vitest';
import type { Expectation } from '../../../../src/conformance/exchange.js';
import type { Phase } from '../../../../src/conformance/probe.js';
import { concerns } from '../../../../src/conformance/rule.js';
import { type RuleId, rules } from '../../../../src/conformance/rules/index.js';
import { probe } from '../../recorded.js';

function isJudged(id: RuleId, expectation: Expectation, phase: Phase = 'invalid'): boolean {
  return rules.some((rule) => rule.id === id && concerns(rule, probe({ expectation, phase })));
}

describe('of the exchanges of a probe', () => {
  test.each<RuleId>(['success/valid-plant-is-processed', 'state/no-intermittent-failures'])(
    '%s judges those that may be valid',
    (id) => {
      expect([isJudged(id, 'created'), isJudged(id, 'open'), isJudged(id, 'rejected')]).toEqual([
        true,
        true,
        false,
      ]);
      expect([isJudged(id, 'rejected', 'recovery'), isJudged(id, 'rejected', 'state')]).toEqual([true, true]);
    },
  );

  test.each<RuleId>(['success/status-is-200', 'success/name-comes-back', 'success/absent-tag-stays-absent'])(
    '%s judges no rejections',
    (id) => {
      expect([isJudged(id, 'created'), isJudged(id, 'open'), isJudged(id, 'rejected')]).toEqual([
        true,
        true,
        false,
      ]);
    },
  );

  test.each<RuleId>([
    'failure/refusal-is-4xx',
    'failure/body-is-an-error',
    'state/provider-keeps-responding',
    'state/answers-do-not-mix',
  ])('%s judges all', (id) => {
    expect([isJudged(id, 'created'), isJudged(id, 'open'), isJudged(id, 'rejected')]).toEqual([
      true,
      true,
      true,
    ]);
  });
});

import { describe, expect, test } from 'vitest';
import type { Expectation } from '../../../../src/conformance/exchange.js';
import type { Phase } from '../../../../src/conformance/probe.js';
import type { RuleId } from '../../../../src/conformance/rule.js';
import { concerns } from '../../../../src/conformance/rule.js';
import { rules } from '../../../../src/conformance/topics/index.js';
import { probe } from '../../recorded.js';

function isJudged(id: RuleId, expectation: Expectation, phase: Phase = 'invalid'): boolean {
  return rules.some((rule) => rule.id === id && concerns(rule, probe({ expectation, phase })));
}

const all = ['created', 'open', 'rejected'] as const;

describe('of the exchanges of a probe', () => {
  test.each<[RuleId, string, readonly Expectation[]]>([
    ['success/valid-plant-is-processed', 'no rejections', ['created', 'open']],
    ['state/no-intermittent-failures', 'no rejections', ['created', 'open']],
    ['success/status-is-200', 'no rejections', ['created', 'open']],
    ['success/name-comes-back', 'no rejections', ['created', 'open']],
    ['success/absent-tag-stays-absent', 'no rejections', ['created', 'open']],
    ['failure/rare-input-is-answered', 'all that are no everyday mistakes', all],
    ['failure/body-is-an-error', 'all', all],
    ['state/provider-keeps-responding', 'all', all],
    ['state/answers-do-not-mix', 'all', all],
  ])('%s judges %s', (id, _which, expected) => {
    expect(all.filter((expectation) => isJudged(id, expectation))).toEqual(expected);
  });

  test.each<RuleId>(['success/valid-plant-is-processed', 'state/no-intermittent-failures'])(
    '%s judges rejections that may be valid plants',
    (id) => {
      expect(isJudged(id, 'rejected', 'recovery')).toBe(true);
      expect(isJudged(id, 'rejected', 'state')).toBe(true);
    },
  );
});

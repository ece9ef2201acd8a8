import type { CheckOptions } from 'plant-store-contract/conformance';
import type { FaultName } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { schemaErrors } from '../../report/formats/schema.js';
import { checkStore, token } from '../checks.js';

describe('spec/report.schema.json describes the report', () => {
  test.for<[string, FaultName[], Partial<CheckOptions>]>([
    ['of some rules', [], { only: ['auth', 'unspecified'] }],
    [
      'with an expectation that is kept',
      [],
      { expectedFailures: [{ rule: 'success/status-is-200', reason: 'r' }], only: ['success'] },
    ],
    ['of a wrong token', [], { token: 'wrong' }],
    ['of several faults, with Prism', ['leaks-id', 'answers-problem-json', 'mixes-answers'], { prism: true }],
  ])('%s', async ([_what, faults, options]) => {
    expect(schemaErrors(await checkStore(faults, { ...options }))).toEqual([]);
  });

  test('but not a report with an unknown member, or with a rule with its evidence', async () => {
    const report = await checkStore([], { only: ['success'] });
    const [rule] = report.rules;
    const [group] = report.groups;
    const failing = { ...group?.cases[0], verdict: 'fail' };
    for (const wrong of [
      { secret: token },
      { kind: 'proxy' },
      { rules: [{ ...rule, evidence: [] }] },
      { groups: [{ ...group, cases: [failing] }] },
    ])
      expect(schemaErrors({ ...report, ...wrong }), Object.keys(wrong).join()).not.toEqual([]);
  });
});

describe('bodies in a report', () => {
  const bodyOf = async (probe: string) => {
    const report = await checkStore([], { only: [`unspecified/${probe}`] });
    return report.exchanges.find(({ name }) => name === probe)?.request.body;
  };

  test('are cut if they are long, and say so', async () => {
    const large = await bodyOf('large-body');
    expect(large?.wholeBytes).toBeGreaterThan(2 ** 20);
    expect(large?.text.length).toBe(16 * 1024);
  });

  test('are in base64 if they are not UTF-8', async () => {
    const body = await bodyOf('malformed-utf-8');
    expect(body?.encoding).toBe('base64');
    expect(Buffer.from(body?.text ?? '', 'base64').includes(0xe9)).toBe(true);
  });
});

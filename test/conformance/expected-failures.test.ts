import { type ExpectedFailure, rules } from 'plant-store-contract/conformance';
import type { FaultName } from 'plant-store-contract/server';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { checkStore } from './checks.js';

const demands = rules.filter(({ id }) => id.startsWith('success/')).length;
const LEAK: ExpectedFailure = { rule: 'success/plant-fields-only', reason: 'clients still read the id' };

const check = (faults: readonly FaultName[], expectedFailures: readonly ExpectedFailure[]) =>
  checkStore(faults, { expectedFailures, only: ['success'] });

describe('expected failures', () => {
  test('do not count, and are marked as expected', async () => {
    const report = await check(['leaks-id'], [LEAK]);
    expect(report.conclusion).toBe('expected-failures');
    expect(report.summary).toContain(
      `The provider satisfies ${demands - 1} of ${demands} judged rules. Expected failures: 1. `,
    );
    const rule = report.rules.find(({ id }) => id === LEAK.rule);
    expect(rule).toMatchObject({ verdict: 'fail', excuse: { kind: 'expected', reason: LEAK.reason } });
  });

  test('hide no other failure', async () => {
    const report = await check(['leaks-id', 'drops-tag'], [LEAK]);
    expect(report.conclusion).toBe('does-not-conform');
    expect(report.summary).toContain('breaks 1 of');
  });

  test('are an error if the rule passes', async () => {
    const report = await check([], [LEAK]);
    expect(report.conclusion).toBe('outdated-expectations');
    expect(report.summary).toContain(
      'Expected failures now pass: success/plant-fields-only. Remove them from the list.',
    );
  });

  test('count to the end of their last day, and no longer', async () => {
    onTestFinished(() => void vi.useRealTimers());
    const expectation = { ...LEAK, until: '2026-02-28' };
    vi.setSystemTime('2026-02-28T23:59:59Z');
    expect((await check(['leaks-id'], [expectation])).conclusion).toBe('expected-failures');
    vi.setSystemTime('2026-03-01T00:00:00Z');
    const late = await check(['leaks-id'], [expectation]);
    expect(late.conclusion).toBe('does-not-conform');
    expect(late.notes.join()).toContain('and now counts');
  });

  test.each([
    [{ rule: 'success/nothing', reason: 'r' }, '/0/rule names an unknown rule: "success/nothing"'],
    [{ rule: 'unspecified/repeated-id', reason: 'r' }, 'which cannot fail'],
    [{ ...LEAK, reason: ' ' }, '/0/reason must be a text that says why it is not fixed yet'],
    [{ rule: LEAK.rule }, '/0/reason must be a text'],
    [{ ...LEAK, until: '2026-2-3' }, '/0/until must be a day that exists, as YYYY-MM-DD; got "2026-2-3"'],
    [{ ...LEAK, until: '2026-02-30' }, '/0/until must be a day that exists'],
    [{ ...LEAK, untill: '2026-02-20' }, '/0/untill is not known'],
    [null, '/0/rule names an unknown rule: undefined'],
  ])('%j is rejected', async (entry, sentence) => {
    await expect(check([], [entry as ExpectedFailure])).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringContaining(sentence),
    });
  });

  test.each([null, 5, 'success/status-is-200', {}])('%j is no list of them', async (list) => {
    await expect(check([], list as unknown as readonly ExpectedFailure[])).rejects.toThrow('must be a list');
  });

  test('cannot be listed twice', async () => {
    await expect(check([], [LEAK, LEAK])).rejects.toThrow('names success/plant-fields-only again');
  });
});

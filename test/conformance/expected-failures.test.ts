import { checkConformance, type ExpectedFailure } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';

const token = 'token-of-these-tests';
const LEAK: ExpectedFailure = { rule: 'success/plant-fields-only', reason: 'clients still read the id' };

async function check(
  faults: readonly ('leaks-id' | 'drops-tag')[],
  expectedFailures: readonly ExpectedFailure[],
) {
  await using store = await startPlantStore({ token, faults });
  return await checkConformance({ baseUrl: store.url, token, expectedFailures, prism: false });
}

describe('failures that are expected', () => {
  test('do not count, and are told as what they are', async () => {
    const report = await check(['leaks-id'], [LEAK]);
    expect(report.conclusion).toBe('known-failures');
    expect(report.summary).toBe('The provider keeps 47 rules; 1 rule fails as expected.');
    const rule = report.rules.find(({ id }) => id === LEAK.rule);
    expect(rule).toMatchObject({ verdict: 'fail', expectedFailure: { reason: LEAK.reason } });
  });

  test('hide no other failure', async () => {
    const report = await check(['leaks-id', 'drops-tag'], [LEAK]);
    expect(report.conclusion).toBe('breaks-rules');
    expect(report.summary).toContain('breaks 1 of');
  });

  test('are an error where the rule is kept after all', async () => {
    const report = await check([], [LEAK]);
    expect(report.conclusion).toBe('outdated-list');
    expect(report.summary).toContain('success/plant-fields-only. Take them off the list.');
  });

  test('count to the end of their last day, and no longer', async () => {
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
    expect((await check(['leaks-id'], [{ ...LEAK, until: day(1) }])).conclusion).toBe('known-failures');
    const late = await check(['leaks-id'], [{ ...LEAK, until: day(-1) }]);
    expect(late.conclusion).toBe('breaks-rules');
    expect(late.notes[0]).toContain('and counts again');
  });

  test.each([
    [{ rule: 'success/nothing', reason: 'r' }, 'names no rule: "success/nothing"'],
    [{ rule: 'unspecified/repeated-id', reason: 'r' }, 'which cannot fail'],
    [{ ...LEAK, reason: ' ' }, 'gives no reason'],
    [{ ...LEAK, until: '2026-02-30' }, 'must give the last day as YYYY-MM-DD'],
    [{ ...LEAK, untill: '2026-02-20' }, 'has a field that is not known: "untill"'],
    [null, 'is no object'],
  ])('%j is refused', async (entry, sentence) => {
    await expect(check([], [entry as ExpectedFailure])).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringContaining(sentence),
    });
  });

  test('are listed once each', async () => {
    await expect(check([], [LEAK, LEAK])).rejects.toThrow('a second time');
  });
});

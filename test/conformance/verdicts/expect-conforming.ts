import { type CheckOptions, type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { casesOf } from 'plant-store-contract/reporters';
import { expect } from 'vitest';
import { isBroken } from '../../../src/report/conclusion.js';

export const token = 'a-token-of-these-tests';

/** What a report says against the provider, with the reasons. */
function complaints(report: CheckReport): string[] {
  return casesOf(report)
    .filter((one) => isBroken(one) || one.verdict === 'blocked' || one.verdict === 'error')
    .flatMap(({ id, verdict, detail, evidence }) =>
      evidence.length === 0
        ? [`${id} ${verdict}: ${detail}`]
        : evidence.map(({ sent, expected, actual }) => `${id} ${verdict}: ${sent}, ${expected}, ${actual}`),
    );
}

/**
 * Expects that no rule says anything against the provider at a URL. Prism is not asked: its opinion changes no verdict. The
 * timeout is long, in case the machine is busy.
 */
export async function expectConforming(baseUrl: string, options: Partial<CheckOptions> = {}): Promise<void> {
  const report = await checkConformance({
    baseUrl,
    token,
    prism: false,
    timeoutMs: 20_000,
    timeLimitMs: 300_000,
    ...options,
  });
  expect(report.conclusion, report.summary).not.toBe('not-testable');
  expect(complaints(report)).toEqual([]);
  expect(report.conclusion).toBe('conforms');
}

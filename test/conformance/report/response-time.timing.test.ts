import { type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { casesOf, exitStatus, reporters } from 'plant-store-contract/reporters';
import { type Failure, type FaultName, startPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { schemaErrors } from '../../report/formats/schema.js';

const ID = 'house/max-response-time';
const token = 'token-of-these-tests';

/** Checks a provider whose first response is late. */
async function checkSlow(
  first: Failure | undefined,
  options: object,
  faults: readonly FaultName[] = [],
): Promise<CheckReport> {
  await using store = await startPlantStore({ token, faults });
  if (first !== undefined) store.next(first);
  return await checkConformance({ baseUrl: store.url, token, prism: false, ...options });
}

const caseIn = (report: CheckReport) => casesOf(report).find(({ id }) => id === ID);

test('a slow response breaks the house rule, and no rule of the interface', async () => {
  const report = await checkSlow({ delayMs: 900 }, { maxResponseTimeMs: 800, only: ['success', 'request'] });
  expect(report.rules.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(report.rules.map(({ id }) => String(id))).not.toContain(ID);
  expect(report.conclusion).toBe('breaks-house-rules');
  expect(exitStatus(report.conclusion)).toBe(1);
  expect(report.summary).toMatch(
    /^The provider satisfies all \d+ rules that apply to it\. It breaks 1 house rule: /,
  );
  expect(schemaErrors(report)).toEqual([]);
  const slow = caseIn(report);
  expect(slow).toMatchObject({ verdict: 'fail', level: 'house' });
  for (const { exchanges, expected } of slow?.evidence ?? []) {
    expect(report.exchanges[exchanges?.[0] ?? -1]?.durationMs).toBeGreaterThan(800);
    expect(expected).toBe('a response within 800 ms');
  }
  const finding = report.findings[slow?.evidence[0]?.finding ?? -1];
  expect(finding).toMatchObject({
    id: ID,
    title: 'A house rule is broken: No response takes longer than 800 ms.',
    impact: 'house',
    cases: [ID],
  });
  for (const name of ['text', 'markdown', 'html', 'junit', 'github'] as const)
    expect(reporters[name](report), name).toContain(ID);
});

test('a provider that is fast enough satisfies it, and without the option there is no such rule', async () => {
  const report = await checkSlow(undefined, { maxResponseTimeMs: 5_000 });
  expect(caseIn(report)?.verdict).toBe('pass');
  expect(report.conclusion).toBe('conforms');
  expect(caseIn(await checkSlow(undefined, {}))).toBeUndefined();
});

test('a response that never comes is too slow', async () => {
  const report = await checkSlow(
    { connection: 'hang' },
    { maxResponseTimeMs: 400, timeoutMs: 500, only: ['success'] },
  );
  expect(caseIn(report)?.evidence[0]?.actual).toMatch(/^none after \d+ ms$/);
});

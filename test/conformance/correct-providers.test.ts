import { type CheckOptions, checkConformance, type Report } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { startCorrect } from './providers/correct/provider.js';
import { serial, slow } from './providers/correct/traffic.js';
import * as variations from './providers/correct/variations.js';
import { hasPython, startPython } from './providers/python.js';

const token = 'a-token-of-these-tests';

/** The rules that say something against a provider, and what. */
function complaints({ rules }: Report): string[] {
  return rules
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'blocked' || verdict === 'error')
    .flatMap(({ id, verdict, reason, failures }) =>
      failures.length === 0
        ? [`${id} ${verdict}: ${reason}`]
        : failures.map(({ probe, expected, actual }) => `${id} ${verdict}: ${probe}, ${expected}, ${actual}`),
    );
}

/** That no rule says anything against it. */
async function expectConforming(baseUrl: string, options: Partial<CheckOptions> = {}): Promise<void> {
  const report = await checkConformance({ baseUrl, token, ...options });
  expect(report.conclusion, report.summary).not.toBe('not-testable');
  expect(complaints(report)).toEqual([]);
  expect(report.conclusion).toBe('conforms');
}

describe('a correct provider breaks no rule where', () => {
  const { statuses, stores, plants, authentication, limits, writings, traffic } = variations;
  const all = { ...statuses, ...stores, ...plants, ...authentication, ...limits, ...writings, ...traffic };

  test.for(Object.entries(all))('%s', async ([, variation]) => {
    await using provider = await startCorrect(token, variation);
    await expectConforming(provider.url);
  });

  // Most of the time nothing is done but waiting: side by side, they take as long as the slowest.
  test.concurrent.for(Object.entries(variations.throttling))(
    '%s',
    { timeout: 60_000 },
    async ([, variation]) => {
      await using provider = await startCorrect(token, variation);
      await expectConforming(provider.url);
    },
  );

  test('16 requests that wait in line take longer than the time-out', { timeout: 60_000 }, async () => {
    await using provider = await startCorrect(token, { layers: () => [serial(), slow(40)] });
    await expectConforming(provider.url, { timeoutMs: 500 });
  });
});

describe('a correct provider breaks no rule when it is checked a second time and', () => {
  test.for(Object.entries(variations.stores))('%s', async ([, variation]) => {
    await using provider = await startCorrect(token, variation);
    await checkConformance({ baseUrl: provider.url, token });
    await expectConforming(provider.url);
  });
});

describe.skipIf(!hasPython)("a correct provider on Python's standard library (python3 is needed)", () => {
  test.for([
    ['closes each connection, as HTTP/1.0 does', 'http10'],
    ['keeps connections', 'http11'],
    ['has one thread', 'single'],
    ['has one thread, and keeps connections', 'single+http11'],
  ] as const)('breaks no rule where it %s', async ([, variation]) => {
    await using provider = await startPython(token, variation);
    await expectConforming(provider.url);
  });
});

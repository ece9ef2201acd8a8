import { type CheckOptions, type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { casesOf } from 'plant-store-contract/reporters';
import { describe, expect, test, vi } from 'vitest';
import { hasPython } from '../../tools.js';
import type { Variation } from '../providers/correct/provider.js';
import { startCorrect } from '../providers/correct/provider.js';
import { strings } from '../providers/correct/strings.js';
import { serial, slow } from '../providers/correct/traffic.js';
import * as variations from '../providers/correct/variations.js';
import { startPython } from '../providers/python.js';

const token = 'a-token-of-these-tests';

// Most of the time these tests wait, so they run at the same time. The slowest are first.
vi.setConfig({ maxConcurrency: 10 });

/** The verdicts of a report that say something against the provider, with the reasons. */
function complaints(report: CheckReport): string[] {
  return casesOf(report)
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'blocked' || verdict === 'error')
    .flatMap(({ id, verdict, detail, evidence }) =>
      evidence.length === 0
        ? [`${id} ${verdict}: ${detail}`]
        : evidence.map(({ sent, expected, actual }) => `${id} ${verdict}: ${sent}, ${expected}, ${actual}`),
    );
}

/** Checks a provider. Prism is not asked: its opinion changes no verdict. The timeout is long, in case the machine is busy. */
async function reportOn(baseUrl: string, options: Partial<CheckOptions> = {}): Promise<CheckReport> {
  return await checkConformance({ baseUrl, token, prism: false, timeoutMs: 20_000, ...options });
}

function expectConforms(report: CheckReport): void {
  expect(report.conclusion, report.summary).not.toBe('not-testable');
  expect(complaints(report)).toEqual([]);
  expect(report.conclusion).toBe('conforms');
}

const expectConforming = async (baseUrl: string): Promise<void> => expectConforms(await reportOn(baseUrl));

const MOST_TRIES = 3;

/** Expects that no rule says anything against a provider. If there was no time for some rules, a new one is checked. */
async function expectCorrect(variation: Variation, options?: Partial<CheckOptions>): Promise<void> {
  for (let tries = 1; ; tries++) {
    await using provider = await startCorrect(token, variation);
    const report = await reportOn(provider.url, options);
    if (tries < MOST_TRIES && complaints(report).length > 0 && lacksTime(report)) continue;
    expectConforms(report);
    return;
  }
}

/** On a busy machine, a provider that is slow leaves a check no time for its last requests. */
function lacksTime({ exchanges }: CheckReport): boolean {
  return exchanges.some(
    ({ failure }) => failure?.kind === 'not-sent' && failure.message.includes('the check had run for'),
  );
}

// Before the others, which would slow them down: a check does not wait for such a provider without end.
describe('a correct provider breaks no rule if', () => {
  test.concurrent.for(Object.entries(variations.throttling))('%s', async ([, variation]) =>
    expectCorrect(variation),
  );
});

describe('a correct provider also breaks no rule if', { concurrent: true }, () => {
  const { statuses, stores, plants, authentication, fields, limits, writings, traffic, transfers } =
    variations;
  const others = {
    ...{ ...traffic, ...authentication, ...fields, ...statuses },
    ...{ ...plants, ...strings, ...limits, ...writings, ...transfers },
  };

  test.for(Object.entries(others))('%s', async ([, variation]) => expectCorrect(variation));

  test.for(Object.entries(stores))('%s, in a second check too', async ([, variation]) => {
    await using provider = await startCorrect(token, variation);
    await expectConforming(provider.url);
    await expectConforming(provider.url);
  });

  test.skipIf(!hasPython).for([
    ['closes each connection, as HTTP/1.0 does', 'http10'],
    ['keeps connections', 'http11'],
    ['has one thread', 'single'],
    ['has one thread, and keeps connections', 'single+http11'],
  ] as const)("it uses Python's standard library and %s (needs python3)", async ([, variation]) => {
    await using provider = await startPython(token, variation);
    await expectConforming(provider.url);
  });
});

// Alone: a request of this provider may take almost the whole timeout.
test('a correct provider breaks no rule if 16 requests that wait in line take longer than the timeout', async () =>
  expectCorrect({ layers: () => [serial(), slow(40)] }, { timeoutMs: 500 }));

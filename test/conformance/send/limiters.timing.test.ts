import { checkConformance } from 'plant-store-contract/conformance';
import { casesOf } from 'plant-store-contract/reporters';
import { describe, expect, test, vi } from 'vitest';
import { fixedWindow, leaky, type Refusal, refusals, tokenBucket } from '../providers/correct/limiters.js';
import { type Layer, startCorrect } from '../providers/correct/provider.js';

const token = 'a-token-of-these-tests';

// Each check waits most of the time, so all of them run at once.
vi.setConfig({ maxConcurrency: 12 });

const PER_SECOND = 30;
const limiters = {
  'a fixed window of a second': (refuse) => fixedWindow(PER_SECOND, refuse),
  'a bucket of ten tokens': (refuse) => tokenBucket(PER_SECOND, 10, refuse),
  'a least distance between requests': (refuse) => leaky(PER_SECOND, refuse),
} as const satisfies Record<string, (refuse: Refusal) => Layer>;

type Case = readonly [keyof typeof limiters, keyof typeof refusals];
const cases: readonly Case[] = [
  ['a fixed window of a second', '429 and a date'],
  ['a fixed window of a second', '429 alone'],
  ['a fixed window of a second', '503 and seconds'],
  ['a bucket of ten tokens', '429 and seconds'],
  ['a bucket of ten tokens', '429 alone'],
  ['a least distance between requests', '429 and seconds'],
  ['a least distance between requests', '429 alone'],
];

describe('a check', { concurrent: true }, () => {
  test.for(cases)(
    'ends with a verdict if the provider limits its rate with %s, and %s',
    async ([limiter, refusal]) => {
      const layer = limiters[limiter](refusals[refusal]);
      await using provider = await startCorrect(token, { layers: () => [layer] });
      const report = await checkConformance({
        ...{ baseUrl: provider.url, token, prism: false, timeoutMs: 20_000 },
      });
      // There may be no time for every warning.
      const complaints = casesOf(report).filter(
        ({ verdict, severity }) => verdict === 'fail' || (verdict === 'blocked' && severity !== 'warning'),
      );
      expect(complaints.map(({ id, detail }) => `${id}: ${detail}`)).toEqual([]);
      expect(report.conclusion).toBe('conforms');
    },
  );

  test('does not exceed the rate that the user sets', async () => {
    const most = tokenBucket(120, 30, refusals['429 alone']);
    await using provider = await startCorrect(token, { layers: () => [most] });
    const report = await checkConformance({
      ...{ baseUrl: provider.url, token, prism: false, rate: 100 },
    });
    expect(report.exchanges.filter(({ response }) => response?.status === 429)).toEqual([]);
    expect(report.conclusion).toBe('conforms');
  });
});

import { checkConformance } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { fixedWindow, refusals, tokenBucket } from '../providers/correct/limiters.js';
import { startCorrect } from '../providers/correct/provider.js';
import { startHandler } from '../providers/handler.js';
import { refuse } from '../providers/in-front.js';

const token = 'a-token-of-these-tests';
const options = { token, prism: false, timeoutMs: 20_000 } as const;

// These take up to a minute, whatever else the machine does, and wait almost all of it.
describe('a check', { concurrent: true }, () => {
  test('waits for a limit, sends everything, and says how often it was turned away', async () => {
    const layer = fixedWindow(60, refusals['429 and seconds'], 5_000);
    await using provider = await startCorrect(token, { layers: () => [layer] });
    const report = await checkConformance({ ...options, baseUrl: provider.url });
    expect(report.conclusion).toBe('conforms');
    expect(report.summary).not.toContain('were sent');
    expect(report.notes.join('\n')).toMatch(
      /^The provider turned \d+ requests? away with 429\. The check waited, and sent them again\.$/m,
    );
  });

  test('that has too little time says so, and how much it needs', async () => {
    const layer = tokenBucket(4, 60, refusals['503 of nginx']);
    await using provider = await startCorrect(token, { layers: () => [layer] });
    const report = await checkConformance({ ...options, baseUrl: provider.url, timeLimitMs: 20_000 });
    expect(report.rules.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(report.conclusion).toBe('incomplete');
    expect(report.summary).toMatch(
      /\d+ of \d+ requests were sent: the provider limits how many requests it accepts, and the time limit was over\. Lift its limit for the check, or give it more time, about \d+ s: --time-limit \d+s\./,
    );
  });

  // As express-rate-limit does with its usual options.
  test('ends soon if the provider asks to wait longer than there is time', async () => {
    const layer = fixedWindow(100, refusals['429 and seconds'], 900_000);
    await using provider = await startCorrect(token, { layers: () => [layer] });
    const report = await checkConformance({ ...options, baseUrl: provider.url });
    expect(report.rules.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(report.conclusion).toBe('incomplete');
    expect(report.exchanges.length).toBeLessThan(200);
    expect(report.summary).toMatch(
      /\d+ of \d+ requests were sent: then the provider asked to wait \d+ s\. Lift its limit for the check\./,
    );
  });

  test('exceeds the rate that the user sets in no second', async () => {
    await using provider = await startCorrect(token, {});
    const report = await checkConformance({
      ...options,
      baseUrl: provider.url,
      rate: 20,
      only: ['state', 'auth/wrong-token-is-refused'],
    });
    expect(report.conclusion).toBe('conforms');
    const starts = report.exchanges.map(({ startMs }) => startMs).sort((a, b) => a - b);
    const inSecond = starts.map((from) => starts.filter((at) => at >= from && at < from + 1_000).length);
    expect(Math.max(...inSecond)).toBeLessThanOrEqual(20);
    expect(Math.max(...inSecond)).toBeGreaterThan(10);
  });

  test('of a provider that responds to everything with 429 says so first', async () => {
    await using provider = await startHandler((request, response) => {
      request.resume();
      refuse(response, 429);
    });
    const { conclusion, summary } = await checkConformance({ ...options, baseUrl: provider.url });
    expect(conclusion).toBe('not-testable');
    expect(summary).toContain(
      'it returns 429 to every plain plant. Lift its limit for the check, or send fewer requests with --rate.',
    );
  });
});

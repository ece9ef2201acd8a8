import { checkConformance } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { fixedWindow, refusals, tokenBucket } from '../providers/correct/limiters.js';
import { startCorrect } from '../providers/correct/provider.js';
import { startHandler } from '../providers/handler.js';
import { refuse } from '../providers/in-front.js';

const token = 'a-token-of-these-tests';

// These take half a minute, whatever else the machine does, and wait almost all of it.
describe('a check', { concurrent: true }, () => {
  test('that is whole ends with a verdict at 12 requests per second, and says what it left out', async () => {
    const layer = fixedWindow(12, refusals['429 and seconds']);
    await using provider = await startCorrect(token, { layers: () => [layer] });
    const report = await checkConformance({ baseUrl: provider.url, token, prism: false, timeoutMs: 20_000 });
    expect(report.conclusion).toBe('conforms');
    expect(report.summary).toMatch(
      /\d+ of \d+ requests were sent: the provider limits its rate, to about \d+ requests per second\.$/,
    );
  });

  test.each([
    [
      '60 requests a minute and a burst of 60',
      () => tokenBucket(1, 60, refusals['503 of nginx']),
      'the provider limits its rate, ',
    ],
    [
      '90 requests and then none',
      () => fixedWindow(90, refusals['503 of nginx'], 600_000),
      'then every request got 503. Lift the limit of the provider for the check, ',
    ],
  ])(
    'behind nginx with %s judges what people need to know, and blames nobody for a 503',
    async (_what, limiter, why) => {
      const layer = limiter();
      await using provider = await startCorrect(token, { layers: () => [layer] });
      const report = await checkConformance({
        baseUrl: provider.url,
        token,
        prism: false,
        timeoutMs: 20_000,
      });
      const ofDemands = report.rules.filter(({ level }) => level === 'documented' || level === 'implied');
      expect(ofDemands.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
      const unjudged = ofDemands.filter(({ verdict }) => verdict === 'blocked' || verdict === 'error');
      expect(unjudged.filter(({ level }) => level === 'documented').map(({ id }) => id)).toEqual([]);
      // The last ones are those after wrong tokens, for which a busy machine leaves no time.
      expect(unjudged.length).toBeLessThan(25);
      expect(report.summary).toMatch(/\d+ of \d+ requests were sent: /);
      expect(report.summary).toContain(why);
    },
  );

  // As express-rate-limit does with its usual options.
  test('of a provider that accepts 100 requests in 15 minutes ends soon, and judges what is documented', async () => {
    const layer = fixedWindow(100, refusals['429 and seconds'], 900_000);
    await using provider = await startCorrect(token, { layers: () => [layer] });
    const report = await checkConformance({
      ...{ baseUrl: provider.url, token, prism: false, timeoutMs: 20_000, timeLimitMs: 300_000 },
    });
    expect(report.rules.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    const unjudged = report.rules.filter(({ verdict }) => verdict === 'blocked' || verdict === 'error');
    expect(unjudged.filter(({ severity }) => severity !== 'warning')).toEqual([]);
    expect(report.conclusion).toBe('conforms');
    expect(report.exchanges.length).toBeLessThan(200);
    expect(report.summary).toMatch(
      /\d+ of \d+ requests were sent: the provider limits its rate, and accepted no more\. Lift its limit for the check\.$/,
    );
  });

  test('does not exceed the rate that the user sets', async () => {
    const most = tokenBucket(120, 30, refusals['429 alone']);
    await using provider = await startCorrect(token, { layers: () => [most] });
    const report = await checkConformance({ baseUrl: provider.url, token, prism: false, rate: 100 });
    expect(report.exchanges.filter(({ response }) => response?.status === 429)).toEqual([]);
    expect(report.conclusion).toBe('conforms');
  });

  test('of a provider that responds to everything with 429 says so first', async () => {
    await using provider = await startHandler((request, response) => {
      request.resume();
      refuse(response, 429);
    });
    const options = { baseUrl: provider.url, token, prism: false, timeoutMs: 2_000 };
    const { summary } = await checkConformance(options);
    expect(summary).toMatch(
      /returns 429, .*Lift its limit for the check, or send fewer requests with --rate\./,
    );
  });
});

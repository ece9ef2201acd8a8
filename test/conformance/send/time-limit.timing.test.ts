import { checkConformance } from 'plant-store-contract/conformance';
import { describe, test } from 'vitest';
import { counted } from '../../../src/report/wording.js';
import { fixedWindow, refusals, tokenBucket } from '../providers/correct/limiters.js';
import { type Layer, startCorrect } from '../providers/correct/provider.js';
import { perSecond, slow } from '../providers/correct/traffic.js';

const token = 'a-token-of-these-tests';
const LIMIT_MS = 6_000;
const MINUTE_MS = 60_000;

// Each of these waits almost all of its time.
describe('a check ends within its time limit if the provider', { concurrent: true }, () => {
  test.for<[string, () => Layer]>([
    [
      'accepts 60 requests a minute, and returns 429',
      () => fixedWindow(60, refusals['429 of nginx'], MINUTE_MS),
    ],
    [
      'accepts 60 requests a minute, and returns 503',
      () => fixedWindow(60, refusals['503 of nginx'], MINUTE_MS),
    ],
    ['accepts 60 requests, and then one a second', () => tokenBucket(1, 60, refusals['429 of nginx'])],
    [
      'says how long to wait, and that is long',
      () => fixedWindow(60, refusals['429 and seconds'], MINUTE_MS),
    ],
    ['always asks for a second more', () => perSecond(3)],
    ['takes 4 s for a response', () => slow(4_000)],
    ['never responds', () => slow(MINUTE_MS)],
  ])('%s', async ([, layer], { expect }) => {
    await using provider = await startCorrect(token, { layers: () => [layer()] });
    const { exchanges, summary, remarks } = await checkConformance({
      baseUrl: provider.url,
      token,
      prism: false,
      timeLimitMs: LIMIT_MS,
    });
    // Then it judges. On a busy machine, that takes a while.
    const sent = exchanges.filter(({ failure }) => failure?.kind !== 'not-sent');
    const lastEnd = Math.max(...sent.map(({ startMs, durationMs }) => startMs + durationMs));
    expect(lastEnd).toBeLessThan(LIMIT_MS - 1_000);
    expect(sent.length).toBeGreaterThan(0);
    const isTestable = exchanges.some(({ response }) => response !== undefined);
    expect(/ requests were sent/.test(summary)).toBe(isTestable);
    expect(remarks[0]).toMatch(`The check sent ${counted(sent.length, 'request')} and created`);
  });
});

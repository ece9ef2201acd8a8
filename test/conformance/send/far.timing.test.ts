import { setTimeout as sleep } from 'node:timers/promises';
import { type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { expect, test } from 'vitest';
import { startInFront } from '../providers/in-front.js';

const token = 'a-token-of-these-tests';

/** How many requests of each row are judged. */
function judged({ exchanges }: CheckReport): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { name, role } of exchanges) if (role === 'judged') counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

async function checked(delayOf: (count: number) => number): Promise<CheckReport> {
  let count = 0;
  await using provider = await startInFront({ token }, async ({ pass }) => {
    const ms = delayOf(count++);
    if (ms > 0) await sleep(ms);
    return pass();
  });
  return await checkConformance({ baseUrl: provider.url, token, prism: false });
}

test('a provider that is far at first, and then near, gets the same requests as another, each once', async () => {
  const report = await checked((count) => (count < 30 ? 150 : 0));
  expect(report.conclusion).toBe('conforms');
  expect(judged(report)).toEqual(judged(await checked(() => 0)));
});

test('a provider that processes one request after the other never gets so many that they would time out', async () => {
  let underWay = 0;
  let most = 0;
  let last = Promise.resolve();
  await using provider = await startInFront({ token }, async ({ pass }) => {
    most = Math.max(most, ++underWay);
    const before = last;
    last = before.then(() => sleep(120)).then(pass);
    await last.finally(() => underWay--);
  });
  const report = await checkConformance({ baseUrl: provider.url, token, prism: false, timeLimitMs: 15_000 });
  expect(report.rules.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(most).toBeLessThan(16);
});

import { describe, expect, test } from 'vitest';
import { measured } from './measured.js';
import { type AttackName, startHostileProvider } from './provider.js';

/** What a check may take, whatever it receives. */
const MOST_MEGABYTES = 300;
const MOST_SECONDS = 45;

/** A few, and few requests: `npm run torture` sends more of both. They fill memory in different ways. */
const FEW: readonly AttackName[] = [
  '849 KiB of unknown fields',
  'one key of 1 MB, and one key 150,000 times',
  'JSON that is 400,000 levels deep',
  'gzip of 1.9 MB of fields',
];

describe('a check of a provider that sends', () => {
  test.each(FEW)('%s', async (attack) => {
    await using provider = await startHostileProvider(attack);
    const only = ['--only', 'request/name-is-required,success/tag-is-optional'];
    const args = ['check', provider.url, '--token', 'secret', ...only, '--reporter', 'json'];
    const { status, stdout, megabytes } = await measured(args);
    expect(megabytes).toBeLessThan(MOST_MEGABYTES);
    expect(status).toBe(1);
    const report = JSON.parse(stdout);
    expect(report.durationMs).toBeLessThan(MOST_SECONDS * 1000);
    expect(report.conclusion).toBe('does-not-conform');
    expect(stdout.length).toBeLessThan(20e6);
  });

  test('849 KiB of unknown fields ends within 2 s of SIGTERM', async () => {
    await using provider = await startHostileProvider('849 KiB of unknown fields');
    let stoppedAt = 0;
    const { seconds, status } = await measured(['check', provider.url, '--token', 'secret'], {
      onOutput(pid) {
        if (stoppedAt !== 0) return;
        stoppedAt = -1;
        setTimeout(() => {
          stoppedAt = performance.now();
          process.kill(pid, 'SIGTERM');
        }, 1_500);
      },
    });
    expect((performance.now() - stoppedAt) / 1000).toBeLessThan(2.5);
    expect(seconds).toBeLessThan(20);
    expect(status).not.toBe(0);
  });
});

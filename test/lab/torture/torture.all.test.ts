import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { built } from '../../once.js';
import { PARTS } from './parts.mjs';
import { attempt, tableOf } from './run.mjs';

/** A part of each attack that takes seconds. */
const SCALES: Readonly<Record<keyof typeof PARTS, number>> = {
  signals: 0.17,
  'mutated-files': 0.05,
  memory: 0.32,
  framing: 0.03,
  splitting: 0.03,
  'slow-clients': 0.1,
  floods: 0.45,
};

/** Other programs may keep the machine busy. `npm run torture` keeps to the limits as they are. */
const PATIENCE = 5;

describe('the package withstands', () => {
  test.each(Object.entries(SCALES))(
    '%s',
    async (name, scale) => {
      const dist = await built();
      const { broken } = await attempt(PARTS[name as keyof typeof PARTS], {
        dist,
        scale,
        patience: PATIENCE,
      });
      expect(broken).toEqual([]);
    },
    400_000,
  );
});

describe('the table of attacks', () => {
  const part = { title: 'an attack', count: 10, limit: 'nothing breaks', seconds: 1 };
  const held = { ...part, run: async () => ({ worst: '1', broken: [] }) };

  test('shows what held and what broke', async () => {
    const broke = { ...part, run: async () => ({ worst: '2', broken: ['this one'] }) };
    const rows = [
      await attempt(held, { dist: '', scale: 1 }),
      await attempt(broke, { dist: '', scale: 0.5 }),
    ];
    expect(tableOf(rows).split('\n').slice(1, 3)).toEqual([
      'an attack  10     nothing breaks  1      0 s   1 s      held',
      'an attack  5      nothing breaks  2      0 s   1 s      BROKEN 1 times',
    ]);
  });

  test('shows an attack as broken if it takes too long', async () => {
    const { broken } = await attempt({ ...held, seconds: -1 }, { dist: '', scale: 1 });
    expect(broken).toEqual(['it took 0 s, more than -1 s']);
  });

  test('takes 10 minutes at most', () => {
    const seconds = Object.values(PARTS).reduce((sum, one) => sum + one.seconds, 0);
    expect(seconds).toBeLessThanOrEqual(600);
  });

  test('a usage error gives the status 2', () => {
    const main = new URL('main.mjs', import.meta.url).pathname;
    const { status, stderr } = spawnSync(process.execPath, [main, 'nonsense'], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([2, expect.stringContaining('there is no part "nonsense"')]);
  });
});

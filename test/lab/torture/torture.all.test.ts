import { describe, expect, test } from 'vitest';
import { built } from '../../once.js';
import { PARTS } from './parts.mjs';
import { attempt, tableOf } from './run.mjs';

/** A part of each attack that takes seconds. */
const SCALES: Readonly<Record<keyof typeof PARTS, number>> = {
  signals: 0.1,
  memory: 0.1,
  framing: 0.03,
  splitting: 0.03,
  floods: 0.3,
};

/** Other programs may keep the machine busy. `npm run torture` keeps to the limits as they are. */
const PATIENCE = 5;

test.each(Object.entries(SCALES))('the package withstands %s', async (name, scale) => {
  const part = PARTS[name as keyof typeof PARTS];
  const { broken } = await attempt(part, { dist: await built(), scale, patience: PATIENCE });
  expect(broken).toEqual([]);
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
});

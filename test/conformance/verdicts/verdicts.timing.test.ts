import { expect, test, vi } from 'vitest';
import { subjects } from './subjects.js';
import { readTable } from './table.js';

const table = readTable();

// These wait for half a minute each.
vi.setConfig({ maxConcurrency: 12 });

test.concurrent.for(subjects.filter(({ waits }) => waits))('$name', async ({ name, check }) =>
  expect(await check()).toEqual(table[name]),
);

test.for(subjects.filter(({ isTimed, waits }) => isTimed && !waits))('$name', async ({ name, check }) =>
  expect(await check()).toEqual(table[name]),
);

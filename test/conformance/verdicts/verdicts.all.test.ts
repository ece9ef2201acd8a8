import { expect, test, vi } from 'vitest';
import { subjects } from './subjects.js';
import { readTable } from './table.js';

// Starts first: it checks each fault and each correct provider.

// Some of these wait, so a few run at the same time. With more of them, a check ends by its time limit on a busy machine.
vi.setConfig({ maxConcurrency: 4 });

const table = readTable();

test.concurrent.for(subjects.filter(({ when, isMissing }) => when === 'any' && !isMissing))(
  '$name',
  async ({ name, check }) => expect(await check()).toEqual(table[name]),
);

import { expect, test, vi } from 'vitest';
import { subjects } from './subjects.js';
import { readTable } from './table.js';

// Starts first: it checks each correct provider. verdicts.all.test.ts checks the faults, on another core.

// Some of these wait, so a few run at the same time. With more of them, a check ends by its time limit on a busy machine.
vi.setConfig({ maxConcurrency: 4 });

const table = readTable();
const correct = subjects.filter(
  ({ name, when, isMissing }) => when === 'any' && !name.startsWith('fault: ') && !isMissing,
);

test.concurrent.for(correct)('$name', async ({ name, check }) => expect(await check()).toEqual(table[name]));

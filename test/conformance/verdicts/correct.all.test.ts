import { expect, test } from 'vitest';
import { subjects } from './subjects.js';
import { readTable } from './table.js';

// Starts first: it checks each correct provider. verdicts.all.test.ts checks the faults, on another core.

const table = readTable();
const correct = subjects.filter(
  ({ name, when, isMissing }) => when === 'any' && !name.startsWith('fault: ') && !isMissing,
);

test.concurrent.for(correct)('$name', async ({ name, check }) => expect(await check()).toEqual(table[name]));

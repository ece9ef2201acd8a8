import { test } from 'vitest';
import { isAsInTable } from './as-in-table.js';
import { subjects } from './subjects.js';

// Starts first: it checks each correct provider. verdicts.all.test.ts checks the faults, on another core.

const correct = subjects.filter(
  ({ name, when, isMissing }) => when === 'any' && !name.startsWith('fault: ') && !isMissing,
);

test.concurrent.for(correct)('$name', isAsInTable);

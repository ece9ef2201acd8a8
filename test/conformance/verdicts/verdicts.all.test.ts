import { test } from 'vitest';
import { isAsInTable } from './as-in-table.js';
import { subjects } from './subjects.js';

// Starts first: it checks each fault. correct.all.test.ts checks the correct providers, on another core.

const faults = subjects.filter(({ name, when }) => when === 'any' && name.startsWith('fault: '));

test.concurrent.for(faults)('$name', isAsInTable);

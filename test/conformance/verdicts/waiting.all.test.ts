import { test } from 'vitest';
import { isAsInTable } from './as-in-table.js';
import { subjects } from './subjects.js';

// Starts first: each of these waits for a minute, and needs no core for it.

const waiting = subjects.filter(({ when }) => when === 'waiting');

test.concurrent.for(waiting)('$name', isAsInTable);

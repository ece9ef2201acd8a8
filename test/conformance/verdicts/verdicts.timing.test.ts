import { test } from 'vitest';
import { isAsInTable } from './as-in-table.js';
import { subjects } from './subjects.js';

const alone = subjects.filter(({ when }) => when === 'alone');

test.for(alone)('$name', isAsInTable);

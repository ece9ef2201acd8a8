import { expect, test } from 'vitest';
import { subjects } from './subjects.js';
import { readTable } from './table.js';

// Starts first: it checks each fault. correct.all.test.ts checks the correct providers, on another core.

const table = readTable();
const faults = subjects.filter(({ name, when }) => when === 'any' && name.startsWith('fault: '));

test.concurrent.for(faults)('$name', async ({ name, check }) => expect(await check()).toEqual(table[name]));

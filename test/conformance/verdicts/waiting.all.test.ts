import { expect, test } from 'vitest';
import { subjects } from './subjects.js';
import { readTable } from './table.js';

// Starts first: each of these waits for a minute, and needs no core for it.

const table = readTable();
const waiting = subjects.filter(({ when }) => when === 'waiting');

test.concurrent.for(waiting)('$name', async ({ name, check }) => expect(await check()).toEqual(table[name]));

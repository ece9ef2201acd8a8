import { expect, test } from 'vitest';
import { subjects } from './subjects.js';
import { readTable } from './table.js';

const table = readTable();
const alone = subjects.filter(({ when }) => when === 'alone');

test.for(alone)('$name', async ({ name, check }) => expect(await check()).toEqual(table[name]));

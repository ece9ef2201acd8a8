import { expect, test } from 'vitest';
import { subjects } from './subjects.js';
import { readTable } from './table.js';

const table = readTable();

test.for(subjects.filter(({ isTimed }) => isTimed))('$name', async ({ name, check }) =>
  expect(await check()).toEqual(table[name]),
);

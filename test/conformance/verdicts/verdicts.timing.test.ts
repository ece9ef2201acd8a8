import { expect, test } from 'vitest';
import { type Subject, subjects } from './subjects.js';
import { readTable } from './table.js';

const table = readTable();
const checkedWhen = (when: Subject['when']) => subjects.filter((subject) => subject.when === when);

test.concurrent.for(checkedWhen('waiting'))('$name', async ({ name, check }) =>
  expect(await check()).toEqual(table[name]),
);

test.for(checkedWhen('alone'))('$name', async ({ name, check }) =>
  expect(await check()).toEqual(table[name]),
);

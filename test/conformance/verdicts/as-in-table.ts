import { expect } from 'vitest';
import type { Subject } from './subjects.js';
import { readTable } from './table.js';

const table = readTable();

/** Checks a subject, and compares its verdicts with those of the table. */
export async function isAsInTable({ name, check }: Subject): Promise<void> {
  expect(await check()).toEqual(table[name]);
}

import { readFileSync } from 'node:fs';
import type { Verdicts } from './subjects.js';

/** Where the table is. `npm run verdicts` writes it. */
export const TABLE = new URL('table.json', import.meta.url);

/** The verdicts of each subject, by its name. */
export function readTable(): Readonly<Record<string, Verdicts>> {
  return JSON.parse(readFileSync(TABLE, 'utf8'));
}

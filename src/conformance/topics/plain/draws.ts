import type * as FastCheck from 'fast-check';
import type { DrawnRow } from '../../row.js';
import { plainRows } from './rows.js';

/** Draws plain plants, with a tag and without one. */
export function drawPlain(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  return fc
    .constantFrom(...plainRows)
    .map(({ title, requests }) => ({ name: 'plain/drawn', title, rules: [], control: false, requests }));
}

import type * as FastCheck from 'fast-check';
import type { DrawnRow } from '../../row.js';
import { tokens } from '../tokens.js';

/** Draws missing and wrong tokens, for each rule as often as for another. */
export function drawTokens(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  const kinds = (tokens.rules ?? []).flatMap(({ id, rows, drawn }) =>
    drawn === undefined ? [] : [{ id, lists: [rows, drawn] }],
  );
  return fc.oneof(
    ...kinds.map(({ id, lists }) =>
      fc
        .oneof(...lists.map((rows) => fc.constantFrom(...rows)))
        .map(({ title, expectation, phase, control, requests }) => ({
          ...({ name: 'tokens/drawn', title, expectation, phase, control, requests } as DrawnRow),
          rules: [id],
        })),
    ),
  );
}

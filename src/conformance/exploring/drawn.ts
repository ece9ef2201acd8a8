import type * as FastCheck from 'fast-check';
import { type DrawnRequest, loaded } from '../packing.js';
import type { DrawnRow } from '../row.js';
import { drawFromFamilies } from '../topics/index.js';
import { drawIdValue, drawTexts } from '../topics/values.js';

/** Draws requests from all families, and the values that they carry. */
export function drawRequests(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRequest> {
  return drawLoaded(fc, drawFromFamilies(fc));
}

/** Draws values for rows that have room for them. */
export function drawLoaded(
  fc: typeof FastCheck,
  row: FastCheck.Arbitrary<DrawnRow>,
): FastCheck.Arbitrary<DrawnRequest> {
  const id = fc.option(drawIdValue(fc), { nil: undefined, freq: 2 });
  return fc
    .tuple(row, drawTexts(fc), id)
    .map(([carrier, texts, idValue]) => loaded(carrier, idValue === undefined ? texts : [...texts, idValue]));
}

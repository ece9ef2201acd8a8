import type * as FastCheck from 'fast-check';
import type { FamilyName, Probe } from '../probe.js';
import { type CoreRow, type DrawnRow, probeOf } from '../row.js';
import { bundleRows } from './bundles.js';
import { drawHeaders, headerRows } from './headers/rows.js';
import { drawIds, idRows } from './ids/rows.js';
import { drawJsonTexts } from './json-texts/draws.js';
import { jsonTextRows } from './json-texts/rows.js';
import { drawKeys } from './keys/draws.js';
import { keyRows } from './keys/rows.js';
import { drawPlain, plainRows } from './plain/rows.js';
import { drawRejections, rejectionRows } from './rejections/rows.js';
import { drawSequences, drawVolume, sequenceRows, volumeRows } from './state/rows.js';
import { stringRows } from './strings/rows.js';
import { drawTokens } from './tokens/draws.js';
import { tokens } from './tokens.js';
import { rowsOf } from './topic.js';
import { drawTransport, transportRows } from './transport/rows.js';
import { drawTypes, typeRows } from './types/rows.js';

/** Draws rows, biased to what breaks programs. */
export type DrawRows = (fc: typeof FastCheck) => FastCheck.Arbitrary<DrawnRow>;

/** A dimension of the input: what every check sends of it, and how often exploring draws more of it, and how. */
interface Family {
  /** In the order in which they are sent within a phase. */
  readonly core: readonly CoreRow[];
  readonly weight: number;
  readonly draw?: DrawRows;
}

/** Every family, in the order in which their probes are sent. */
export const families: Readonly<Record<FamilyName, Family>> = {
  // These are sent for what they carry: strings and ids.
  plain: { core: plainRows, weight: 5, draw: drawPlain },
  strings: { core: [...stringRows, ...bundleRows], weight: 0 },
  ids: { core: idRows, weight: 2, draw: drawIds },
  types: { core: typeRows, weight: 3, draw: drawTypes },
  keys: { core: keyRows, weight: 3, draw: drawKeys },
  'json-texts': { core: jsonTextRows, weight: 3, draw: drawJsonTexts },
  headers: { core: headerRows, weight: 2, draw: drawHeaders },
  rejections: { core: rejectionRows, weight: 2, draw: drawRejections },
  // These take long: segments come with pauses, and sequences have many requests.
  transport: { core: transportRows, weight: 1, draw: drawTransport },
  sequences: { core: sequenceRows, weight: 1, draw: drawSequences },
  volume: { core: volumeRows, weight: 1, draw: drawVolume },
  tokens: { core: rowsOf(tokens), weight: 2, draw: drawTokens },
};

const rows = Object.values(families).flatMap(({ core }) => core);

/** Every core probe. They are sent phase by phase. The probes of one phase start in this order. */
export const probes: readonly Probe[] = rows.map((row) => probeOf(row));

/** Draws rows from all families. */
export function drawFromFamilies(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  const weighted = Object.values(families).flatMap(({ weight, draw }) =>
    draw === undefined ? [] : [{ weight, arbitrary: draw(fc) }],
  );
  return fc.oneof(...weighted);
}

import type { FamilyName, Probe } from '../probe.js';
import { type CoreRow, probeOf } from '../row.js';
import { bundleRows } from './bundles.js';
import { headerRows } from './headers/rows.js';
import { idRows } from './ids/rows.js';
import { jsonTextRows } from './json-texts/rows.js';
import { keyRows } from './keys/rows.js';
import { plainRows } from './plain/rows.js';
import { rejectionRows } from './rejections/rows.js';
import { sequenceRows, volumeRows } from './state/rows.js';
import { stringRows } from './strings/rows.js';
import { tokens } from './tokens.js';
import { rowsOf } from './topic.js';
import { transportRows } from './transport/rows.js';
import { typeRows } from './types/rows.js';

/** A dimension of the input: what every check sends of it, in the order in which it is sent within a phase. */
export const families: Readonly<Record<FamilyName, readonly CoreRow[]>> = {
  plain: plainRows,
  strings: [...stringRows, ...bundleRows],
  ids: idRows,
  types: typeRows,
  keys: keyRows,
  'json-texts': jsonTextRows,
  headers: headerRows,
  rejections: rejectionRows,
  transport: transportRows,
  sequences: sequenceRows,
  volume: volumeRows,
  tokens: rowsOf(tokens),
};

const rows = Object.values(families).flat();

/** Every core probe. They are sent phase by phase. The probes of one phase start in this order. */
export const probes: readonly Probe[] = rows.map((row) => probeOf(row));

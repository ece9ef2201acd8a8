import type { FamilyName, Probe } from '../probe.js';
import { type CoreRow, probeOf } from '../row.js';
import { bundleRows } from './bundles.js';
import { headers } from './headers.js';
import { idRows } from './ids/rows.js';
import { jsonTextRows } from './json-texts/rows.js';
import { keyRows } from './keys/rows.js';
import { rejections } from './rejections.js';
import { sequences } from './sequences.js';
import { stringRows } from './strings/rows.js';
import { success } from './success.js';
import { tokens } from './tokens.js';
import { merged, rowsOf } from './topic.js';
import { transport } from './transport.js';
import { typeRows } from './types/rows.js';

/** A dimension of the input: what every check sends of it, in the order in which it is sent within a phase. */
export const families: Readonly<Partial<Record<FamilyName, readonly CoreRow[]>>> = {
  plain: rowsOf(success),
  strings: [...stringRows, ...bundleRows],
  ids: idRows,
  types: typeRows,
  keys: keyRows,
  'json-texts': jsonTextRows,
  headers: rowsOf(headers),
  rejections: rowsOf(rejections),
  transport: rowsOf(transport),
  sequences: rowsOf(sequences),
  tokens: rowsOf(tokens),
};

const rows = merged(Object.values(families).flat());

/** Every core probe. They are sent phase by phase. The probes of one phase start in this order. */
export const probes: readonly Probe[] = rows.map((row) => probeOf(row));

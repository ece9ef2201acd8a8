import type { Probe } from '../probe.js';
import { probeOf } from '../row.js';
import { FAMILIES, type Family, type FamilyName } from './families.js';
import { headerRows } from './headers/rows.js';
import { idRows } from './ids/rows.js';
import { jsonTextRows } from './json-texts/rows.js';
import { keyRows } from './keys/rows.js';
import { plainRows } from './plain/rows.js';
import { rejectionRows } from './rejections/rows.js';
import { sequenceRows, volumeRows } from './state/rows.js';
import { stringRows } from './strings/rows.js';
import { tokenRows } from './tokens/rows.js';
import { transportRows } from './transport/rows.js';
import { typeRows } from './types/rows.js';

const core = {
  plain: plainRows.map((row) => probeOf(row)),
  strings: stringRows.map((row) => probeOf(row)),
  ids: idRows.map((row) => probeOf(row)),
  types: typeRows.map((row) => probeOf(row)),
  keys: keyRows.map((row) => probeOf(row)),
  'json-texts': jsonTextRows.map((row) => probeOf(row)),
  headers: headerRows.map((row) => probeOf(row)),
  rejections: rejectionRows.map((row) => probeOf(row)),
  transport: transportRows.map((row) => probeOf(row)),
  sequences: sequenceRows.map((row) => probeOf(row)),
  volume: volumeRows.map((row) => probeOf(row)),
  tokens: tokenRows.map((row) => probeOf(row)),
} satisfies Record<FamilyName, readonly Probe[]>;

/** Every family, in the order in which their probes are sent. */
export const families: readonly Family[] = (Object.keys(FAMILIES) as FamilyName[]).map((name) => ({
  name,
  title: FAMILIES[name],
  core: core[name],
}));

/** Every core probe. They are sent phase by phase. The probes of one phase start in this order. */
export const probes: readonly Probe[] = families.flatMap((family) => family.core);

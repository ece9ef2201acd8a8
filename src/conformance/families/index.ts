import type { Probe } from '../probe.js';
import { probeOf } from '../row.js';
import { headerRows } from '../topics/headers/rows.js';
import { idRows } from '../topics/ids/rows.js';
import { jsonTextRows } from '../topics/json-texts/rows.js';
import { keyRows } from '../topics/keys/rows.js';
import { plainRows } from '../topics/plain/rows.js';
import { rejectionRows } from '../topics/rejections/rows.js';
import { sequenceRows, volumeRows } from '../topics/state/rows.js';
import { stringRows } from '../topics/strings/rows.js';
import { tokenRows } from '../topics/tokens/rows.js';
import { transportRows } from '../topics/transport/rows.js';
import { typeRows } from '../topics/types/rows.js';
import { FAMILIES, type Family, type FamilyName } from './family.js';

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

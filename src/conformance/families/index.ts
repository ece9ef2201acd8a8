import type { Probe } from '../probe.js';
import { probeOf } from '../row.js';
import { idRows } from '../topics/ids/rows.js';
import { keyRows } from '../topics/keys/rows.js';
import { plainRows } from '../topics/plain/rows.js';
import { rejectionRows } from '../topics/rejections/rows.js';
import { stringRows } from '../topics/strings/rows.js';
import { tokenRows } from '../topics/tokens/rows.js';
import { typeRows } from '../topics/types/rows.js';
import { FAMILIES, type Family, type FamilyName } from './family.js';
import { headerProbes } from './headers/index.js';
import { jsonTextProbes } from './json-texts/index.js';
import { sequenceProbes } from './sequences.js';
import { transportProbes } from './transport.js';
import { volumeProbes } from './volume.js';

const core = {
  plain: plainRows.map((row) => probeOf(row)),
  strings: stringRows.map((row) => probeOf(row)),
  ids: idRows.map((row) => probeOf(row)),
  types: typeRows.map((row) => probeOf(row)),
  keys: keyRows.map((row) => probeOf(row)),
  'json-texts': jsonTextProbes,
  headers: headerProbes,
  rejections: rejectionRows.map((row) => probeOf(row)),
  transport: transportProbes,
  sequences: sequenceProbes,
  volume: volumeProbes,
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

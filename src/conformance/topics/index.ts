import type * as FastCheck from 'fast-check';
import type { Probe } from '../probe.js';
import { type CoreRow, type DrawnRow, probeOf } from '../row.js';
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

const rows = {
  plain: plainRows,
  strings: stringRows,
  ids: idRows,
  types: typeRows,
  keys: keyRows,
  'json-texts': jsonTextRows,
  headers: headerRows,
  rejections: rejectionRows,
  transport: transportRows,
  sequences: sequenceRows,
  volume: volumeRows,
  tokens: tokenRows,
} satisfies Record<FamilyName, readonly CoreRow[]>;

/** Every family, in the order in which their probes are sent. */
export const families: readonly Family[] = (Object.keys(FAMILIES) as FamilyName[]).map((name) => ({
  name,
  title: FAMILIES[name],
  core: rows[name].map((row) => probeOf(row)),
}));

/** Every core probe. They are sent phase by phase. The probes of one phase start in this order. */
export const probes: readonly Probe[] = families.flatMap((family) => family.core);

/** The row of each core probe, by its name. */
export const coreRows: ReadonlyMap<string, CoreRow> = new Map(
  Object.values<readonly CoreRow[]>(rows).flatMap((some) => some.map((row) => [row.name, row] as const)),
);

/** Draws rows, biased to what breaks programs. */
export type DrawDrafts = (fc: typeof FastCheck) => FastCheck.Arbitrary<DrawnRow>;

/** How often exploring draws from a family, and how. The generators are loaded only to explore. */
interface Explorer {
  readonly weight: number;
  load(): Promise<DrawDrafts>;
}

const explorers: Readonly<Partial<Record<FamilyName, Explorer>>> = {
  // These are sent for what they carry.
  plain: { weight: 5, load: async () => (await import('./plain/rows.js')).drawPlain },
  ids: { weight: 2, load: async () => (await import('./ids/draws.js')).drawIds },
  types: { weight: 3, load: async () => (await import('./types/draws.js')).drawTypes },
  keys: { weight: 3, load: async () => (await import('./keys/draws.js')).drawKeys },
  'json-texts': {
    weight: 3,
    load: async () => (await import('./json-texts/draws.js')).drawJsonTexts,
  },
  headers: { weight: 2, load: async () => (await import('./headers/draws.js')).drawHeaders },
  tokens: { weight: 2, load: async () => (await import('./tokens/draws.js')).drawTokens },
  rejections: { weight: 2, load: async () => (await import('./rejections/draws.js')).drawRejections },
  // These take long: segments come with pauses, and sequences have many requests.
  transport: { weight: 1, load: async () => (await import('./transport/draws.js')).drawTransport },
  sequences: { weight: 1, load: async () => (await import('./state/draws.js')).drawSequences },
  volume: { weight: 1, load: async () => (await import('./state/draws.js')).drawVolume },
};

/** Draws rows from all families. */
export async function drawFromFamilies(fc: typeof FastCheck): Promise<FastCheck.Arbitrary<DrawnRow>> {
  const weighted = await Promise.all(
    Object.values(explorers).map(async ({ weight, load }) => ({ weight, arbitrary: (await load())(fc) })),
  );
  return fc.oneof(...weighted);
}

import type * as FastCheck from 'fast-check';
import type { DrawnRow } from '../row.js';
import type { FamilyName } from './families.js';

/** Draws rows, biased to what breaks programs. */
export type DrawDrafts = (fc: typeof FastCheck) => FastCheck.Arbitrary<DrawnRow>;

/** How often exploring draws from a family, and how. The generators are loaded only to explore. */
interface Explorer {
  readonly weight: number;
  load(): Promise<DrawDrafts>;
}

const explorers: Readonly<Partial<Record<FamilyName, Explorer>>> = {
  plain: { weight: 1, load: async () => (await import('./plain/draws.js')).drawPlain },
  strings: { weight: 4, load: async () => (await import('./strings/draws.js')).drawStrings },
  ids: { weight: 3, load: async () => (await import('./ids/draws.js')).drawIds },
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

import type * as FastCheck from 'fast-check';
import type { DrawnRow } from '../row.js';
import { drawFromFamilies } from '../topics/index.js';
import { drawIdValue, drawTexts } from '../topics/values.js';
import { type DrawnRequest, loaded } from './carriers.js';

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

/** Draws are made in chunks: each chunk has its own seed. */
export const DRAWS_PER_CHUNK = 100;

/** Draws the chunk that has this seed. */
export type DrawChunk = (chunkSeed: number) => Promise<readonly DrawnRequest[]>;

/** The draws of one chunk. */
export function drawChunk(
  fc: typeof FastCheck,
  arbitrary: FastCheck.Arbitrary<DrawnRequest>,
  seed: number,
): readonly DrawnRequest[] {
  return fc.sample(arbitrary, { seed, numRuns: DRAWS_PER_CHUNK });
}

/** The seed of a chunk. Seeds that are next to each other give draws that have nothing in common. */
export function chunkSeed(seed: number, chunk: number): number {
  return (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(chunk + 1, 0xc2b2ae35)) | 0;
}

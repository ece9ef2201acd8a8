import type * as FastCheck from 'fast-check';
import type { DrawnRequest } from '../packing.js';

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

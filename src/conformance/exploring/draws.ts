import type * as FastCheck from 'fast-check';
import type { DrawnRow } from '../row.js';
import { chunkSeed, DRAWS_PER_CHUNK, type DrawChunk } from './draw-chunk.js';

/** Chunks that are drawn before they are needed. */
const AHEAD = 2;

/** A drawn probe, and where it was drawn. */
export interface Draw {
  /** Its number among all draws of the seed, from 0. */
  readonly index: number;
  readonly row: DrawnRow;
}

/** What draws come from, for shrinking. */
export interface DrawnFrom {
  readonly fc: typeof FastCheck;
  readonly arbitrary: FastCheck.Arbitrary<DrawnRow>;
}

/** The draws of a seed, without end. They are made in chunks. */
export class Draws {
  private chunk = -1;
  private rows: readonly DrawnRow[] = [];
  private at = 0;
  private readonly ahead: Promise<readonly DrawnRow[]>[] = [];
  private coming: Promise<void> | undefined;

  constructor(
    private readonly draw: DrawChunk,
    private readonly seed: number,
  ) {}

  async next(): Promise<Draw> {
    while (this.at === this.rows.length) {
      this.coming ??= this.nextChunk();
      await this.coming;
    }
    const row = this.rows[this.at] as DrawnRow;
    return { index: this.chunk * DRAWS_PER_CHUNK + this.at++, row };
  }

  /**
   * Makes a draw as small as possible.
   *
   * @param fails whether a row still fails
   * @returns the smallest row that fails
   */
  async shrink(
    { index, row }: Draw,
    { fc, arbitrary }: DrawnFrom,
    fails: (row: DrawnRow) => Promise<boolean>,
  ): Promise<DrawnRow> {
    let smallest = row;
    let isFirst = true;
    const property = fc.asyncProperty(arbitrary, async (smaller) => {
      // The draw itself is known to fail.
      if (!isFirst && !(await fails(smaller))) return true;
      isFirst = false;
      smallest = smaller;
      return false;
    });
    const chunk = Math.floor(index / DRAWS_PER_CHUNK);
    // The path leads to the draw within its chunk. fast-check shrinks from there.
    await fc.check(property, {
      seed: chunkSeed(this.seed, chunk),
      path: String(index - chunk * DRAWS_PER_CHUNK),
      numRuns: 1,
    });
    return smallest;
  }

  private async nextChunk(): Promise<void> {
    while (this.ahead.length <= AHEAD)
      this.ahead.push(this.draw(chunkSeed(this.seed, this.chunk + this.ahead.length + 1)));
    this.rows = (await this.ahead.shift()) ?? [];
    this.chunk++;
    this.at = 0;
    this.coming = undefined;
  }
}

import type * as FastCheck from 'fast-check';
import type { DrawnRow } from '../row.js';
import type { DrawnRequest } from './carriers.js';
import { chunkSeed, DRAWS_PER_CHUNK, type DrawChunk } from './draw-chunk.js';

/** Chunks that are drawn before they are needed. */
const AHEAD = 2;

/** A drawn request, and where it was drawn. */
export interface Draw extends DrawnRequest {
  /** Its number among all draws of the seed, from 0. */
  readonly index: number;
}

/** What draws come from, for shrinking. */
export interface DrawnFrom {
  readonly fc: typeof FastCheck;
  readonly arbitrary: FastCheck.Arbitrary<DrawnRequest>;
}

/** The draws of a seed, without end. They are made in chunks. */
export class Draws {
  private chunk = -1;
  private drawn: readonly DrawnRequest[] = [];
  private at = 0;
  private readonly ahead: Promise<readonly DrawnRequest[]>[] = [];
  private coming: Promise<void> | undefined;

  constructor(
    private readonly draw: DrawChunk,
    private readonly seed: number,
  ) {}

  async next(): Promise<Draw> {
    while (this.at === this.drawn.length) {
      this.coming ??= this.nextChunk();
      await this.coming;
    }
    const drawn = this.drawn[this.at] as DrawnRequest;
    return { index: this.chunk * DRAWS_PER_CHUNK + this.at++, ...drawn };
  }

  /**
   * Makes a draw as small as possible.
   *
   * @param failing the row of it that fails: itself, or one of its parts
   * @param failingIn finds the row of a smaller draw that still fails
   * @returns the smallest row that fails
   */
  async shrink(
    { index }: Draw,
    failing: DrawnRow,
    { fc, arbitrary }: DrawnFrom,
    failingIn: (drawn: DrawnRequest) => Promise<DrawnRow | undefined>,
  ): Promise<DrawnRow> {
    let smallest = failing;
    let isFirst = true;
    const property = fc.asyncProperty(arbitrary, async (smaller) => {
      // The draw itself is known to fail.
      const row = isFirst ? failing : await failingIn(smaller);
      isFirst = false;
      smallest = row ?? smallest;
      return row === undefined;
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
    this.drawn = (await this.ahead.shift()) ?? [];
    this.chunk++;
    this.at = 0;
    this.coming = undefined;
  }
}

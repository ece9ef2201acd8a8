import type * as FastCheck from 'fast-check';
import type { ProbeDraft } from '../families/draft.js';
import type { Shard } from './options.js';

/** Draws are made in chunks: each chunk has its own seed and belongs to one shard. */
const CHUNK = 100;

/** A drawn probe, and where it was drawn. */
export interface Draw {
  /** Its number among all draws of the seed, from 0. */
  readonly index: number;
  readonly draft: ProbeDraft;
}

/** The draws of one shard of a seed, without end. */
export class Draws {
  private chunk: number;
  private drafts: readonly ProbeDraft[] = [];
  private at = 0;

  constructor(
    private readonly fc: typeof FastCheck,
    private readonly arbitrary: FastCheck.Arbitrary<ProbeDraft>,
    private readonly seed: number,
    private readonly shard: Shard,
  ) {
    this.chunk = shard.index - 1 - shard.of;
  }

  next(): Draw {
    if (this.at === this.drafts.length) {
      this.chunk += this.shard.of;
      this.drafts = this.fc.sample(this.arbitrary, { seed: this.chunkSeed(this.chunk), numRuns: CHUNK });
      this.at = 0;
    }
    const draft = this.drafts[this.at] as ProbeDraft;
    return { index: this.chunk * CHUNK + this.at++, draft };
  }

  /**
   * Makes a draw as small as possible.
   *
   * @param fails whether a draft still fails
   * @returns the smallest draft that fails
   */
  async shrink({ index, draft }: Draw, fails: (draft: ProbeDraft) => Promise<boolean>): Promise<ProbeDraft> {
    let smallest = draft;
    let isFirst = true;
    const property = this.fc.asyncProperty(this.arbitrary, async (smaller) => {
      // The draw itself is known to fail.
      if (!isFirst && !(await fails(smaller))) return true;
      isFirst = false;
      smallest = smaller;
      return false;
    });
    const chunk = Math.floor(index / CHUNK);
    // The path leads to the draw within its chunk. fast-check shrinks from there.
    await this.fc.check(property, {
      seed: this.chunkSeed(chunk),
      path: String(index - chunk * CHUNK),
      numRuns: 1,
    });
    return smallest;
  }

  /** Seeds that are next to each other give draws that have nothing in common. */
  private chunkSeed(chunk: number): number {
    return (Math.imul(this.seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(chunk + 1, 0xc2b2ae35)) | 0;
  }
}

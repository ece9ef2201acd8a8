/** Why something happened, and how often it did for that reason. */
export interface Reason {
  /** A sentence. */
  readonly why: string;
  readonly count: number;
}

/** A proxy that runs for long keeps so many apart, and counts the rest together. */
const MOST_REASONS = 50;
const OTHERS = 'other reasons';

/** Counts by reason. */
export class Reasons {
  private readonly counts = new Map<string, number>();

  add(why: string): void {
    const key = this.counts.has(why) || this.counts.size < MOST_REASONS ? why : OTHERS;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  /** The most frequent first. */
  sorted(): Reason[] {
    return [...this.counts].map(([why, count]) => ({ why, count })).sort((a, b) => b.count - a.count);
  }
}

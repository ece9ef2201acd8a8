/** So many spans of time are kept. When there are more, each becomes twice as long. */
const MOST_SPANS = 120;
const FIRST_SPAN_MS = 1_000;

/** How often something happened in each span of time. */
export interface CountedSpans {
  readonly from: number;
  readonly spanMs: number;
  readonly counts: readonly number[];
}

/** Counts how often something happened, over all the time that has passed, in bounded memory. */
export class CountOverTime {
  private counts: number[] = [];
  /** The length of a span, and the number of the first one since 1970: the same for every count with such spans. */
  private spanMs = FIRST_SPAN_MS;
  private first: number | undefined;

  /** @param now milliseconds since 1970; a clock may be set back */
  add(now = Date.now()): void {
    this.first ??= Math.floor(now / this.spanMs);
    let at = Math.max(Math.floor(now / this.spanMs) - this.first, 0);
    while (at >= MOST_SPANS) {
      this.widen();
      at = Math.floor(now / this.spanMs) - this.first;
    }
    while (this.counts.length <= at) this.counts.push(0);
    this.counts[at] = (this.counts[at] ?? 0) + 1;
  }

  /** The length of each span, in milliseconds: a power of two times a second. */
  get span(): number {
    return this.spanMs;
  }

  /**
   * The counts of spans of one length. The first span begins at `from`, in milliseconds since 1970.
   *
   * @param spanMs the length of the spans. They become longer for good if they are shorter.
   */
  read(spanMs = this.spanMs): CountedSpans {
    while (this.spanMs < spanMs) this.widen();
    return { from: (this.first ?? 0) * this.spanMs, spanMs: this.spanMs, counts: [...this.counts] };
  }

  private widen(): void {
    const before = this.first ?? 0;
    this.spanMs *= 2;
    this.first = Math.floor(before / 2);
    const wider: number[] = [];
    for (const [index, count] of this.counts.entries()) {
      const at = Math.floor((before + index) / 2) - this.first;
      wider[at] = (wider[at] ?? 0) + count;
    }
    this.counts = wider;
  }
}

import type { JudgedExchange, Side, TrafficViolation } from '../validation/exchange.js';

/** Violations of one kind: those of the same part, pointer and keyword. */
export interface ViolationKind extends TrafficViolation {
  /**
   * How many there are. The message, and what was expected and found, are those of the first. They end in "for example" if
   * something else was found in others.
   */
  readonly count: number;
  /** The number of its first exchange among all that were forwarded, from 0. */
  readonly first: number;
}

/** How often something happened for one reason. */
export interface CountedReason {
  /** A sentence. */
  readonly reason: string;
  readonly count: number;
}

/** A proxy may run for long: it counts so many kinds and reasons apart, and the rest together. */
const MOST_KINDS = 200;
const MOST_REASONS = 50;
const OTHERS = 'other reasons';

/** Counts by reason. */
export class ReasonCounts {
  private readonly counts = new Map<string, number>();

  add(reason: string): void {
    const key = this.counts.has(reason) || this.counts.size < MOST_REASONS ? reason : OTHERS;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  /** The most frequent first. */
  sorted(): CountedReason[] {
    return [...this.counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count);
  }
}

/** Counts the traffic. It keeps no exchange, so its memory does not grow with the traffic. */
export class TrafficCounts {
  exchanges = 0;
  judged = 0;
  withoutResponse = 0;
  readonly failures = new ReasonCounts();
  readonly unreadable = new ReasonCounts();
  readonly judgedSides: Record<Side, number> = { request: 0, response: 0 };
  readonly violations: Record<Side, number> = { request: 0, response: 0 };
  /** Violations of further kinds. */
  otherViolations = 0;
  /** All exchanges over time, and the violations of each kind. */
  readonly exchangesOverTime = new CountOverTime();
  private readonly kinds = new Map<string, KnownKind>();
  private readonly kindsOverTime = new Map<string, CountOverTime>();

  /**
   * Counts an exchange.
   *
   * @param failure why it has no response, if it has none
   * @returns its number, from 0
   */
  ended(failure: string | undefined): number {
    if (failure !== undefined) {
      this.withoutResponse++;
      this.failures.add(failure);
    }
    this.exchangesOverTime.add();
    return this.exchanges++;
  }

  /** Counts what was found in an exchange. */
  add({ violations, sides }: JudgedExchange, index: number): void {
    this.judged++;
    for (const side of sides) this.judgedSides[side]++;
    for (const violation of violations) {
      if (violation.judge === 'interface') this.violations[violation.side]++;
      const key = keyOf(violation);
      const known = this.kinds.get(key);
      if (known === undefined && this.kinds.size >= MOST_KINDS) {
        this.otherViolations++;
        continue;
      }
      if (known === undefined) {
        this.kinds.set(key, { kind: { ...violation, count: 1, first: index }, areAlike: true });
      } else {
        known.kind = { ...known.kind, count: known.kind.count + 1 };
        known.areAlike &&= known.kind.actual === violation.actual;
      }
      this.overTimeAt(key).add();
    }
  }

  /** When the violations of a kind came. */
  overTime(kind: ViolationKind): CountOverTime {
    return this.overTimeAt(keyOf(kind));
  }

  private overTimeAt(key: string): CountOverTime {
    const known = this.kindsOverTime.get(key);
    if (known !== undefined) return known;
    const counts = new CountOverTime();
    this.kindsOverTime.set(key, counts);
    return counts;
  }

  /** The kinds: those of the interface first, then those of responses, then the most frequent. */
  sortedKinds(): ViolationKind[] {
    const rank = ({ judge, side }: ViolationKind): number =>
      (judge === 'interface' ? 0 : 2) + (side === 'response' ? 0 : 1);
    return [...this.kinds.values()]
      .map(shown)
      .sort((a, b) => rank(a) - rank(b) || b.count - a.count || a.first - b.first);
  }
}

/** A kind with the texts of its first violation, and whether all others are like it. */
interface KnownKind {
  kind: ViolationKind;
  areAlike: boolean;
}

function shown({ kind, areAlike }: KnownKind): ViolationKind {
  if (areAlike) return kind;
  const { message, actual } = kind;
  return { ...kind, message: `${message}, for example`, actual: `${actual}, for example` };
}

function keyOf({ side, judge, part, pointer, keyword }: TrafficViolation): string {
  return `${side} ${judge} ${part} ${keyword} ${pointer}`;
}

/** So many spans of time are kept. When there are more, each becomes twice as long. */
const MOST_SPANS = 120;
const FIRST_SPAN_MS = 1_000;

/** How often something happened in each span of time. */
interface CountedSpans {
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

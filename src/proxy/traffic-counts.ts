import type { JudgedExchange, Side, TrafficViolation } from '../validation/exchange.js';

/** Violations of one kind: those of the same severity, part, pointer and keyword. */
export interface ViolationKind extends TrafficViolation {
  /** How many there are. The message, and what was expected and found, are those of the first. */
  readonly count: number;
}

/** How often something happened for one reason. */
export interface CountedReason {
  /** A sentence. */
  readonly reason: string;
  readonly count: number;
}

/** A proxy may run for long: it lists so many kinds, and counts so many reasons apart. */
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
  readonly errors: Record<Side, number> = { request: 0, response: 0 };
  readonly warnings: Record<Side, number> = { request: 0, response: 0 };
  private readonly kinds = new Map<string, ViolationKind>();

  /** @param failure why the exchange has no response, if it has none */
  ended(failure: string | undefined): void {
    this.exchanges++;
    if (failure === undefined) return;
    this.withoutResponse++;
    this.failures.add(failure);
  }

  /** Counts what was found in an exchange. */
  add({ violations, sides }: JudgedExchange): void {
    this.judged++;
    for (const side of sides) this.judgedSides[side]++;
    for (const violation of violations) {
      const { side, severity } = violation;
      (severity === 'error' ? this.errors : this.warnings)[side]++;
      const key = keyOf(violation);
      const { count, ...first } = this.kinds.get(key) ?? { ...violation, count: 0 };
      if (count > 0 || this.kinds.size < MOST_KINDS) this.kinds.set(key, { ...first, count: count + 1 });
    }
  }

  /** The kinds: errors first, of these the ones of responses, then the most frequent. */
  sortedKinds(): ViolationKind[] {
    const rank = ({ side, severity }: ViolationKind): number =>
      (severity === 'error' ? 0 : 2) + (side === 'response' ? 0 : 1);
    return [...this.kinds.values()].sort((a, b) => rank(a) - rank(b) || b.count - a.count);
  }
}

function keyOf({ side, severity, part, pointer, keyword }: TrafficViolation): string {
  return `${side} ${severity} ${part} ${keyword} ${pointer}`;
}

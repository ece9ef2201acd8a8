import type { JudgedExchange, TrafficViolation } from './judged.js';
import { Reasons } from './reasons.js';

/** Violations of one kind. */
export interface ViolationKind {
  readonly side: TrafficViolation['side'];
  readonly judge: TrafficViolation['judge'];
  readonly part: TrafficViolation['part'];
  readonly pointer: string;
  readonly keyword: string;
  /** How often. */
  readonly count: number;
  /** What the first of them said. */
  readonly message: string;
  /** The place of its exchange among all that passed, from 0. */
  readonly first: number;
}

/** Unknown fields may have any name: a proxy that runs for long keeps so many kinds, and counts the rest. */
const MOST_KINDS = 200;

/** Counts what passed. It keeps no exchange, so that its memory does not grow with the traffic. */
export class Tally {
  exchanges = 0;
  judged = 0;
  unanswered = 0;
  readonly failures = new Reasons();
  readonly unreadable = new Reasons();
  readonly judgedSides = { request: 0, response: 0 };
  readonly violations = { request: 0, response: 0 };
  otherKinds = 0;
  private readonly kinds = new Map<string, { -readonly [K in keyof ViolationKind]: ViolationKind[K] }>();

  /**
   * Counts an exchange, and gives its place among all.
   *
   * @param failure why it has no answer, where that is so
   */
  passed(failure: string | undefined): number {
    if (failure !== undefined) {
      this.unanswered++;
      this.failures.add(failure);
    }
    return this.exchanges++;
  }

  /** Counts what was said of an exchange. */
  add({ violations, sides }: JudgedExchange, index: number): void {
    this.judged++;
    for (const side of sides) this.judgedSides[side]++;
    for (const { side, judge, part, pointer, keyword, message } of violations) {
      if (judge === 'interface') this.violations[side]++;
      const key = `${side} ${judge} ${part} ${keyword} ${pointer}`;
      const known = this.kinds.get(key);
      if (known !== undefined) known.count++;
      else if (this.kinds.size >= MOST_KINDS) this.otherKinds++;
      else this.kinds.set(key, { side, judge, part, pointer, keyword, count: 1, message, first: index });
    }
  }

  /** The kinds, those of the interface first and the most frequent before others. */
  sorted(): ViolationKind[] {
    const rank = ({ judge, side }: ViolationKind): number =>
      (judge === 'interface' ? 0 : 2) + (side === 'response' ? 0 : 1);
    return [...this.kinds.values()].sort(
      (a, b) => rank(a) - rank(b) || b.count - a.count || a.first - b.first,
    );
  }
}

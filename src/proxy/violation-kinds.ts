import type { Case, Evidence, Finding } from '../report/frame.js';
import { type TrafficViolation, violationInWords } from '../validation/exchange.js';
import { placeOf } from '../validation/violation.js';

/** Violations of one kind: those of the same side, severity, part, pointer and keyword. */
export interface ViolationKind extends TrafficViolation {
  /** How many there are. The message, and what was expected and found, are those of the first. */
  readonly count: number;
}

/** A proxy may run for long, so it keeps no more kinds than these. It counts the others by side and severity. */
const MOST_KINDS = 200;

/** Violations by kind. Each kind is a finding of a report. */
export class ViolationKinds {
  private readonly kinds = new Map<string, ViolationKind>();
  private readonly examples = new Map<string, string>();

  /** @param exampleOf the exchange on one line */
  add(violation: TrafficViolation, exampleOf?: () => string): void {
    const key = this.keyOf(violation);
    const known = this.kinds.get(key);
    if (known === undefined && exampleOf !== undefined) this.examples.set(key, exampleOf());
    this.kinds.set(key, { ...(known ?? violation), count: (known?.count ?? 0) + 1 });
  }

  /** Errors first, of these the ones of responses, then the most frequent. */
  sorted(): ViolationKind[] {
    const rank = ({ side, severity }: ViolationKind): number =>
      (severity === 'error' ? 0 : 2) + (side === 'response' ? 0 : 1);
    return [...this.kinds.values()].sort((a, b) => rank(a) - rank(b) || b.count - a.count);
  }

  /** The first exchange that has a violation of this kind. */
  exampleOf(kind: TrafficViolation): string | undefined {
    return this.examples.get(this.keyOf(kind));
  }

  /** The place among them of a violation that was added. */
  placeIn(sorted: readonly (ViolationKind | undefined)[], violation: TrafficViolation): number {
    return sorted.indexOf(this.kinds.get(this.keyOf(violation)));
  }

  /** Beyond the limit, the others of a side and a severity are one kind. */
  private keyOf({ side, severity, part, pointer, keyword }: TrafficViolation): string {
    const key = `${side} ${severity} ${part} ${keyword} ${pointer}`;
    return this.kinds.has(key) || this.kinds.size < MOST_KINDS ? key : `${side} ${severity}`;
  }
}

/** @param finding the place of its kind among the findings */
export function evidenceOf(violation: TrafficViolation, finding: number): Evidence {
  const { expected, actual } = violation;
  return { where: placeOf(violation), expected, actual, finding };
}

/** A finding for each kind, with the cases whose evidence belongs to it. */
export function findingsOf(kinds: readonly ViolationKind[], cases: readonly Case[]): Finding[] {
  return kinds.map((kind, index) => ({
    id: `violation-${index + 1}`,
    title: violationInWords(kind),
    ...(kind.severity === 'warning' && { severity: kind.severity }),
    cases: cases
      .filter(({ evidence }) => evidence.some(({ finding }) => finding === index))
      .map(({ id }) => id),
  }));
}

import { countVerdicts } from '../../report/conclusion.js';
import type { Verdict } from '../../report/frame.js';
import type { Violation } from '../../validation/violation.js';
import type { MessagePlace } from './stored-message.js';

/** One judged message. It contains no token. */
export interface JudgedMessage {
  readonly title: string;
  readonly place: MessagePlace;
  /** `blocked`: it is not all there; `not-applicable`: it is about something else, or missing. */
  readonly verdict: 'pass' | 'fail' | 'blocked' | 'not-applicable';
  readonly violations: readonly Violation[];
  /** Why not all of it was judged; sentences. */
  readonly reasons: readonly string[];
  /** What was assumed about it; sentences. */
  readonly notes: readonly string[];
}

/** The most messages that are listed of one kind, and the most kinds. The rest is only counted. */
const MOST_ALIKE = 500;
const MOST_KINDS = 10;

/** Messages of one kind: with the same verdict, the same reasons, and violations in the same places. */
interface Alike {
  /** The index of the first in the list. */
  readonly first: number;
  /** How many there are, with those that are not listed. */
  readonly count: number;
  /** Whether it is the rest: messages of many kinds with one verdict. */
  readonly isRest: boolean;
}

/** The messages of a file: some of each kind, and how many there are. A file may have a million of them. */
export class Listing {
  /** At least one with each verdict that occurs. */
  readonly messages: JudgedMessage[] = [];
  readonly counts: Record<Verdict, number> = { ...countVerdicts([]) };
  private readonly byKey = new Map<string, Alike>();

  add(message: JudgedMessage): void {
    const { verdict } = message;
    this.counts[verdict]++;
    const key = keyOf(message);
    const isRest = !this.byKey.has(key) && this.byKey.size >= MOST_KINDS;
    const kind = this.byKey.get(isRest ? verdict : key) ?? { first: this.messages.length, count: 0, isRest };
    this.byKey.set(isRest ? verdict : key, { ...kind, count: kind.count + 1 });
    if (kind.count < MOST_ALIKE) this.messages.push(message);
  }

  /** The kinds of which not all messages are listed, and how many more there are of each. */
  get unlisted(): readonly (Alike & { readonly more: number })[] {
    return [...this.byKey.values()].flatMap((kind) =>
      kind.count > MOST_ALIKE ? [{ ...kind, more: kind.count - MOST_ALIKE }] : [],
    );
  }
}

function keyOf({ verdict, violations, reasons }: JudgedMessage): string {
  const kinds = violations.map(({ part, pointer, keyword }) => `${part} ${keyword} ${pointer}`);
  return [verdict, ...kinds, ...reasons].join('\n');
}

import type { Exchange } from './exchange.js';
import type { Probe } from './probe.js';

/**
 * How much the interface says: `documented`, in words; `implied`, it follows from the words; `unspecified`, it
 * is called "not shown", so that a provider may do as it likes.
 */
export type Level = 'documented' | 'implied' | 'unspecified';

/** Where the interface says it. */
export interface Source {
  /** The heading in the interface document. */
  readonly section: string;
  /** The number of the rule under that heading, where rules are numbered. */
  readonly rule?: number;
  /** JSON pointer into the OpenAPI document. */
  readonly pointer: string;
}

/** How an exchange breaks a rule. */
export interface Problem {
  readonly expected: string;
  readonly actual: string;
}

/** `undefined` where the exchange keeps the rule, `nothing-to-judge` where it says nothing about it. */
export type Judgement = Problem | undefined | 'nothing-to-judge';

/** One thing that the interface demands. */
export interface Rule {
  /** `topic/what-is-demanded`, stable. */
  readonly id: string;
  /** The demand as a sentence. */
  readonly title: string;
  readonly level: Level;
  readonly source: Source;
  /** Why the interface demands it; of an implied rule, why no reading allows the contrary. */
  readonly why: string;
  /** Which exchanges it judges: those of certain probes, or of all that a function picks. */
  readonly judges: readonly string[] | ((probe: Probe) => boolean);
  /**
   * Whether its verdict rests on the controls of its probes. Where a request is not accepted although it should
   * not be, that proves nothing if the good one is not accepted either: `for-a-pass`. `for-any-verdict`: what
   * comes back instead proves nothing as well.
   */
  readonly control: 'none' | 'for-a-pass' | 'for-any-verdict';
  /** What it means that none of them had anything to judge: the verdict is `blocked` then. */
  readonly nothingToJudge: string;
  /** Judges one exchange: pure, and never throws. */
  judge(exchange: Exchange, probe: Probe): Judgement;
}

/** Types a rule where it is written. */
export function defineRule(rule: Rule): Rule {
  return rule;
}

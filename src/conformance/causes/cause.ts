import type { Exchange } from '../exchange.js';
import type { Facts } from '../judge/facts.js';
import type { DemandId } from '../rules/index.js';

/** An exchange, and a rule that it breaks. */
export interface BrokenRule {
  readonly rule: DemandId;
  readonly exchange: Exchange;
}

/** A mistake that may break several rules. */
export interface Cause {
  /** It never changes. */
  readonly id: string;
  /** A sentence in the imperative. */
  readonly fix: string;
  /** The cause as a sentence, or a function that says it of a failure. */
  readonly cause: string | ((broken: BrokenRule, facts: Facts) => string);
  /** Whether it is the likely cause of a failure. */
  explains(broken: BrokenRule, facts: Facts): boolean;
}

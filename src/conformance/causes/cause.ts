import type { Exchange } from '../exchange.js';
import type { Facts } from '../facts/facts.js';
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
  /** The cause as a sentence, if it is the likely cause of a failure. */
  explain(broken: BrokenRule, facts: Facts): string | undefined;
}

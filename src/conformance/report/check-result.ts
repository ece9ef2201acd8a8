import type { Exchange } from '../exchange.js';
import type { ActiveExpectations } from '../expected-failures.js';
import type { Exploration } from '../exploring/exploration.js';
import type { Facts } from '../judge/facts.js';
import type { Failure, JudgedRule } from '../judge/judge.js';
import type { PrismOpinion } from '../judge/prism.js';
import type { CheckSettings } from '../options.js';
import type { Omission } from '../prepare.js';

/** What a report is made of. */
export interface CheckResult {
  readonly settings: CheckSettings;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly facts: Facts;
  /** The simplest failure of each rule first. */
  readonly judged: readonly JudgedRule[];
  /** Why nothing could be judged, if that is so. */
  readonly notTestable: string | undefined;
  readonly exchanges: readonly Exchange[];
  /** Failures whose probe was sent once more, and whether it failed again. */
  readonly again: ReadonlyMap<Failure, boolean>;
  readonly expectations: ActiveExpectations;
  /** What was left out, if anything was. */
  readonly omission: Omission | undefined;
  /** Prism's opinion, or why there is none. Left out if it was not asked. */
  readonly prism: PrismOpinion | string | undefined;
  readonly exploration?: Exploration | undefined;
}

import type { ReportedExchange } from '../../report/exchange.js';
import type { Finding, Report, Verdict } from '../../report/frame.js';
import type { Behaviour, Profile } from '../../report/profile.js';
import type { Severity } from '../../validation/violation.js';
import type { Exploration } from '../exploring/exploration.js';
import type { PrismOpinion } from '../judge/prism.js';
import type { ExpectedFailure } from '../options.js';
import type { Rule } from '../rule.js';

/** A rule with its verdict. How it fails is in the case of the same id. */
export interface CheckedRule extends Pick<Rule, 'title' | 'level' | 'source'> {
  readonly id: string;
  /** Left out if it only observes. */
  readonly severity?: Severity;
  readonly verdict: Verdict;
  /** Why there is no judgement. Only if the verdict is `blocked`, `not-applicable` or `error`. */
  readonly reason?: string;
  /** What was observed. Only if the verdict is `observed`. */
  readonly behaviour?: Behaviour;
  /** Why it is expected to fail, if it is. */
  readonly expectedFailure?: Omit<ExpectedFailure, 'rule'>;
}

/** The result of a check, as data. It holds no token. `spec/report.schema.json` describes it as JSON Schema. */
export interface CheckReport extends Report {
  readonly kind: 'check';
  readonly baseUrl: string;
  /** The version of the rules of the interface. */
  readonly rulesVersion: string;
  /** Every rule of the interface that was judged, in the order of the catalogue. House rules are in the group `house`. */
  readonly rules: readonly CheckedRule[];
  /** Failures with one likely cause. */
  readonly findings: readonly Finding[];
  readonly profile: Profile;
  /** Left out if Prism was not asked. */
  readonly prism?: PrismOpinion;
  /** What exploring drew and found. Left out if the check did not explore. */
  readonly exploration?: Exploration;
  /** The id of every plant that was created by the core probes, as the request wrote it. These plants are now in the provider. */
  readonly createdIds: readonly string[];
  /** The id of every plant that may have been created: the response is missing, incomplete, or a 5xx. */
  readonly uncertainIds: readonly string[];
  /** Everything that was sent, and every response. */
  readonly exchanges: readonly ReportedExchange[];
}

import type { ReportedExchange } from '../../report/exchange.js';
import type { Case, Finding, Report } from '../../report/frame.js';
import type { Profile } from '../../report/profile.js';
import type { Exploration } from '../exploring/exploration.js';
import type { PrismOpinion } from '../judge/prism.js';

/** A rule with its verdict: its case, but for how it fails. */
export type CheckedRule = Omit<Case, 'evidence'>;

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
  /**
   * The id of every plant that was created by the core probes, as the request wrote it, or that may have been: the response
   * is missing, incomplete, or a 5xx. These plants are now in the provider.
   */
  readonly createdIds: readonly string[];
  /** Everything that was sent, and every response. */
  readonly exchanges: readonly ReportedExchange[];
}

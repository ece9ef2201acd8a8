import type { Fields } from '../exchange.js';
import type { Verdict } from '../judging/judge.js';
import type { PrismOpinion } from '../judging/prism-opinion.js';
import type { ExpectedFailure, Implementation } from '../options.js';
import type { Behaviour, Level, Source } from '../rule.js';

/**
 * `conforms`; `breaks-rules`; `known-failures`: it breaks no rule but those that are expected to fail;
 * `outdated-list`: it keeps a rule that is expected to fail; `not-testable`: no plain plant was accepted, so
 * nothing could be judged; `incomplete`: nothing failed, but not every rule could be judged.
 */
export type Conclusion =
  | 'conforms'
  | 'breaks-rules'
  | 'known-failures'
  | 'outdated-list'
  | 'not-testable'
  | 'incomplete';

/** One rule in a report. */
export interface ReportedRule {
  readonly id: string;
  readonly title: string;
  readonly level: Level;
  readonly source: Source;
  readonly verdict: Verdict;
  /** Why there is no judgement; of `blocked`, `not-applicable` and `error` only. */
  readonly reason?: string;
  /** What was seen; of `observed` only. */
  readonly behaviour?: Behaviour;
  /** What breaks it; of `fail` only. */
  readonly failures: readonly ReportedFailure[];
  /** Why it is expected to fail, where it is. */
  readonly expectedFailure?: Omit<ExpectedFailure, 'rule'>;
}

/** One exchange that breaks a rule. */
export interface ReportedFailure {
  /** The name of the probe, and what it sends, as a noun. */
  readonly probe: string;
  readonly title: string;
  readonly expected: string;
  readonly actual: string;
  /** The finding that it belongs to. */
  readonly finding: number;
  /** The place, in `exchanges`, of the one that breaks the rule. */
  readonly exchange: number;
  /** The places of the whole sequence up to it; of requests that were sent at once, of all. */
  readonly exchanges: readonly number[];
  /**
   * Whether it failed again when the probe was sent once more: `now-and-then` where it did not, and where it
   * depends on requests that meet; `not-tried` beyond the first three of a rule.
   */
  readonly again: 'yes' | 'now-and-then' | 'not-tried';
  /** Lines for a POSIX shell that show the failure again; none where it comes now and then. */
  readonly curl: readonly string[];
}

/** Failures that seem to have one cause. */
export interface ReportedFinding {
  readonly id: string;
  /** The likely cause, as a sentence. */
  readonly cause: string;
  readonly repair: string;
  /** The ids of the rules that are broken. */
  readonly rules: readonly string[];
}

/** A body as text, or in base64 where it is no UTF-8. */
export interface ReportedBody {
  readonly encoding: 'utf-8' | 'base64';
  readonly text: string;
  /** The length of the whole body, where only its beginning is here. */
  readonly wholeBytes?: number;
}

/** One exchange in a report. */
export interface ReportedExchange {
  readonly probe: string;
  readonly role: 'judged' | 'superseded' | 'confirmation';
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Fields;
    readonly body: ReportedBody;
  };
  readonly response?: {
    readonly status: number;
    readonly headers: Fields;
    readonly body: ReportedBody;
    readonly complete: boolean;
  };
  /** Why nothing came back. */
  readonly failure?: { readonly kind: string; readonly message: string };
  readonly startMs: number;
  readonly durationMs: number;
}

/** What was observed where the interface is silent: one entry for each rule of the level `unspecified`. */
export interface Profile {
  /** The version of this form. */
  readonly profileVersion: 1;
  readonly interfaceVersion: string;
  readonly implementation?: Implementation;
  readonly behaviours: readonly ({ readonly rule: string } & Behaviour)[];
}

/** The result of a check, as data. It holds no token. `spec/report.schema.json` says the same as JSON Schema. */
export interface Report {
  /** The version of this form. */
  readonly reportVersion: 1;
  readonly interfaceVersion: string;
  /** What was checked, as it was named. */
  readonly implementation?: Implementation;
  readonly baseUrl: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly conclusion: Conclusion;
  /** The conclusion as a sentence. */
  readonly summary: string;
  /** What a reader has to know besides. */
  readonly notes: readonly string[];
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly rules: readonly ReportedRule[];
  readonly findings: readonly ReportedFinding[];
  readonly profile: Profile;
  /** Left out where Prism was not asked. */
  readonly prism?: PrismOpinion;
  /** Every id that was sent and accepted: these plants are now in the provider. As written in the request. */
  readonly createdIds: readonly string[];
  readonly exchanges: readonly ReportedExchange[];
}

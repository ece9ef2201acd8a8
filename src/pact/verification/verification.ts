import type { ReportedBody } from '../../conformance/reporting/report.js';
import type { Fields } from '../../header-fields.js';
import type { Violation } from '../../validation/violation.js';
import type { Mismatch } from './native-result.js';

/**
 * What a verification comes to: `verified`; `fails`, the provider does not what a consumer relies on;
 * `not-testable`, nothing can be said of it; `incomplete`, something was not verified.
 */
export type VerificationConclusion = 'verified' | 'fails' | 'not-testable' | 'incomplete';

/** `pass`; `fail`; `blocked`: what it depends on did not come about, so that nothing was sent or seen. */
export type InteractionVerdict = 'pass' | 'fail' | 'blocked';

/** What was sent for an interaction, and what came back; no token stands in it. */
export interface VerifiedExchange {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Fields;
    readonly body: ReportedBody;
  };
  readonly response?: { readonly status: number; readonly headers: Fields; readonly body: ReportedBody };
  /** Why there is no response. */
  readonly failure?: string;
  readonly durationMs: number;
}

/** One interaction of a pact, verified. */
export interface VerifiedInteraction {
  readonly description: string;
  /** The names of its provider states. */
  readonly states: readonly string[];
  readonly verdict: InteractionVerdict;
  /** Whether its failure counts for nothing, as its consumer or the broker says. */
  readonly pending: boolean;
  /** How the response departs from the pact, as Pact says it. */
  readonly mismatches: readonly Mismatch[];
  /** How the response departs from the interface, which a pact cannot say: see `validateResponse`. */
  readonly violations: readonly Violation[];
  /** Why it is blocked. */
  readonly reason?: string;
  /** What may have been meant otherwise. */
  readonly hint?: string;
  readonly exchange?: VerifiedExchange;
}

/** The interactions of one pact, or of a broker. */
export interface VerifiedPact {
  /** The file or the URL. */
  readonly where: string;
  /** `undefined` for what a broker gave: Pact tells its results without their consumers. */
  readonly consumer?: string;
  readonly interactions: readonly VerifiedInteraction[];
}

/** What became of a verification. */
export interface Verification {
  readonly verificationVersion: 1;
  /** The name of the provider in the pacts. */
  readonly provider: string;
  readonly baseUrl: string;
  /** When it began: ISO 8601, in UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly conclusion: VerificationConclusion;
  /** A sentence. */
  readonly summary: string;
  readonly notes: readonly string[];
  readonly pacts: readonly VerifiedPact[];
}

/** How many interactions have a verdict, those aside whose failure counts for nothing. */
export function countOf(pacts: readonly VerifiedPact[], verdict: InteractionVerdict): number {
  return pacts
    .flatMap(({ interactions }) => interactions)
    .filter((interaction) => interaction.verdict === verdict && !(verdict === 'fail' && interaction.pending))
    .length;
}

/**
 * The exit status of a verification: 0 verified; 1 the provider fails an interaction; 2 it could not be tested, or
 * not wholly.
 */
export function verificationExitCode(conclusion: VerificationConclusion): number {
  if (conclusion === 'verified') return 0;
  return conclusion === 'fails' ? 1 : 2;
}

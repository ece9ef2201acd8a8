import { reportFrame } from '../../report/build.js';
import type { ReportedExchange } from '../../report/exchange.js';
import type { Report } from '../../report/frame.js';
import { createRedactor, type Redactor, type Secret } from '../../report/redaction.js';
import type { Violation } from '../../validation/violation.js';
import { inUrl, secretsIn } from '../broker/credentials.js';
import { isUrl } from '../pact-sources.js';
import { type LeftOutPact, leftOutInWords } from '../select-pacts.js';
import { CaseBuilder } from './cases.js';
import type { Mismatch } from './native-result.js';
import type { VerifySettings } from './options.js';
import type { PublicationOutcome } from './publishing.js';
import { notesOf, remarksOn, summaryOf, tallyOf } from './summary.js';
import type { TrialResult } from './testable.js';

/** One interaction of a pact, verified. */
export interface VerifiedInteraction {
  readonly description: string;
  /** The names of its provider states. */
  readonly states: readonly string[];
  /** `blocked`: something that it depends on failed, so nothing was sent or judged. */
  readonly verdict: 'pass' | 'fail' | 'blocked';
  /** Whether its failure does not count, because the pact or the broker marks it as pending. */
  readonly pending: boolean;
  /** How the response differs from the pact, in Pact's words. */
  readonly mismatches: readonly Mismatch[];
  /** How the response differs from the interface, which a pact cannot say: see `validateResponse`. */
  readonly violations: readonly Violation[];
  /** Why it is blocked. */
  readonly reason?: string;
  /** What may be wrong with the pact or the token. */
  readonly hint?: string;
  /** Its exchange: an index into `exchanges` of the report. */
  readonly exchange?: number;
}

/** One pact, verified. */
export interface VerifiedPact {
  /** The file or the URL. */
  readonly where: string;
  readonly consumer: string;
  /** The version of the consumer, and its branches, if a broker names them. */
  readonly version?: string;
  readonly branch?: string;
  /** Set if the broker marks the pact as pending: the provider has never satisfied it, and its failures do not count. */
  readonly pending?: true;
  /** Set if the pact is work in progress: no selector chose it. */
  readonly wip?: true;
  readonly interactions: readonly VerifiedInteraction[];
  /** Why no interaction could be verified. */
  readonly problem?: string;
  /** Whether its verdict was published. Left out if that was not asked for. */
  readonly published?: boolean;
}

/** How many interactions came to what. */
export interface InteractionTally {
  readonly passed: number;
  /** Failures that count. */
  readonly failed: number;
  /** Failures that do not count, because the interaction or its pact is pending. */
  readonly pendingFailures: number;
  readonly notVerified: number;
}

/** The report of a verification. A case is an interaction, and so is a finding. */
export interface VerifyReport extends Report {
  readonly kind: 'verify';
  /** The name of the provider in the pacts. */
  readonly provider: string;
  readonly baseUrl: string;
  readonly pacts: readonly VerifiedPact[];
  /** The pacts with other providers, which were not verified. */
  readonly leftOut: readonly LeftOutPact[];
  readonly interactions: InteractionTally;
  readonly exchanges: readonly ReportedExchange[];
}

/** What happened in a verification. */
export interface Seen extends TrialResult {
  readonly leftOut: readonly LeftOutPact[];
  /** What became of the verdict on each pact; `undefined` if nothing was to be published. */
  readonly published: readonly PublicationOutcome[] | undefined;
  readonly startedAt: Date;
  /** The start by the clock of `performance`. */
  readonly start: number;
}

/** The secrets of a verification: the token, further headers, and the credentials for servers of pacts. */
export function redactorFor({ token, headers, broker, pacts }: VerifySettings): Redactor {
  return createRedactor([
    { value: token, shown: '$PLANT_STORE_TOKEN' },
    ...headers.map(([, value]) => ({ value })),
    ...secretsIn(broker ?? {}),
    ...pacts.filter((source) => isUrl(source)).flatMap(secretsOfUrl),
  ]);
}

function secretsOfUrl(source: string): Secret[] {
  const credentials = URL.canParse(source) ? inUrl(new URL(source)) : undefined;
  return credentials === undefined ? [] : secretsIn(credentials);
}

/** Builds the report. It contains no secret. */
export function verifyReport(seen: Seen, settings: VerifySettings): VerifyReport {
  const { judged, untestable, leftOut, published, startedAt, start } = seen;
  const { baseUrl, provider } = settings;
  const redactor = redactorFor(settings);
  const builder = new CaseBuilder(settings, {
    judged,
    isTestable: untestable === undefined,
    redactor,
    start,
  });
  for (const [at, pact] of judged.entries()) builder.add(pact, published?.[at]);
  const { groups, findings, exchanges, pacts } = builder;
  const notes = notesOf(judged, published);
  const errors = notes.errors.map(redactor.message);
  const interactions = tallyOf(pacts);
  return redactor.data({
    ...reportFrame({
      kind: 'verify',
      subject: `${provider} at ${baseUrl}`,
      startedAt,
      durationMs: performance.now() - start,
      circumstances: { notTestable: untestable !== undefined, incomplete: errors.length > 0 },
      notes: [...errors, ...leftOutInWords(leftOut), ...notes.others.map(redactor.message)],
      groups,
      findings,
      remarks: remarksOn(published, settings),
    }),
    summary: summaryOf(pacts, interactions, errors, untestable),
    exchanges,
    provider,
    baseUrl,
    pacts,
    leftOut,
    interactions,
  });
}

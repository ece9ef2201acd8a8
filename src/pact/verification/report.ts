import { createRedactor, type Redactor } from '../../output/redaction.js';
import { counted } from '../../output/wording.js';
import { reportFrame } from '../../report/build.js';
import type { ReportedExchange } from '../../report/exchange.js';
import { type Case, casesOf, type Report } from '../../report/frame.js';
import type { Violation } from '../../validation/violation.js';
import { CaseBuilder } from './cases.js';
import { isSuccess, type JudgedInteraction, type JudgedPact } from './judge.js';
import type { Mismatch } from './native-result.js';
import type { VerifySettings } from './options.js';

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

/** The interactions of one pact, or of all pacts from a broker. */
export interface VerifiedPact {
  /** The file or the URL. */
  readonly where: string;
  /** `undefined` for a broker: Pact's results do not name the consumer. */
  readonly consumer?: string;
  readonly interactions: readonly VerifiedInteraction[];
}

/** The report of a verification. A case is an interaction, and so is a finding. */
export interface VerifyReport extends Report {
  readonly kind: 'verify';
  /** The name of the provider in the pacts. */
  readonly provider: string;
  readonly baseUrl: string;
  readonly pacts: readonly VerifiedPact[];
  readonly exchanges: readonly ReportedExchange[];
}

/** What happened in a verification. */
export interface Seen {
  readonly judged: readonly JudgedPact[];
  /** What Pact printed that is in no result. */
  readonly complaints: readonly string[];
  /** Whether the provider has accepted a plant that a state needed. */
  readonly hasCreated: boolean;
  /** Why a control was not accepted, if one was sent. */
  readonly rejectedControl: string | undefined;
  readonly startedAt: Date;
  /** The start by the clock of `performance`. */
  readonly start: number;
}

/** The secrets of a verification: the token, further headers, and the credentials for a broker. */
export function redactorFor({ token, headers, broker }: VerifySettings): Redactor {
  return createRedactor([
    { value: token, shown: '$PLANT_STORE_TOKEN' },
    ...headers.map(([, value]) => ({ value })),
    { value: broker?.token ?? '', shown: '$PACT_BROKER_TOKEN' },
    { value: broker?.password ?? '', shown: '$PACT_BROKER_PASSWORD' },
  ]);
}

/** Builds the report. It contains no secret. */
export function verifyReport(seen: Seen, settings: VerifySettings): VerifyReport {
  const { judged, complaints, hasCreated, rejectedControl, startedAt, start } = seen;
  const { baseUrl, provider } = settings;
  const redactor = redactorFor(settings);
  const untestable = hasCreated
    ? undefined
    : (whyNotTestable(judged.flatMap(({ interactions }) => interactions)) ?? controlInWords(rejectedControl));
  const builder = new CaseBuilder(settings, redactor, start);
  for (const pact of judged) builder.add(untestable === undefined ? pact : unjudged(pact));
  const { groups, findings, exchanges, pacts } = builder;
  const cases = casesOf(builder);
  const errors = [...judged.flatMap((pact) => pact.errors), ...complaints].map(redactor.message);
  return redactor.data({
    ...reportFrame({
      kind: 'verify',
      subject: `${provider} at ${baseUrl}`,
      startedAt,
      durationMs: performance.now() - start,
      circumstances: { notTestable: untestable !== undefined, incomplete: errors.length > 0 },
      notes: [...errors, ...judged.flatMap(({ notices }) => notices)],
      groups,
      findings,
    }),
    summary: summaryOf(cases, errors, untestable),
    exchanges,
    provider,
    baseUrl,
    pacts,
  });
}

/** If the provider cannot be tested, no interaction has a verdict. */
function unjudged({ interactions, ...pact }: JudgedPact): JudgedPact {
  return {
    ...pact,
    interactions: interactions.map(({ hint: _hint, ...interaction }) => ({
      ...interaction,
      verdict: 'blocked',
      violations: [],
      reason: 'the provider could not be tested',
    })),
  };
}

/**
 * Why the provider cannot be judged: it does not respond, or it rejects every creation that a consumer expects, so that
 * its rejections prove nothing.
 */
function whyNotTestable(interactions: readonly JudgedInteraction[]): string | undefined {
  const sent = interactions.flatMap((one) =>
    one.exchange === undefined ? [] : [{ ...one, exchange: one.exchange }],
  );
  const [first] = sent;
  if (first !== undefined && sent.every(({ exchange }) => exchange.response === undefined))
    return first.exchange.failure;
  const creations = sent.filter(({ expectsCreation }) => expectsCreation);
  const [creation] = creations;
  const isJudged = (status = 0): boolean => isSuccess(status) || status >= 500;
  if (creation === undefined || creations.some(({ exchange }) => isJudged(exchange.response?.status)))
    return undefined;
  const { response, failure } = creation.exchange;
  const how = response === undefined ? failure : `got the status ${response.status}`;
  return `it accepted no creation that a pact expects; "${creation.description}" ${how}`;
}

function controlInWords(why: string | undefined): string | undefined {
  return (
    why && `no pact expects a creation, and a control was not accepted, so rejections prove nothing: ${why}`
  );
}

/** Whether nothing was accepted. Then nothing shows whether the token is right. */
export function needsControl(judged: readonly JudgedPact[]): boolean {
  const responses = judged
    .flatMap(({ interactions }) => interactions)
    .flatMap(({ exchange }) => exchange?.response ?? []);
  return responses.length > 0 && !responses.some(({ status }) => isSuccess(status));
}

function summaryOf(
  cases: readonly Case[],
  errors: readonly string[],
  untestable: string | undefined,
): string {
  if (untestable !== undefined) return `The provider could not be tested: ${untestable}.`;
  const count = (is: (one: Case) => boolean): number => cases.filter(is).length;
  const failed = count(({ verdict, excuse }) => verdict === 'fail' && excuse === undefined);
  const pending = count(({ verdict, excuse }) => verdict === 'fail' && excuse !== undefined);
  const blocked = count(({ verdict }) => verdict === 'blocked');
  const of = `of ${counted(cases.length, 'interaction')}`;
  const rest = pending > 0 ? `; ${counted(pending, 'pending failure')}` : '';
  if (failed > 0) {
    const unverified = blocked > 0 ? `; ${blocked} could not be verified` : '';
    return `The provider fails ${failed} ${of}${unverified}${rest}.`;
  }
  if (blocked > 0) return `${blocked} ${of} could not be verified${rest}.`;
  if (errors.length > 0) return `Pact could not do everything: ${errors[0]}`;
  return `The provider satisfies ${cases.length - pending} ${of}${rest}.`;
}

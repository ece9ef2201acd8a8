import { reportFrame } from '../../report/build.js';
import type { ReportedExchange } from '../../report/exchange.js';
import type { Report } from '../../report/frame.js';
import { counted, listed } from '../../report/wording.js';
import { noticesFor } from '../broker/notices.js';
import { type LeftOutPact, leftOutInWords } from '../select-pacts.js';
import { CaseBuilder, type VerifiedPact } from './cases.js';
import type { JudgedPact } from './judge.js';
import type { VerifySettings } from './options.js';
import { type PublicationOutcome, successOf } from './publishing.js';
import type { Testability } from './testability.js';

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
export interface Seen extends Testability {
  readonly leftOut: readonly LeftOutPact[];
  /** What became of the verdict on each pact; `undefined` if nothing was to be published. */
  readonly published: readonly PublicationOutcome[] | undefined;
  readonly startedAt: Date;
  /** The start by the clock of `performance`. */
  readonly start: number;
}

/** Builds the report. It contains no secret. */
export function verifyReport(seen: Seen, settings: VerifySettings): VerifyReport {
  const { judged, untestable, leftOut, published, startedAt, start } = seen;
  const { baseUrl, provider, redactor } = settings;
  const builder = new CaseBuilder(settings, {
    judged,
    isTestable: untestable === undefined,
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

/** Counts interactions. What is pending is never counted among the failures. */
function tallyOf(pacts: readonly VerifiedPact[]): InteractionTally {
  const all = pacts.flatMap(({ interactions }) => interactions);
  const failures = all.filter(({ verdict }) => verdict === 'fail');
  const pendingFailures = failures.filter(({ pending }) => pending).length;
  return {
    passed: all.filter(({ verdict }) => verdict === 'pass').length,
    failed: failures.length - pendingFailures,
    pendingFailures,
    notVerified: all.filter(({ verdict }) => verdict === 'blocked').length,
  };
}

/** The summary of a verification: what the provider does, then what does not count or could not be done. */
function summaryOf(
  pacts: readonly VerifiedPact[],
  tally: InteractionTally,
  errors: readonly string[],
  untestable: string | undefined,
): string {
  if (untestable !== undefined) {
    const nothing = pacts.some(({ published }) => published === false) ? ' Nothing was published.' : '';
    return `The provider could not be tested: ${untestable}.${nothing}`;
  }
  const { passed, failed, pendingFailures, notVerified } = tally;
  const of = `of ${counted(passed + failed + pendingFailures + notVerified, 'interaction')}`;
  const unread = pacts.filter(({ problem }) => problem !== undefined).length;
  const [error] = errors;
  const parts = [
    failed > 0 ? `The provider fails ${failed} ${of}` : `The provider satisfies ${passed} ${of}`,
    pendingFailures > 0 &&
      `${counted(pendingFailures, 'pending failure')} ${pendingFailures === 1 ? 'does' : 'do'} not count`,
    notVerified > 0 && `${notVerified} could not be verified`,
    unread > 0 && `${counted(unread, 'pact')} could not be verified`,
    error,
  ];
  return `${parts.filter((part) => typeof part === 'string').join('; ')}.`;
}

/** What a reader must know as well: errors make the verification incomplete, the others do not. */
function notesOf(
  judged: readonly JudgedPact[],
  published: readonly PublicationOutcome[] | undefined,
): { readonly errors: string[]; readonly others: string[] } {
  const errors: string[] = [];
  const others: string[] = [];
  for (const [at, pact] of judged.entries()) {
    const { source } = pact;
    const name = nameOf(pact);
    const { state, why } = published?.[at] ?? {};
    // Whatever is wrong with a pending pact does not fail a build.
    for (const error of pact.errors) (source.pending ? others : errors).push(error);
    if (state === 'failed') errors.push(`the results for ${name} could not be published: ${why}`);
    if (state === 'withheld') others.push(`No result was published for ${name}: ${why}.`);
    const outcome = { success: successOf(pact), published: state === 'published' };
    others.push(...noticesFor(source.notices ?? [], outcome).map((text) => `${name}: ${text}`));
  }
  return { errors, others };
}

/** `garden-app 1.0.1`, or the consumer alone. */
function nameOf({ consumer, source: { version } }: JudgedPact): string {
  return version === undefined ? consumer : `${consumer} ${version}`;
}

/** For which version results were published. */
function remarksOn(
  published: readonly PublicationOutcome[] | undefined,
  { provider, broker }: Pick<VerifySettings, 'provider' | 'broker'>,
): string[] {
  const count = published?.filter(({ state }) => state === 'published').length ?? 0;
  if (count === 0 || broker?.publish === undefined) return [];
  const { version, branch } = broker.publish;
  const of = listed([`version ${version}`, ...(branch === undefined ? [] : [`branch ${branch}`])]);
  return [`The results for ${counted(count, 'pact')} were published, for ${of} of ${provider}.`];
}

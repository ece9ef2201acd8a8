import { definedOnly } from '../../defined-only.js';
import type { Fields } from '../../http/fields.js';
import { reportFrame } from '../../report/build.js';
import { excerpt, type ReportedBody, type ReportedExchange, reportedBody } from '../../report/exchange.js';
import type { Case, Evidence, Finding, Group, Report } from '../../report/frame.js';
import type { Redactor } from '../../report/redaction.js';
import { counted, listed } from '../../report/wording.js';
import { redactedViolation, type Violation } from '../../validation/violation.js';
import type { FetchedPact } from '../broker/broker.js';
import type { PublicationOutcome } from '../broker/publish.js';
import { caseIds, groupTitle } from '../case-ids.js';
import type { JudgedInteraction, JudgedPact, VerifiedInteraction } from './judge.js';
import type { VerifySettings } from './options.js';
import type { Mismatch } from './pact-verifier.js';

/** How many interactions came to what. */
export interface InteractionTally {
  readonly passed: number;
  /** Failures that count. */
  readonly failed: number;
  /** Failures that do not count, because the interaction or its pact is pending. */
  readonly pendingFailures: number;
  readonly notVerified: number;
}

/** One pact, verified. */
export interface VerifiedPact {
  /** The file or the URL. */
  readonly where: string;
  readonly consumer: string;
  /** The version of the consumer, if a broker names it. */
  readonly version?: string;
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

/** The report of a verification. A case is an interaction, and so is a finding. */
export interface VerifyReport extends Report {
  readonly kind: 'verify';
  /** The name of the provider in the pacts. */
  readonly provider: string;
  readonly baseUrl: string;
  readonly pacts: readonly VerifiedPact[];
  readonly interactions: InteractionTally;
  readonly exchanges: readonly ReportedExchange[];
}

/** What happened in a verification. */
export interface Seen {
  readonly judged: readonly JudgedPact[];
  /** Why the provider could not be tested. Then no interaction has a verdict. */
  readonly untestable: string | undefined;
  /** Which pacts are with other providers: sentences without their ends. */
  readonly leftOut: readonly string[];
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
  const builder = new CaseBuilder(seen, settings);
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
      notes: [
        ...errors,
        ...leftOut.map((which) => `Left out: ${which}.`),
        ...notes.others.map(redactor.message),
      ],
      groups,
      findings,
      remarks: remarksOn(published, settings),
    }),
    summary: summaryOf(pacts, interactions, errors, untestable),
    exchanges,
    provider,
    baseUrl,
    pacts,
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
  [error]: readonly string[],
  untestable: string | undefined,
): string {
  if (untestable !== undefined) {
    const nothing = pacts.some(({ published }) => published === false) ? ' Nothing was published.' : '';
    return `The provider could not be tested: ${untestable}.${nothing}`;
  }
  const { passed, failed, pendingFailures, notVerified } = tally;
  const of = `of ${counted(passed + failed + pendingFailures + notVerified, 'interaction')}`;
  const unread = pacts.filter(({ problem }) => problem !== undefined).length;
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
  for (const [at, { source, consumer, errors: found }] of judged.entries()) {
    const name = source.version === undefined ? consumer : `${consumer} ${source.version}`;
    const { state, why } = published?.[at] ?? {};
    // Whatever is wrong with a pending pact does not fail a build.
    (source.pending ? others : errors).push(...found);
    if (state === 'failed') errors.push(`the results for ${name} could not be published: ${why}`);
    if (state === 'withheld') others.push(`No result was published for ${name}: ${why}.`);
  }
  return { errors, others };
}

function remarksOn(
  published: readonly PublicationOutcome[] | undefined,
  { provider, broker }: VerifySettings,
): string[] {
  const count = published?.filter(({ state }) => state === 'published').length ?? 0;
  if (count === 0) return [];
  const { branch, publish } = broker ?? {};
  const of = listed([`version ${publish?.version}`, ...(branch === undefined ? [] : [`branch ${branch}`])]);
  return [`The results for ${counted(count, 'pact')} were published, for ${of} of ${provider}.`];
}

class CaseBuilder {
  readonly exchanges: ReportedExchange[] = [];
  readonly findings: Finding[] = [];
  readonly groups: Group[] = [];
  readonly pacts: VerifiedPact[] = [];
  private readonly idOf: ReturnType<typeof caseIds>;
  /** Takes secrets out of what was sent or received, or quotes it. */
  private readonly redactor: Redactor;

  constructor(
    private readonly seen: Seen,
    private readonly settings: VerifySettings,
  ) {
    this.redactor = settings.redactor;
    // What a broker gives changes from day to day, and the ids of the cases should not.
    const isFromBroker = seen.judged.some(({ source }) => source.links !== undefined);
    this.idOf = caseIds({ withConsumer: isFromBroker || seen.judged.length > 1 });
  }

  /** @param outcome what became of its verdict, if it was to be published */
  add(pact: JudgedPact, outcome?: PublicationOutcome): void {
    const { source, consumer, problem } = pact;
    const { where, version, pending, wip } = source;
    const interactions = pact.interactions.map((one) => this.interaction(one));
    // Several versions of one consumer have different ids.
    const isAlone = this.seen.judged.filter((other) => other.consumer === consumer).length === 1;
    const party = isAlone || version === undefined ? consumer : `${consumer} ${version}`;
    this.pacts.push(
      definedOnly({
        where,
        consumer,
        version,
        pending: pending || undefined,
        wip: wip || undefined,
        interactions,
        problem: problem && this.redactor.message(problem),
        published: outcome && outcome.state === 'published',
      }),
    );
    const cases = interactions.map((one, at) =>
      this.case(one, pact.interactions[at] as JudgedInteraction, source, this.idOf(one, party)),
    );
    if (problem !== undefined) cases.push(this.unread(pact, problem));
    this.groups.push({
      title: groupTitle({ consumer, provider: this.settings.provider }),
      detail: detailOf(source),
      cases,
    });
  }

  /** A pact that cannot be verified at all. */
  private unread({ consumer, source }: JudgedPact, problem: string): Case {
    const id = this.idOf({ description: 'the pact as a whole', states: [] }, consumer);
    const isExcused = source.pending === true && this.seen.untestable === undefined;
    return definedOnly({
      id,
      title: id,
      verdict: 'blocked' as const,
      detail: this.redactor.message(problem),
      excuse: isExcused
        ? ({ kind: 'pending', reason: 'the broker marks it as pending' } as const)
        : undefined,
      evidence: [],
    });
  }

  private interaction(judged: JudgedInteraction): VerifiedInteraction {
    const { description, states, verdict, pending, reason, hint } = judged;
    const { message: redact } = this.redactor;
    return definedOnly({
      description,
      states,
      verdict,
      pending,
      mismatches: judged.mismatches.map(({ actual, message, ...rest }) =>
        definedOnly({ ...rest, actual: actual && redact(actual), message: redact(message) }),
      ),
      violations: judged.violations.map((violation) => redactedViolation(violation, redact)),
      reason: reason && redact(reason),
      hint,
      exchange: this.exchange(judged),
    });
  }

  private case(
    interaction: VerifiedInteraction,
    { index, exchange }: JudgedInteraction,
    source: FetchedPact,
    id: string,
  ): Case {
    const { verdict, pending, reason } = interaction;
    // If the provider could not be tested, that is not because of a pending pact.
    const isExcused = pending && verdict !== 'pass' && this.seen.untestable === undefined;
    const who = source.pending ? 'broker' : 'pact';
    const isFailure = verdict === 'fail';
    const { response } = this.exchanges[interaction.exchange ?? -1] ?? {};
    return definedOnly({
      id,
      title: id,
      verdict,
      detail: reason,
      place: { ...(source.links === undefined && { file: source.where }), pointer: `/interactions/${index}` },
      excuse: isExcused
        ? ({ kind: 'pending', reason: `the ${who} marks it as pending` } as const)
        : undefined,
      notes:
        isFailure && response ? [`Response: ${response.status} ${bodyInWords(response.body)}`] : undefined,
      durationMs: exchange && Math.round(exchange.durationMs),
      evidence: isFailure ? this.evidence(interaction, id) : [],
    });
  }

  /** The evidence of a failing interaction. Adds its finding. */
  private evidence({ mismatches, violations, hint, exchange }: VerifiedInteraction, id: string): Evidence[] {
    const title =
      mismatches[0] === undefined
        ? `The response does not conform to the interface: ${violations[0]?.message ?? 'Pact does not say why'}.`
        : `The response does not match the pact: ${mismatches[0].message}.`;
    const finding = this.findings.length;
    this.findings.push(definedOnly({ id: `interaction-${finding + 1}`, title, fix: hint, cases: [id] }));
    const differences = [...mismatches.map(differenceOf), ...violations.map(violationOf)];
    if (differences.length === 0) differences.push({ where: 'pact', actual: title });
    const { request } = this.exchanges[exchange ?? -1] ?? {};
    const sent = request && `${request.method} ${request.url} ${bodyInWords(request.body)}`;
    return differences.map((difference, at) =>
      definedOnly({
        // Only the first one names the request: it is the same for all.
        sent: at === 0 ? sent : undefined,
        ...difference,
        finding,
        exchanges: exchange === undefined ? undefined : [exchange],
      }),
    );
  }

  /** Adds the exchange of an interaction, and returns its index. */
  private exchange({ description, exchange, sentAt }: JudgedInteraction): number | undefined {
    if (exchange === undefined) return undefined;
    const { message: redact } = this.redactor;
    const { request, response, failure, durationMs } = exchange;
    const reported = ({ headers, body }: { readonly headers: Fields; readonly body: Uint8Array }) => ({
      headers: headers.map(([name, value]) => [name, redact(value)] as const),
      body: reportedBody(body, redact),
    });
    const url = this.settings.baseUrl + redact(request.target);
    return (
      this.exchanges.push(
        definedOnly({
          name: description,
          role: 'judged' as const,
          request: { method: request.method, url, ...reported(request) },
          response: response && {
            status: response.status,
            ...reported(response),
            complete: response.complete,
          },
          failure: failure === undefined ? undefined : { kind: 'no-response', message: redact(failure) },
          startMs: Math.round((sentAt ?? this.seen.start) - this.seen.start),
          durationMs: Math.round(durationMs),
        }),
      ) - 1
    );
  }
}

/** Where a pact comes from: `version 1.0.1, pending, http://…` */
function detailOf({ where, version, wip, pending }: FetchedPact): string {
  const parts = [
    version === undefined ? undefined : `version ${version}`,
    wip ? 'work in progress' : pending ? 'pending' : undefined,
    where,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

function bodyInWords({ encoding, text }: ReportedBody): string {
  return encoding === 'base64' ? '(the body is not UTF-8)' : excerpt(text);
}

function differenceOf({ part, path, expected, actual, message }: Mismatch): Omit<Evidence, 'finding'> {
  const where = `pact: ${part}${path === undefined ? '' : ` ${path}`}`;
  // For headers and bodies, a matching rule decides, and only the message names it.
  return part === 'status' && expected !== undefined && actual !== undefined
    ? { where, expected: `the status ${expected}`, actual: `the status ${actual}` }
    : { where, actual: message };
}

function violationOf({ part, pointer, expected, actual }: Violation): Omit<Evidence, 'finding'> {
  return { where: `interface: ${part}${pointer === '' ? '' : ` ${pointer}`}`, expected, actual };
}

import { definedOnly } from '../../defined-only.js';
import type { Fields } from '../../http/fields.js';
import { reportFrame } from '../../report/build.js';
import { isBroken } from '../../report/conclusion.js';
import { excerpt, type ReportedBody, type ReportedExchange, reportedBody } from '../../report/exchange.js';
import type { Case, Evidence, Finding, Group, Report } from '../../report/frame.js';
import { counted } from '../../report/wording.js';
import type { Violation } from '../../validation/violation.js';
import type { FetchedPact } from '../broker/broker.js';
import type { PublicationOutcome } from '../broker/publish.js';
import { caseIds } from '../case-ids.js';
import type { JudgedInteraction, JudgedPact } from './judge.js';
import type { VerifySettings } from './options.js';
import type { Mismatch } from './pact-verifier.js';

/** The report of a verification. A group is a pact. A case is an interaction, and so is a finding. */
export interface VerifyReport extends Report {
  readonly kind: 'verify';
  /** The name of the provider in the pacts. */
  readonly provider: string;
  readonly baseUrl: string;
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
}

/** Takes secrets out of what was sent or received, or quotes it. */
type Redact = (text: string) => string;

/** Builds the report. It contains no secret. */
export function verifyReport(seen: Seen, settings: VerifySettings): VerifyReport {
  const { judged, untestable, leftOut, published, startedAt } = seen;
  const { baseUrl, provider, redactor } = settings;
  const { message: redact } = redactor;
  const exchanges: ReportedExchange[] = [];
  const findings: Finding[] = [];
  // What a broker gives changes from day to day, and the ids of the cases should not.
  const withConsumer = judged.length > 1 || judged.some(({ source }) => source.links !== undefined);
  const idOf = caseIds();
  const groups = judged.map((pact): Group => {
    const { source, consumer, interactions } = pact;
    // Several versions of one consumer have different ids.
    const isAlone = judged.filter((other) => other.consumer === consumer).length === 1;
    const party = isAlone ? consumer : nameOf(pact);
    const cases = interactions.map((interaction): Case => {
      const { index, verdict, reason, pending } = interaction;
      const id = idOf(interaction, withConsumer ? party : undefined);
      const exchange = reportedExchange(interaction, settings, startedAt);
      if (exchange !== undefined) exchanges.push(exchange);
      const failure = isBroken(interaction) ? interaction : undefined;
      if (failure !== undefined) findings.push(findingOf(failure, findings.length + 1, id, redact));
      const evidence = failure && evidenceOf(failure, exchange, findings.length - 1, redact);
      const shown = exchange && { exchanges: [exchanges.length - 1] };
      // If the provider could not be tested, that is not because of a pending pact.
      const isExcused = pending && verdict !== 'pass' && untestable === undefined;
      const who = source.pending ? 'broker' : 'pact';
      return definedOnly({
        id,
        title: id,
        verdict,
        detail: reason && redact(reason),
        place: {
          ...(source.links === undefined && { file: source.where }),
          pointer: index === undefined ? '' : `/interactions/${index}`,
        },
        excuse: isExcused
          ? ({ kind: 'pending', reason: `the ${who} marks it as pending` } as const)
          : undefined,
        notes:
          failure && exchange?.response
            ? [`Response: ${exchange.response.status} ${bodyInWords(exchange.response.body)}`]
            : undefined,
        durationMs: exchange?.durationMs,
        evidence: evidence?.map((one) => ({ ...one, ...shown })) ?? [],
      });
    });
    return { title: `${consumer} → ${provider}`, detail: detailOf(source), cases };
  });
  const notes = notesOf(judged, published);
  const errors = notes.errors.map(redact);
  return redactor.data({
    ...reportFrame({
      kind: 'verify',
      subject: `${provider} at ${baseUrl}`,
      startedAt,
      circumstances: { notTestable: untestable !== undefined, incomplete: errors.length > 0 },
      notes: [...errors, ...leftOut.map((which) => `Left out: ${which}.`), ...notes.others.map(redact)],
      groups,
      findings,
      remarks: remarksOn(published, settings),
    }),
    summary: summaryOf(seen, errors),
    exchanges,
    provider,
    baseUrl,
  });
}

/** The summary of a verification: what the provider does, then what does not count or could not be done. */
function summaryOf({ judged, untestable, published }: Seen, [error]: readonly string[]): string {
  if (untestable !== undefined) {
    const nothing = published === undefined ? '' : ' Nothing was published.';
    return `The provider could not be tested: ${untestable}.${nothing}`;
  }
  const all = judged.flatMap(({ interactions }) => interactions);
  const count = (those: (one: JudgedInteraction) => boolean): number => all.filter(those).length;
  const unread = count(({ index }) => index === undefined);
  const failed = count(({ verdict, pending }) => verdict === 'fail' && !pending);
  const pendingFailures = count(({ verdict, pending }) => verdict === 'fail' && pending);
  const notVerified = count(({ verdict }) => verdict === 'blocked') - unread;
  const of = `of ${counted(all.length - unread, 'interaction')}`;
  const parts = [
    failed > 0
      ? `The provider fails ${failed} ${of}`
      : `The provider satisfies ${count(({ verdict }) => verdict === 'pass' || verdict === 'warn')} ${of}`,
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
    const { state, why } = published?.[at] ?? {};
    // Whatever is wrong with a pending pact does not fail a build.
    (pact.source.pending ? others : errors).push(...pact.errors);
    if (state === 'failed') errors.push(`the results for ${nameOf(pact)} could not be published: ${why}`);
    if (state === 'withheld') others.push(`No result was published for ${nameOf(pact)}: ${why}.`);
  }
  return { errors, others };
}

/** `garden-app 1.0.1`; without a version if no broker gave the pact. */
function nameOf({ consumer, source: { version } }: JudgedPact): string {
  return version === undefined ? consumer : `${consumer} ${version}`;
}

function remarksOn(
  published: readonly PublicationOutcome[] | undefined,
  { provider, broker }: VerifySettings,
): string[] {
  const count = published?.filter(({ state }) => state === 'published').length ?? 0;
  if (count === 0) return [];
  const { version } = broker?.publish ?? {};
  return [`The results for ${counted(count, 'pact')} were published, for version ${version} of ${provider}.`];
}

function findingOf(
  { verdict, mismatches: [mismatch], violations: [violation], hint }: JudgedInteraction,
  number: number,
  id: string,
  redact: Redact,
): Finding {
  const title =
    mismatch === undefined
      ? `The response does not conform to the interface: ${redact(violation?.message ?? '')}.`
      : `The response does not match the pact: ${redact(mismatch.message)}.`;
  const severity = verdict === 'warn' ? ('warning' as const) : undefined;
  return definedOnly({ id: `interaction-${number}`, title, severity, fix: hint, cases: [id] });
}

/** The differences of a response. Only the first one names the request: it is the same for all. */
function evidenceOf(
  { mismatches, violations }: JudgedInteraction,
  exchange: ReportedExchange | undefined,
  finding: number,
  redact: Redact,
): Evidence[] {
  const { request } = exchange ?? {};
  const sent = request && `${request.method} ${request.url} ${bodyInWords(request.body)}`;
  const differences = [
    ...mismatches.map((one) => differenceOf(one, redact)),
    ...violations.map((one) => violationOf(one, redact)),
  ];
  return differences.map((one, at) => definedOnly({ sent: at === 0 ? sent : undefined, ...one, finding }));
}

function reportedExchange(
  { description, exchange, sentAt }: JudgedInteraction,
  { baseUrl, redactor: { message: redact } }: VerifySettings,
  startedAt: Date,
): ReportedExchange | undefined {
  if (exchange === undefined) return undefined;
  const { request, response, failure, durationMs } = exchange;
  const reported = ({ headers, body }: { readonly headers: Fields; readonly body: Uint8Array }) => ({
    headers: headers.map(([name, value]) => [name, redact(value)] as const),
    body: reportedBody(body, redact),
  });
  return definedOnly({
    name: description,
    role: 'judged' as const,
    request: { method: request.method, url: baseUrl + redact(request.target), ...reported(request) },
    response: response && {
      status: response.status,
      ...reported(response),
      complete: response.complete,
    },
    failure: failure === undefined ? undefined : { kind: 'no-response', message: redact(failure) },
    startMs: (sentAt ?? startedAt).getTime() - startedAt.getTime(),
    durationMs: Math.round(durationMs),
  });
}

/** Where a pact comes from: `version 1.0.1, pending, http://…` */
function detailOf({ where, version, pending }: FetchedPact): string {
  const parts = [version !== undefined && `version ${version}`, pending && 'pending', where];
  return parts.filter(Boolean).join(', ');
}

function bodyInWords({ encoding, text }: ReportedBody): string {
  return encoding === 'base64' ? '(the body is not UTF-8)' : excerpt(text);
}

function differenceOf({ part, path, expected, actual, message }: Mismatch, redact: Redact) {
  const where = `pact: ${part}${path === undefined ? '' : ` ${path}`}`;
  // For headers and bodies, a matching rule decides, and only the message names it.
  return part === 'status' && expected !== undefined && actual !== undefined
    ? { where, expected: `the status ${expected}`, actual: `the status ${actual}` }
    : { where, actual: redact(message) };
}

function violationOf({ part, pointer, expected, actual }: Violation, redact: Redact) {
  const where = `interface: ${part}${pointer === '' ? '' : ` ${redact(pointer)}`}`;
  return { where, expected, actual: redact(actual) };
}

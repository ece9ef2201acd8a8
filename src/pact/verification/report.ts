import { definedOnly } from '../../defined-only.js';
import type { Fields } from '../../http/fields.js';
import { reportFrame } from '../../report/build.js';
import { excerpt, type ReportedBody, type ReportedExchange, reportedBody } from '../../report/exchange.js';
import type { Case, Evidence, Excuse, Finding, Group, Report } from '../../report/frame.js';
import type { Redactor } from '../../report/redaction.js';
import { counted, listed } from '../../report/wording.js';
import type { Violation } from '../../validation/violation.js';
import { type FetchedPact, noticesFor } from '../broker/pacts.js';
import { caseIds, groupTitle } from '../case-ids.js';
import { type LeftOutPact, leftOutInWords } from '../pact-sources.js';
import type { JudgedInteraction, JudgedPact, Testability, VerifiedInteraction } from './judge.js';
import type { VerifySettings } from './options.js';
import type { Mismatch } from './pact-verifier.js';
import { type PublicationOutcome, successOf } from './publish.js';

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
    const notices = noticesFor(source.notices ?? [], successOf(pact), state === 'published');
    others.push(...notices.map((text) => `${name}: ${text}`));
  }
  return { errors, others };
}

/** `garden-app 1.0.1`, or the consumer alone. */
function nameOf({ consumer, source: { version } }: JudgedPact): string {
  return version === undefined ? consumer : `${consumer} ${version}`;
}

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

/** What the parts of a report depend on besides the settings. */
interface VerificationRun {
  /** The pacts that will be added. */
  readonly judged: readonly JudgedPact[];
  /** Whether the provider could be tested. */
  readonly isTestable: boolean;
  /** The start of the run, by the clock of `performance`. */
  readonly start: number;
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
    private readonly settings: VerifySettings,
    private readonly run: VerificationRun,
  ) {
    this.redactor = settings.redactor;
    // What a broker gives changes from day to day, and the ids of the cases should not.
    const isFromBroker = run.judged.some(({ source }) => source.broker !== undefined);
    this.idOf = caseIds({ withConsumer: isFromBroker || run.judged.length > 1 });
  }

  /** @param outcome what became of its verdict, if it was to be published */
  add(pact: JudgedPact, outcome?: PublicationOutcome): void {
    const { source, consumer, interactions: judged, problem } = pact;
    const { where, version, branch, pending, wip } = source;
    const interactions = judged.map((one) => this.interaction(one));
    const party = this.partyOf(pact);
    this.pacts.push(
      definedOnly({
        where,
        consumer,
        version,
        branch,
        pending: pending || undefined,
        wip: wip || undefined,
        interactions,
        problem: problem && this.redactor.message(problem),
        published: outcome && outcome.state === 'published',
      }),
    );
    this.groups.push({
      title: groupTitle({ consumer, provider: this.settings.provider }),
      detail: detailOf(source),
      cases:
        problem === undefined
          ? interactions.map((one, at) =>
              this.case(one, judged[at] as JudgedInteraction, source, this.idOf(one, party)),
            )
          : [this.unread(pact, problem)],
    });
  }

  /** The consumer, with its branch or version if several of its pacts are verified. */
  private partyOf({ consumer, source: { branch, version } }: JudgedPact): string {
    const isAlone = this.run.judged.filter((other) => other.consumer === consumer).length === 1;
    const which = branch ?? version;
    return isAlone || which === undefined ? consumer : `${consumer} ${which}`;
  }

  /** A pact that cannot be verified at all. */
  private unread({ consumer, source }: JudgedPact, problem: string): Case {
    const id = this.idOf({ description: 'the pact as a whole', states: [] }, consumer);
    return definedOnly({
      id,
      title: id,
      verdict: 'blocked' as const,
      detail: this.redactor.message(problem),
      excuse: this.excuses('blocked', source.pending === true) ? pendingBy('broker') : undefined,
      evidence: [],
    });
  }

  private interaction(judged: JudgedInteraction): VerifiedInteraction {
    const { description, states, verdict, pending, reason, hint } = judged;
    return definedOnly({
      description,
      states,
      verdict,
      pending,
      mismatches: judged.mismatches.map(({ actual, message, ...rest }) =>
        definedOnly({
          ...rest,
          actual: actual && this.redactor.message(actual),
          message: this.redactor.message(message),
        }),
      ),
      violations: judged.violations.map((violation) => ({
        ...violation,
        actual: this.redactor.message(violation.actual),
        message: this.redactor.message(violation.message),
      })),
      reason: reason && this.redactor.message(reason),
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
    const pointer = `/interactions/${index}`;
    const isFailure = verdict === 'fail';
    return definedOnly({
      id,
      title: id,
      verdict,
      detail: reason,
      place: source.broker === undefined ? { file: source.where, pointer } : { pointer },
      excuse: this.excuses(verdict, pending) ? pendingBy(source.pending ? 'broker' : 'pact') : undefined,
      notes: isFailure ? this.received(interaction.exchange) : undefined,
      durationMs: exchange && Math.round(exchange.durationMs),
      evidence: isFailure ? this.evidence(interaction, id) : [],
    });
  }

  /** Whether a verdict does not count. If the provider could not be tested, that is not because of a pending pact. */
  private excuses(verdict: VerifiedInteraction['verdict'], pending: boolean): boolean {
    return pending && (verdict === 'fail' || (verdict === 'blocked' && this.run.isTestable));
  }

  /** The evidence of a failing interaction. Adds its finding. */
  private evidence({ mismatches, violations, hint, exchange }: VerifiedInteraction, id: string): Evidence[] {
    const title =
      mismatches[0] === undefined
        ? `The response does not conform to the interface: ${violations[0]?.message ?? 'Pact does not say why'}.`
        : `The response does not match the pact: ${mismatches[0].message}.`;
    const finding = this.findings.length;
    this.findings.push(
      definedOnly({
        id: `interaction-${finding + 1}`,
        title,
        fix: hint,
        cases: [id],
      }),
    );
    const differences = [...mismatches.map(differenceOf), ...violations.map(violationOf)];
    if (differences.length === 0) differences.push({ where: 'pact', actual: title });
    return differences.map((difference, at) =>
      definedOnly({
        // Only the first one names the request: it is the same for all.
        sent: at === 0 ? this.sent(exchange) : undefined,
        ...difference,
        finding,
        exchanges: exchange === undefined ? undefined : [exchange],
      }),
    );
  }

  private sent(at = -1): string | undefined {
    const request = this.exchanges[at]?.request;
    return request && `${request.method} ${request.url} ${bodyInWords(request.body)}`;
  }

  private received(at = -1): string[] | undefined {
    const exchange = this.exchanges[at];
    const { response } = exchange ?? {};
    return exchange && (response ? [`Response: ${response.status} ${bodyInWords(response.body)}`] : []);
  }

  /** Adds the exchange of an interaction, and returns its index. */
  private exchange({
    description,
    exchange,
    sentAt = this.run.start,
  }: JudgedInteraction): number | undefined {
    if (exchange === undefined) return undefined;
    const { request, response, failure, durationMs } = exchange;
    const message = ({ headers, body }: { readonly headers: Fields; readonly body: Uint8Array }) => ({
      headers: headers.map(([name, value]) => [name, this.redactor.message(value)] as const),
      body: reportedBody(body, this.redactor.message),
    });
    const { method, target } = request;
    const reported: ReportedExchange = definedOnly({
      name: description,
      role: 'judged',
      request: { method, url: this.settings.baseUrl + this.redactor.message(target), ...message(request) },
      response: response && {
        status: response.status,
        ...message(response),
        complete: response.complete,
      },
      failure:
        failure === undefined ? undefined : { kind: 'no-response', message: this.redactor.message(failure) },
      startMs: Math.round(sentAt - this.run.start),
      durationMs: Math.round(durationMs),
    });
    return this.exchanges.push(reported) - 1;
  }
}

function pendingBy(who: 'broker' | 'pact'): Excuse {
  return { kind: 'pending', reason: `the ${who} marks it as pending` };
}

/** Where a pact comes from: `version 1.0.1, branch main, http://…` */
function detailOf({ where, version, branch, wip, pending }: FetchedPact): string {
  const parts = [
    version === undefined ? undefined : `version ${version}`,
    branch === undefined ? undefined : `branch ${branch}`,
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

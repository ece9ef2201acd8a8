import { definedOnly } from '../../defined-only.js';
import type { Fields } from '../../http/fields.js';
import { reportFrame } from '../../report/build.js';
import { excerpt, type ReportedBody, type ReportedExchange, reportedBody } from '../../report/exchange.js';
import type { Case, Evidence, Finding, Group, Report } from '../../report/frame.js';
import type { Redactor } from '../../report/redaction.js';
import { withoutStyle } from '../../report/terminal-text.js';
import { capitalised, counted } from '../../report/wording.js';
import { readJsonText } from '../../validation/json.js';
import { isObject, type JsonObject, type JsonValue, objectOf } from '../../validation/json-value.js';
import { caseIds, type ReadPact } from '../pacts.js';
import { providerStates } from '../states.js';
import type { SeenInteraction } from './verifier-options.js';

/** The report of a verification. A group is a pact, or the pacts of a server. A case is an interaction, and so is a finding. */
export interface VerifyReport extends Report {
  readonly kind: 'verify';
  /** The name of the provider in the pacts. */
  readonly provider: string;
  readonly baseUrl: string;
  readonly exchanges: readonly ReportedExchange[];
}

/** What one run of Pact's verifier was about, and what came of it. */
export interface Ran {
  /** A file, a URL, or the broker. */
  readonly where: string;
  /** The pact, unless Pact got it from a server. */
  readonly read?: ReadPact | undefined;
  /** Where Pact found the file. */
  readonly file?: string;
  /** Pact's result: JSON, or a sentence if there was no verification. */
  readonly result: string;
  /** In the order in which Pact verified them. */
  readonly interactions: readonly SeenInteraction[];
}

/** What happened in a verification. */
export interface Seen {
  readonly ran: readonly Ran[];
  /** Pacts that cannot be verified. */
  readonly unread: readonly ReadPact[];
  /** Which pacts are with other providers: sentences without their ends. */
  readonly leftOut: readonly string[];
  /** Why the provider could not be tested. Then no interaction has a verdict. */
  readonly untestable: string | undefined;
  /** The end of what Pact has printed. */
  readonly printed: string;
  readonly broker: {
    readonly publishVerificationResult?: boolean | undefined;
    readonly providerVersion?: string | undefined;
  };
  readonly startedAt: Date;
}

interface Settings {
  readonly provider: string;
  readonly baseUrl: string;
  readonly redactor: Redactor;
}

/** One interaction with its verdict. */
interface Judged {
  readonly description: string;
  readonly states: readonly string[];
  readonly consumer?: string | undefined;
  readonly verdict: 'pass' | 'fail' | 'blocked';
  readonly reason?: string | undefined;
  readonly isPending: boolean;
  readonly mismatches: readonly Mismatch[];
  readonly seen: SeenInteraction | undefined;
  /** What may be wrong with the pact; a sentence. */
  readonly hint?: string | undefined;
}

/** Builds the report. It contains no secret. */
export function verifyReport(seen: Seen, { provider, baseUrl, redactor }: Settings): VerifyReport {
  const { ran, unread, leftOut, untestable, startedAt } = seen;
  const redact = redactor.message;
  const exchanges: ReportedExchange[] = [];
  const findings: Finding[] = [];
  const idOf = caseIds();
  const errors: string[] = [];
  const judged = ran.map((one) => {
    if (untestable !== undefined)
      return { ran: one, interactions: unjudged(one.read, 'the provider could not be tested') };
    const result = judgedOf(one);
    errors.push(...result.errors);
    return { ran: one, interactions: result.interactions };
  });
  if (untestable === undefined) errors.push(...publishing(seen));
  const isOne = judged.length === 1 && judged[0]?.ran.read !== undefined;
  const caseOf = (one: Judged, { where, read }: Ran, index: number): Case => {
    const { verdict, reason, isPending, mismatches } = one;
    const id = idOf(one, isOne ? undefined : one.consumer);
    const exchange = reportedExchange(one, baseUrl, redact, startedAt);
    if (exchange !== undefined) exchanges.push(exchange);
    const sent =
      exchange && `${exchange.request.method} ${exchange.request.url} ${bodyInWords(exchange.request.body)}`;
    const evidence = mismatches.map(
      (mismatch, at): Evidence =>
        definedOnly({
          ...(at === 0 && { sent }),
          ...differenceOf(mismatch, redact),
          finding: findings.length,
          ...(exchange && { exchanges: [exchanges.length - 1] }),
        }),
    );
    if (verdict === 'fail')
      findings.push(
        definedOnly({
          id: `interaction-${findings.length + 1}`,
          title: `The response does not match the pact: ${redact(mismatches[0]?.message ?? '')}.`,
          fix: one.hint,
          cases: [id],
        }),
      );
    return definedOnly({
      id,
      title: id,
      verdict,
      detail: reason && redact(reason),
      place: read && { file: where, pointer: `/interactions/${index}` },
      excuse:
        isPending && verdict !== 'pass' && untestable === undefined
          ? ({ kind: 'pending', reason: `the ${read ? 'pact' : 'broker'} marks it as pending` } as const)
          : undefined,
      notes:
        verdict === 'fail' && exchange?.response
          ? [`Response: ${exchange.response.status} ${bodyInWords(exchange.response.body)}`]
          : undefined,
      durationMs: exchange?.durationMs,
      evidence: verdict === 'fail' ? evidence : [],
    });
  };
  const groups = [
    ...judged.map(
      ({ ran: one, interactions }): Group => ({
        title: one.read?.pact === undefined ? provider : `${one.read.pact.consumer} → ${provider}`,
        detail: redact(one.where),
        cases: interactions.map((interaction, index) => caseOf(interaction, one, index)),
      }),
    ),
    ...unread.map(({ where, problem = '' }): Group => {
      const id = idOf({ description: `the pact as a whole, ${where}`, states: [] });
      const whole = {
        id,
        title: id,
        verdict: 'blocked',
        detail: problem,
        place: { file: where, pointer: '' },
      } as const;
      return { title: where, cases: [{ ...whole, evidence: [] }] };
    }),
  ];
  const notes = errors.map(redact);
  return redactor.data({
    ...reportFrame({
      kind: 'verify',
      subject: `${provider} at ${baseUrl}`,
      startedAt,
      circumstances: { notTestable: untestable !== undefined, incomplete: notes.length > 0 },
      notes: [...notes.map(capitalised), ...leftOut.map((which) => `Left out: ${which}.`)],
      groups,
      findings,
      remarks: remarksOn(seen, notes, provider),
    }),
    summary: redact(
      summaryOf(
        judged.flatMap(({ interactions }) => interactions),
        seen,
        notes,
      ),
    ),
    exchanges,
    provider,
    baseUrl,
  });
}

/** Pact's result, interaction by interaction. */
function judgedOf({ result, interactions: seen, read, where, file }: Ran): {
  readonly interactions: readonly Judged[];
  readonly errors: readonly string[];
} {
  const json = readJsonText(result);
  const { interactionResults, errors: counting, pendingErrors } = objectOf(json.ok ? json.value : undefined);
  const inPact = (text: string): string =>
    withoutStyle(file === undefined ? text : text.replaceAll(file, where)).trim();
  if (!Array.isArray(interactionResults))
    return {
      interactions: unjudged(read),
      errors: [inPact(result) || 'Pact gave no result'],
    };
  const failures = [...failuresIn(counting, false), ...failuresIn(pendingErrors, true)];
  const interactions = interactionResults.filter(isObject).map((one, at): Judged => {
    const description = String(one.description ?? '');
    const passes = one.result === 'OK';
    // A failure names its interaction in a sentence that ends with the description. Pact 17 also has it in the result.
    const ours = read?.pact?.interactions[at]?.pending === true;
    const found = passes ? undefined : take(failures, description, ours);
    const isPending = one.pending === true || (found?.isPending ?? ours);
    const { problem, exchange, states = [] } = seen[at] ?? {};
    const mismatches = passes
      ? []
      : exchange?.failure === undefined
        ? mismatchesIn(one.mismatch ?? found?.mismatch)
        : [{ part: 'request' as const, message: exchange.failure }];
    const reason =
      problem ??
      (passes || exchange !== undefined
        ? undefined
        : inPact(mismatches.map(({ message }) => message).join('; ')));
    const verdict = reason !== undefined ? 'blocked' : passes ? 'pass' : 'fail';
    const consumer = read?.pact?.consumer ?? (typeof one.consumer === 'string' ? one.consumer : undefined);
    return {
      description,
      states,
      consumer,
      verdict,
      reason,
      isPending,
      mismatches,
      seen: seen[at],
      hint: hintFor(seen[at], read, at),
    };
  });
  const rest = failures
    .filter(({ isPending }) => !isPending)
    .map(({ text, mismatch }) => [text, ...mismatchesIn(mismatch).map(({ message }) => message)])
    .map((parts) => inPact(parts.filter((part) => part !== '').join(': ')));
  const expected = read?.pact?.interactions.length;
  if (expected !== undefined && interactions.length !== expected && rest.length === 0)
    rest.push(`Pact verified ${interactions.length} of ${counted(expected, 'interaction')} of ${where}`);
  if (interactions.length === 0 && rest.length === 0)
    rest.push(`there is no interaction with this provider at ${where}`);
  return {
    interactions: interactions.length === 0 ? unjudged(read) : interactions,
    errors: rest,
  };
}

/** The interactions of a pact without a verdict; none if the pact is not known. */
function unjudged(read: ReadPact | undefined, reason = 'Pact did not verify it'): readonly Judged[] {
  return (read?.pact?.interactions ?? []).map(
    ({ description, states, pending }): Judged => ({
      description,
      states: states.map(({ name }) => name),
      consumer: read?.pact?.consumer,
      verdict: 'blocked',
      reason,
      isPending: pending,
      mismatches: [],
      seen: undefined,
    }),
  );
}

function hintFor(
  seen: SeenInteraction | undefined,
  read: ReadPact | undefined,
  at: number,
): string | undefined {
  const { status = 0 } = seen?.exchange?.response ?? {};
  const isAccepted = status >= 200 && status < 300;
  const { response, request } = read?.pact?.interactions[at] ?? {};
  const hasToken = request?.headers.some(([name]) => name.toLowerCase() === 'authorization') === true;
  if (!isAccepted || !hasToken || (response?.status ?? 0) < 400 || seen?.keepsToken) return undefined;
  return `The token of the pact was replaced. If the pact means a wrong token, give it the state "${providerStates.tokenIsNotValid}".`;
}

/** A failure in Pact's result. */
interface Failure {
  /** A sentence with the consumer, the states and the description. */
  readonly text: string;
  readonly mismatch: JsonValue | undefined;
  readonly isPending: boolean;
}

function failuresIn(list: JsonValue | undefined, isPending: boolean): Failure[] {
  return (Array.isArray(list) ? list : []).filter(isObject).map(({ interaction, mismatch }) => ({
    text: withoutStyle(String(interaction ?? '')),
    mismatch,
    isPending,
  }));
}

/** Takes the failure of an interaction out of a list, which has the order of the interactions. */
function take(failures: Failure[], description: string, isPending: boolean): Failure | undefined {
  const named = failures.filter(({ text }) => text.endsWith(` - ${description}`));
  const found = named.find((one) => one.isPending === isPending) ?? named[0];
  if (found !== undefined) failures.splice(failures.indexOf(found), 1);
  return found;
}

/** One difference between a response and a pact, in Pact's words. */
interface Mismatch {
  /** The part that differs; `request` if there is no response. */
  readonly part: 'status' | 'header' | 'body' | 'request';
  /** The path in the body, as in `$.name`, or the name of the header. */
  readonly path?: string | undefined;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
  /** A sentence. */
  readonly message: string;
}

/** In the order of a response: a person looks at the status first. */
const PARTS = ['status', 'header', 'body'] as const;

/** What differs: at least one thing. */
function mismatchesIn(failure: JsonValue | undefined): Mismatch[] {
  const { mismatches, message } = objectOf(failure);
  if (!Array.isArray(mismatches) || mismatches.length === 0)
    return [{ part: 'request', message: textOf(message) ?? 'Pact gave no reason' }];
  const found = mismatches.filter(isObject).map((mismatch: JsonObject): Mismatch => {
    const { type, mismatch: sentence, path, key, expected, actual } = mismatch;
    const part = PARTS.find((name) => String(type).toLowerCase().startsWith(name)) ?? 'body';
    return {
      part,
      path: textOf(path ?? key),
      expected: textOf(expected),
      actual: textOf(actual),
      message: textOf(sentence) ?? `the ${part} differs`,
    };
  });
  return found.sort((a, b) => PARTS.indexOf(a.part as 'body') - PARTS.indexOf(b.part as 'body'));
}

/** Pact quotes whole bodies. */
const LONGEST_TEXT = 10_000;

function textOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = withoutStyle(String(value));
  return text.length <= LONGEST_TEXT ? text : excerpt(text, LONGEST_TEXT);
}

/** What went wrong with the publication. Pact exits as if nothing had happened, and only prints it. */
function publishing({ broker, printed, ran }: Seen): string[] {
  if (broker.publishVerificationResult !== true) return [];
  if (ran.every(({ read }) => read !== undefined)) return ['nothing was published: no broker gave a pact'];
  const [, why] =
    /Publishing of verification results failed with an error: (.*)/.exec(withoutStyle(printed)) ?? [];
  return why === undefined ? [] : [`the results could not be published: ${excerpt(why)}`];
}

function remarksOn({ broker, untestable }: Seen, errors: readonly string[], provider: string): string[] {
  if (broker.publishVerificationResult !== true || untestable !== undefined || errors.length > 0) return [];
  return [`The results were published, for version ${broker.providerVersion} of ${provider}.`];
}

/** The summary: what the provider does, then what does not count or could not be done. */
function summaryOf(
  all: readonly Judged[],
  { untestable, broker, unread }: Seen,
  [error]: readonly string[],
): string {
  if (untestable !== undefined) {
    const nothing = broker.publishVerificationResult === true ? ' Nothing was published.' : '';
    return `The provider could not be tested: ${untestable}${/[.?]$/.test(untestable) ? '' : '.'}${nothing}`;
  }
  const count = (those: (one: Judged) => boolean): number => all.filter(those).length;
  const failed = count(({ verdict, isPending }) => verdict === 'fail' && !isPending);
  const pendingFailures = count(({ verdict, isPending }) => verdict === 'fail' && isPending);
  const notVerified = count(({ verdict }) => verdict === 'blocked');
  const of = `of ${counted(all.length, 'interaction')}`;
  const parts = [
    failed > 0
      ? `The provider fails ${failed} ${of}`
      : `The provider satisfies ${count(({ verdict }) => verdict === 'pass')} ${of}`,
    pendingFailures > 0 &&
      `${counted(pendingFailures, 'pending failure')} ${pendingFailures === 1 ? 'does' : 'do'} not count`,
    notVerified > 0 && `${notVerified} could not be verified`,
    unread.length > 0 && `${counted(unread.length, 'pact')} could not be verified`,
    error,
  ];
  return `${parts.filter((part) => typeof part === 'string').join('; ')}.`;
}

function reportedExchange(
  { description, seen }: Judged,
  baseUrl: string,
  redact: (text: string) => string,
  startedAt: Date,
): ReportedExchange | undefined {
  if (seen?.exchange === undefined) return undefined;
  const { request, response, failure, durationMs } = seen.exchange;
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
    startMs: (seen.sentAt ?? startedAt).getTime() - startedAt.getTime(),
    durationMs: Math.round(durationMs),
  });
}

function bodyInWords({ encoding, text }: ReportedBody): string {
  return encoding === 'base64' ? '(the body is not UTF-8)' : excerpt(text);
}

function differenceOf(
  { part, path, expected, actual, message }: Mismatch,
  redact: (text: string) => string,
): Pick<Evidence, 'where' | 'expected' | 'actual'> {
  const where = `pact: ${part}${path === undefined ? '' : ` ${path}`}`;
  // For headers and bodies, a matching rule decides, and only the message names it.
  return part === 'status' && expected !== undefined && actual !== undefined
    ? { where, expected: `the status ${expected}`, actual: `the status ${actual}` }
    : { where, actual: redact(message) };
}

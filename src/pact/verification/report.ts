import { isUtf8 } from 'node:buffer';
import { definedOnly } from '../../defined-only.js';
import { headerValues } from '../../http/fields.js';
import { reportFrame } from '../../report/build.js';
import { excerpt } from '../../report/exchange.js';
import type { Case, Evidence, Finding, Group, Report } from '../../report/frame.js';
import type { Redactor } from '../../report/redaction.js';
import { withoutStyle } from '../../report/terminal-text.js';
import { capitalised, counted } from '../../report/wording.js';
import { readJsonText } from '../../validation/json.js';
import { isObject, type JsonValue, objectOf } from '../../validation/json-value.js';
import { caseIds, type Pact, type PactInteraction } from '../pacts.js';
import { providerStates } from '../states.js';
import type { SeenInteraction } from './verifier-options.js';

/** The report of a verification. A group is a pact, or the pacts of a server. A case is an interaction, and so is a finding. */
export interface VerifyReport extends Report {
  readonly kind: 'verify';
  /** The name of the provider in the pacts. */
  readonly provider: string;
  readonly baseUrl: string;
}

/** What one run of Pact's verifier was about, and what came of it. */
export interface Ran {
  /** A file, a URL, or the broker. */
  readonly where: string;
  /** Left out if Pact got it from a server. */
  readonly pact?: Pact | undefined;
  /** The copy of a file that Pact got. */
  readonly copy?: string | undefined;
  /** Pact's result: JSON, or a sentence if there was no verification. */
  readonly result: string;
  /** In the order in which Pact verified them. */
  readonly interactions: readonly SeenInteraction[];
}

/** What happened in a verification. */
export interface Seen {
  readonly provider: string;
  readonly baseUrl: string;
  readonly ran: readonly Ran[];
  /** Why pacts cannot be verified: sentences without their ends. */
  readonly unread: readonly string[];
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
  readonly redactor: Redactor;
}

/** One interaction with its verdict. */
interface Judged {
  readonly description: string;
  readonly states: readonly string[];
  readonly consumer?: string | undefined;
  readonly verdict: 'pass' | 'fail' | 'blocked';
  /** Why it is blocked. */
  readonly reason?: string | undefined;
  readonly isPending: boolean;
  /** At least one if it fails. */
  readonly mismatches: readonly Mismatch[];
  readonly seen?: SeenInteraction | undefined;
  readonly durationMs?: number | undefined;
  /** What may be wrong with the pact; a sentence. */
  readonly hint?: string | undefined;
}

/** One difference between a response and a pact. */
interface Mismatch {
  /** `status`, `header Content-Type`, `body $.name`; `request` if there is no response. */
  readonly where: string;
  /** In Pact's words. */
  readonly message: string;
}

/** Builds the report. It contains no secret. */
export function verifyReport(seen: Seen): VerifyReport {
  const { provider, baseUrl, ran, unread, leftOut, untestable, broker, startedAt, redactor } = seen;
  const redact = redactor.message;
  const judged = ran.map((one) =>
    untestable === undefined
      ? judgedOf(one)
      : { interactions: unjudged(one, 'the provider could not be tested'), errors: [] },
  );
  const errors = [
    ...judged.flatMap((one) => one.errors),
    ...(untestable === undefined ? publishing(seen) : []),
  ].map(redact);
  const isPublished =
    broker.publishVerificationResult === true && untestable === undefined && errors.length === 0;
  const idOf = caseIds();
  const isOne = ran.length === 1 && ran[0]?.pact !== undefined;
  const findings: Finding[] = [];
  const caseOf = (one: Judged, { where, pact }: Ran, index: number): Case => {
    const { verdict, reason, isPending, mismatches, durationMs, seen: { request, response } = {} } = one;
    const id = idOf(one, isOne ? undefined : one.consumer);
    const sent =
      request && `${request.method} ${baseUrl}${redact(request.target)} ${inWords(request.body, redact)}`;
    const evidence = mismatches.map((mismatch, at): Evidence => {
      const what = { where: `pact: ${mismatch.where}`, actual: redact(mismatch.message) };
      return { ...(at === 0 && sent && { sent }), ...what, finding: findings.length };
    });
    if (verdict === 'fail') {
      const title = `The response does not match the pact: ${redact(mismatches[0]?.message ?? '')}.`;
      findings.push(
        definedOnly({ id: `interaction-${findings.length + 1}`, title, fix: one.hint, cases: [id] }),
      );
    }
    const marker = pact === undefined ? 'broker' : 'pact';
    return definedOnly({
      id,
      title: id,
      verdict,
      detail: reason && redact(reason),
      place: pact && { file: where, pointer: `/interactions/${index}` },
      excuse:
        isPending && verdict !== 'pass' && untestable === undefined
          ? ({ kind: 'pending', reason: `the ${marker} marks it as pending` } as const)
          : undefined,
      notes:
        verdict === 'fail' && response
          ? [`Response: ${response.status} ${inWords(response.body, redact)}`]
          : undefined,
      durationMs,
      evidence: verdict === 'fail' ? evidence : [],
    });
  };
  const groups = ran.map(
    (one, at): Group => ({
      title: one.pact === undefined ? provider : `${one.pact.consumer} → ${provider}`,
      detail: redact(one.where),
      cases: (judged[at]?.interactions ?? []).map((interaction, index) => caseOf(interaction, one, index)),
    }),
  );
  return redactor.data({
    ...reportFrame({
      kind: 'verify',
      subject: `${provider} at ${baseUrl}`,
      startedAt,
      circumstances: {
        notTestable: untestable !== undefined,
        incomplete: errors.length + unread.length > 0,
      },
      notes: [
        ...errors.map(capitalised),
        ...unread.map((why) => `Not verified: ${why}.`),
        ...leftOut.map((which) => `Left out: ${which}.`),
      ],
      groups,
      findings,
      remarks: isPublished
        ? [`The results were published, for version ${broker.providerVersion} of ${provider}.`]
        : [],
    }),
    summary: redact(
      summaryOf(
        judged.flatMap(({ interactions }) => interactions),
        seen,
        errors,
      ),
    ),
    provider,
    baseUrl,
  });
}

/** Pact's result, interaction by interaction, and what went wrong besides. */
function judgedOf(run: Ran): {
  readonly interactions: readonly Judged[];
  readonly errors: readonly string[];
} {
  const { interactions: seen, pact, where, copy } = run;
  // The user knows the file, and not its copy. The result may be a sentence.
  const place = run.result.startsWith('{') ? JSON.stringify(where).slice(1, -1) : where;
  const result = copy === undefined ? run.result : run.result.replaceAll(copy, () => place);
  const json = readJsonText(result);
  const { interactionResults, errors, pendingErrors } = objectOf(json.ok ? json.value : undefined);
  if (!Array.isArray(interactionResults))
    return { interactions: unjudged(run), errors: [plain(result) || 'Pact gave no result'] };
  const failures = [...failuresIn(errors, false), ...failuresIn(pendingErrors, true)];
  const interactions = interactionResults.filter(isObject).map((one, at): Judged => {
    const description = String(one.description ?? '');
    const expected = pact?.interactions[at];
    const common = {
      description,
      states: seen[at]?.states ?? [],
      consumer: pact?.consumer ?? (typeof one.consumer === 'string' ? one.consumer : undefined),
      durationMs: pactDurationMs(one.duration),
      seen: seen[at],
    };
    const { problem, request, failure } = seen[at] ?? {};
    if (one.result === 'OK' && problem === undefined)
      return { ...common, verdict: 'pass', isPending: false, mismatches: [] };
    const found = taken(failures, description, expected?.pending);
    const isPending = found?.isPending ?? expected?.pending ?? false;
    const mismatches =
      failure === undefined ? mismatchesIn(found?.mismatch) : [{ where: 'request', message: failure }];
    if (problem !== undefined || request === undefined) {
      const reason = problem ?? mismatches.map(({ message }) => message).join('; ');
      return { ...common, verdict: 'blocked', reason, isPending, mismatches };
    }
    return { ...common, verdict: 'fail', isPending, mismatches, hint: hintFor(seen[at], expected) };
  });
  const rest = failures
    .filter(({ isPending }) => !isPending)
    .map(({ text, mismatch }) => [text, ...mismatchesIn(mismatch).map(({ message }) => message)])
    .map((parts) => plain(parts.filter((part) => part !== '').join(': ')));
  const expected = pact?.interactions.length;
  if (expected !== undefined && interactions.length !== expected && rest.length === 0)
    rest.push(`Pact verified ${interactions.length} of ${counted(expected, 'interaction')} of ${where}`);
  if (interactions.length === 0 && rest.length === 0)
    rest.push(`there is no interaction with this provider at ${where}`);
  return { interactions: interactions.length === 0 ? unjudged(run) : interactions, errors: rest };
}

/** The interactions of a pact without a verdict; none if the pact is not known. */
function unjudged({ pact }: Ran, reason = 'Pact did not verify it'): readonly Judged[] {
  return (pact?.interactions ?? []).map(({ description, states, pending }) => ({
    description,
    states: states.map(({ name }) => name),
    consumer: pact?.consumer,
    verdict: 'blocked',
    reason,
    isPending: pending,
    mismatches: [],
  }));
}

/** Pact writes `191ms` and `7.093s`. */
function pactDurationMs(duration: JsonValue | undefined): number | undefined {
  const [, number, unit] = /^([\d.]+)(m?s)$/.exec(String(duration)) ?? [];
  return number === undefined ? undefined : Math.round(Number(number) * (unit === 's' ? 1000 : 1));
}

/** For a pact that means a wrong token and does not say so. */
function hintFor(
  { request, response, keepsToken }: Partial<SeenInteraction> = {},
  expected: PactInteraction | undefined,
): string | undefined {
  const isAccepted = response !== undefined && response.status >= 200 && response.status < 300;
  const hasToken = headerValues(request?.headers ?? [], 'authorization').length > 0;
  if (!isAccepted || !hasToken || keepsToken || (expected?.response.status ?? 0) < 400) return undefined;
  return `The token of the pact was replaced. If the pact means a wrong token, give it the state "${providerStates.tokenIsNotValid}".`;
}

/** A failure in Pact's result. */
interface Failure {
  /** A sentence with the consumer, the states and, at its end, the description. */
  readonly text: string;
  readonly mismatch: JsonValue | undefined;
  readonly isPending: boolean;
}

function failuresIn(list: JsonValue | undefined, isPending: boolean): Failure[] {
  return (Array.isArray(list) ? list : [])
    .filter(isObject)
    .map(({ interaction, mismatch }) => ({ text: String(interaction ?? ''), mismatch, isPending }));
}

/** Takes the failure of an interaction out of a list, which has the order of the interactions. */
function taken(failures: Failure[], description: string, isPending: boolean | undefined) {
  const named = failures.filter(({ text }) => text.endsWith(` - ${description}`));
  const found = named.find((one) => one.isPending === isPending) ?? named[0];
  if (found !== undefined) failures.splice(failures.indexOf(found), 1);
  return found;
}

/** What differs: at least one thing. The status is first: it often explains the rest. */
function mismatchesIn(failure: JsonValue | undefined): Mismatch[] {
  const { mismatches, message } = objectOf(failure);
  const found = (Array.isArray(mismatches) ? mismatches : [])
    .filter(isObject)
    .map(({ type, mismatch, path, key }) => {
      const part = String(type)
        .replace(/(?:Type)?Mismatch$/, '')
        .toLowerCase();
      const name = path ?? key;
      return {
        where: typeof name === 'string' ? `${part} ${name}` : part,
        message: plain(mismatch) || `the ${part} differs`,
      };
    });
  if (found.length === 0) return [{ where: 'request', message: plain(message) || 'Pact gave no reason' }];
  return found.sort((a, b) => Number(b.where === 'status') - Number(a.where === 'status'));
}

/** Pact quotes whole bodies. */
const LONGEST_TEXT = 10_000;

/** A text of Pact, which may be in colour. */
function plain(text: JsonValue | undefined): string {
  const all = withoutStyle(String(text ?? '')).trim();
  return all.length <= LONGEST_TEXT ? all : excerpt(all, LONGEST_TEXT);
}

/** What went wrong with the publication. Pact exits as if nothing had happened, and only prints it. */
function publishing({ broker, printed, ran }: Seen): string[] {
  if (broker.publishVerificationResult !== true) return [];
  if (ran.every(({ pact }) => pact !== undefined)) return ['nothing was published: no broker gave a pact'];
  const [, why] =
    /Publishing of verification results failed with an error: (.*)/.exec(withoutStyle(printed)) ?? [];
  return why === undefined ? [] : [`the results could not be published: ${excerpt(why)}`];
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

function inWords(body: Uint8Array, redact: (text: string) => string): string {
  return isUtf8(body) ? excerpt(redact(Buffer.from(body).toString())) : '(the body is not UTF-8)';
}

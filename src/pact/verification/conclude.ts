import { headerSecrets } from '../../conformance/reporting/curl.js';
import { type Redaction, redactionWith } from '../../conformance/reporting/redaction.js';
import { reportedBody } from '../../conformance/reporting/reported-exchange.js';
import type { Fields } from '../../header-fields.js';
import type { ForwardedExchange } from '../../proxy/message.js';
import { isSuccess, type Judged, type JudgedInteraction } from './judge-scenes.js';
import type { VerifySettings } from './options.js';
import {
  countOf,
  type Verification,
  type VerificationConclusion,
  type VerifiedExchange,
  type VerifiedInteraction,
  type VerifiedPact,
} from './verification.js';

/** What was seen in a verification. */
export interface Seen {
  readonly judged: readonly Judged[];
  /** What Pact printed that is in no result. */
  readonly complaints: readonly string[];
  /** Whether the provider has accepted a plant that a state asked for. */
  readonly hasCreated: boolean;
  /** Why a control was not accepted, where one was sent. */
  readonly refusedControl: string | undefined;
}

/** What is secret in a verification: the token, further headers, and what opens a broker. */
export function redactionOf({ token, headers, broker }: VerifySettings): Redaction {
  const brokerSecrets = [broker?.token, broker?.password].flatMap((value) =>
    value === undefined || value === '' ? [] : [{ value, shell: '$PACT_BROKER_TOKEN' }],
  );
  return redactionWith([...headerSecrets(headers), ...brokerSecrets], token);
}

/** Puts together what a verification comes to. No secret stands in it. */
export function concludeFrom(
  { judged, complaints, hasCreated, refusedControl }: Seen,
  settings: VerifySettings,
  times: { readonly startedAt: string; readonly durationMs: number },
): Verification {
  const { baseUrl, provider } = settings;
  const redaction = redactionOf(settings);
  const untestable = hasCreated
    ? undefined
    : (whyNotTestable(judged.flatMap(({ interactions }) => interactions)) ?? controlText(refusedControl));
  const pacts = judged.map(({ where, consumer, interactions }) => ({
    where,
    ...(consumer !== undefined && { consumer }),
    interactions: interactions.map((interaction) =>
      reported(untestable === undefined ? interaction : unjudged(interaction), baseUrl, redaction.text),
    ),
  }));
  const errors = [...judged.flatMap((one) => one.errors), ...complaints];
  const [conclusion, summary] = weigh(pacts, errors, untestable);
  return redaction.all({
    verificationVersion: 1,
    ...{ provider, baseUrl },
    ...times,
    ...{ conclusion, summary },
    notes: [...errors, ...judged.flatMap(({ notices }) => notices)],
    pacts,
  });
}

/**
 * Why nothing can be said of a provider: it does not answer, or refuses every creation that a consumer relies on, so
 * that its refusals prove nothing.
 */
function whyNotTestable(interactions: readonly JudgedInteraction[]): string | undefined {
  const exchanges = interactions.flatMap(({ exchange }) => exchange ?? []);
  const [first] = exchanges;
  if (first !== undefined && exchanges.every(({ response }) => response === undefined)) return first.failure;
  const creations = interactions
    .filter(({ expectsSuccess }) => expectsSuccess)
    .flatMap(({ exchange }) => exchange ?? []);
  const [creation] = creations;
  if (creation === undefined || creations.some(isJudged)) return undefined;
  const how =
    creation.response === undefined ? creation.failure : `it was answered with ${creation.response.status}`;
  return `no creation was accepted that a pact relies on; of "${describe(interactions, creation)}", ${how}`;
}

function controlText(why: string | undefined): string | undefined {
  return (
    why &&
    `no pact relies on a creation, and a control was not accepted, so that refusals prove nothing: ${why}`
  );
}

/** Whether nothing that was sent has been accepted: then it is not known whether the token is right. */
export function needsControl(judged: readonly Judged[]): boolean {
  const exchanges = judged
    .flatMap(({ interactions }) => interactions)
    .flatMap(({ exchange }) => exchange ?? []);
  return (
    exchanges.some(({ response }) => response !== undefined) &&
    !exchanges.some(({ response }) => response !== undefined && isSuccess(response.status))
  );
}

function isJudged({ response }: ForwardedExchange): boolean {
  return response !== undefined && (isSuccess(response.status) || response.status >= 500);
}

function describe(interactions: readonly JudgedInteraction[], creation: ForwardedExchange): string {
  return interactions.find(({ exchange }) => exchange === creation)?.description ?? '';
}

function unjudged(interaction: JudgedInteraction): JudgedInteraction {
  const { hint: _hint, ...rest } = interaction;
  return { ...rest, verdict: 'blocked', violations: [], reason: 'the provider could not be tested' };
}

function weigh(
  pacts: readonly VerifiedPact[],
  errors: readonly string[],
  untestable: string | undefined,
): readonly [VerificationConclusion, string] {
  const all = pacts.flatMap(({ interactions }) => interactions).length;
  const failed = countOf(pacts, 'fail');
  const blocked = countOf(pacts, 'blocked');
  const of = `${all} interaction${all === 1 ? '' : 's'}`;
  if (untestable !== undefined) return ['not-testable', `The provider could not be tested: ${untestable}.`];
  if (failed > 0) {
    const rest = blocked > 0 ? `; ${blocked} could not be verified` : '';
    return ['fails', `The provider fails ${failed} of ${of}${rest}.`];
  }
  if (blocked > 0) return ['incomplete', `${blocked} of ${of} could not be verified.`];
  if (errors.length > 0) return ['incomplete', `Pact could not do all that was asked of it: ${errors[0]}`];
  return ['verified', `The provider keeps all ${of}.`];
}

function reported(
  { exchange, expectsSuccess: _expectsSuccess, ...interaction }: JudgedInteraction,
  baseUrl: string,
  redact: (text: string) => string,
): VerifiedInteraction {
  return {
    ...interaction,
    ...(exchange !== undefined && { exchange: reportedExchange(exchange, baseUrl, redact) }),
  };
}

function reportedExchange(
  { request, response, failure, durationMs }: ForwardedExchange,
  baseUrl: string,
  redact: (text: string) => string,
): VerifiedExchange {
  const fields = (headers: Fields): Fields => headers.map(([name, value]) => [name, redact(value)] as const);
  return {
    request: {
      method: request.method,
      url: baseUrl + redact(request.target),
      headers: fields(request.headers),
      body: reportedBody(request.body, redact),
    },
    ...(response !== undefined && {
      response: {
        status: response.status,
        headers: fields(response.headers),
        body: reportedBody(response.body, redact),
      },
    }),
    ...(failure !== undefined && { failure }),
    durationMs: Math.round(durationMs),
  };
}

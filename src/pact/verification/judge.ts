import { definedOnly } from '../../defined-only.js';
import type { ForwardedExchange } from '../../http/exchange.js';
import { headerValues } from '../../http/fields.js';
import { isOperation } from '../../spec/operation.js';
import { judgeExchange } from '../../validation/exchange.js';
import { parseMediaType } from '../../validation/header-values.js';
import type { Violation } from '../../validation/violation.js';
import type { FetchedPact } from '../broker/broker.js';
import type { Pact, PactInteraction, ReadPact } from '../pacts.js';
import { mayHaveTheId, providerStates } from '../states.js';
import type { Mismatch, NativeResult } from './pact-verifier.js';
import type { RecordedInteraction } from './proxy.js';

/** One interaction of a pact with its verdict. */
export interface JudgedInteraction {
  /** Its index in the pact. Left out for the whole of a pact that cannot be verified. */
  readonly index?: number;
  /** What the broker calls it, if a broker gave the pact. */
  readonly brokerId?: string;
  readonly description: string;
  /** The names of its provider states. */
  readonly states: readonly string[];
  /** `warn`: only warnings were found. `blocked`: something that it depends on failed, so nothing was sent or judged. */
  readonly verdict: 'pass' | 'warn' | 'fail' | 'blocked';
  /** Whether its failure does not count, because the pact or the broker marks it as pending. */
  readonly pending: boolean;
  /** How the response differs from the pact, in Pact's words. */
  readonly mismatches: readonly Mismatch[];
  /** How the response differs from the interface, which a pact cannot say: see `validateResponse`. */
  readonly violations: readonly Violation[];
  /** Why it is blocked. */
  readonly reason?: string;
  /** What may be wrong with the pact; a sentence. */
  readonly hint?: string;
  readonly exchange?: ForwardedExchange;
  readonly sentAt?: Date;
}

/** The interactions of a pact with their verdicts. */
export interface JudgedPact {
  readonly source: FetchedPact;
  readonly consumer: string;
  readonly interactions: readonly JudgedInteraction[];
  /** Pact's errors that belong to no interaction. */
  readonly errors: readonly string[];
}

/** A pact that cannot be verified at all, as one interaction that is blocked. */
export function unverified({ source, consumer }: ReadPact, reason: string): JudgedPact {
  const whole = { description: 'the pact as a whole', states: [], pending: source.pending === true };
  const judged = {
    mismatches: [],
    violations: [],
    verdict: 'blocked',
    reason,
  } as const;
  return { source, consumer, interactions: [{ ...whole, ...judged }], errors: [] };
}

/**
 * Combines Pact's result with the recorded exchanges and the interface. Pure.
 *
 * @param recorded in the order of the pact
 * @param strict whether warnings count as errors
 */
export function judgePact(
  source: FetchedPact,
  { consumer, interactions }: Pact,
  { interactions: native, errors }: NativeResult,
  recorded: readonly RecordedInteraction[],
  strict = false,
): JudgedPact {
  const judged = interactions.map((interaction, at) => {
    const one = judge(interaction, native[at], recorded[at], strict);
    return { ...one, index: at, pending: one.pending || source.pending === true };
  });
  return { source, consumer, interactions: judged, errors };
}

function judge(
  interaction: PactInteraction,
  native: readonly Mismatch[] | undefined,
  recorded: RecordedInteraction | undefined,
  strict: boolean,
): JudgedInteraction {
  const { exchange, sentAt } = recorded ?? {};
  const { description, raw } = interaction;
  const mismatches: readonly Mismatch[] =
    exchange?.failure === undefined
      ? (native ?? []).filter((mismatch) => !isCaseOfMediaType(mismatch))
      : [{ part: 'request', message: exchange.failure }];
  const isOk = mismatches.length === 0;
  const violations = recorded === undefined ? [] : violationsIn(recorded, isOk, strict);
  const reason = whyBlocked(native, recorded);
  return definedOnly({
    brokerId: typeof raw._id === 'string' ? raw._id : undefined,
    description,
    states: interaction.states.map(({ name }) => name),
    pending: interaction.pending,
    exchange,
    sentAt,
    verdict: reason !== undefined ? 'blocked' : isOk ? verdictOf(violations) : 'fail',
    mismatches,
    violations,
    reason,
    hint: hintFor(interaction, recorded, isOk),
  });
}

/** Pact distinguishes `Application/JSON` from `application/json`, but they are equal (RFC 9110, section 8.3.1). */
function isCaseOfMediaType({ part, path, expected, actual }: Mismatch): boolean {
  if (part !== 'header' || path?.toLowerCase() !== 'content-type') return false;
  const [wanted, got] = [expected, actual].map((value) => parseMediaType(value ?? ''));
  return wanted !== undefined && wanted.essence === got?.essence;
}

function whyBlocked(
  native: readonly Mismatch[] | undefined,
  recorded: RecordedInteraction | undefined,
): string | undefined {
  if (recorded?.problem !== undefined) return recorded.problem;
  if (native === undefined) return 'Pact did not verify it';
  if (recorded?.exchange !== undefined) return undefined;
  return ['no request was sent', ...native.map(({ message }) => message)].join(': ');
}

function verdictOf(violations: readonly Violation[]): 'pass' | 'warn' | 'fail' {
  if (violations.length === 0) return 'pass';
  return violations.some(({ severity }) => severity === 'error') ? 'fail' : 'warn';
}

/** What the interface says about a response to `POST …/plants`, and about its request. Pact cannot say it. */
function violationsIn(
  { exchange, states, idExists }: RecordedInteraction,
  satisfiesPact: boolean,
  strict: boolean,
): readonly Violation[] {
  const { request, response } = exchange ?? {};
  if (request === undefined || response === undefined || !isOperation(request.method, request.target))
    return [];
  // The interface does not show the response to a duplicate id. It may be the stored plant.
  const isNew = idExists !== true && !states.some(mayHaveTheId);
  const newPlant = isNew ? request.body : undefined;
  const { violations } = judgeExchange({ response }, { newPlant, strict });
  // The interface does not show the status for a duplicate id or in an unknown state. There the pact decides.
  const isOpen = satisfiesPact && states.some(({ name }) => name !== providerStates.noPlantWithId);
  return violations
    .filter(({ part }) => !isOpen || part !== 'status')
    .map(({ side: _side, ...violation }) => violation);
}

function hintFor(
  { request, response }: PactInteraction,
  recorded: RecordedInteraction | undefined,
  isOk: boolean,
): string | undefined {
  const { status = 0 } = recorded?.exchange?.response ?? {};
  const isAccepted = status >= 200 && status < 300;
  const hasToken = headerValues(request.headers, 'authorization').length > 0;
  if (isOk || !isAccepted || !hasToken || response.status < 400 || recorded?.keepsToken) return undefined;
  return `The token of the pact was replaced. If the pact means a wrong token, give it the state "${providerStates.tokenIsNotValid}".`;
}

/** If the provider cannot be tested, no interaction has a verdict. */
export function withoutVerdicts({ interactions, ...pact }: JudgedPact): JudgedPact {
  const blocked = { verdict: 'blocked', reason: 'the provider could not be tested' } as const;
  return { ...pact, interactions: interactions.map((one) => ({ ...one, ...blocked })) };
}

import { type Exchange, isAccepted, isOverloaded, isRejected, isUnprocessed } from '../exchange.js';
import { isAfterWrongTokens, isHouseProbe, type Probe } from '../probe.js';
import { isValidPlant, plantIn } from '../rules/exchanges.js';
import { type MixedResponses, overlap } from './mixed-responses.js';

/** How badly a valid request failed. More is worse. */
const FINE = 0;
const WRONG_PLANT = 1;
const REJECTED = 2;
const NOT_PROCESSED = 3;

/** Ordinary ids are below this. A provider may reject some ids of a larger range and accept others. */
const ORDINARY = 2 ** 31;

/** How badly a request failed. What the provider may reject, or must, is fine. */
function severityOf(exchange: Exchange): number {
  const { request, response, expectation } = exchange;
  if (expectation === 'rejected' && isFailed(exchange)) return NOT_PROCESSED;
  if (!isValidPlant(exchange) || isUnprocessed(exchange)) return FINE;
  if (!isAccepted(exchange) && !isRejected(exchange)) return NOT_PROCESSED;
  if (request.idMayExist === true) return FINE;
  if (isRejected(exchange)) return expectation === 'created' ? REJECTED : FINE;
  if (request.plant === undefined || response?.status !== 200) return FINE;
  const plant = plantIn(exchange);
  return plant?.name === request.plant.name && plant.tag === request.plant.tag ? FINE : WRONG_PLANT;
}

/** Whether the provider responded with a 5xx to a request that the interface describes, valid or not. */
export function isFailed({ request, response }: Exchange): boolean {
  const isJudged = request.otherOperation === undefined && request.isUnusual !== true;
  return isJudged && (response?.status ?? 0) >= 500;
}

/** Whether an attempt of a probe is judged instead of an earlier one. */
export type Replaces = (before: readonly Exchange[], after: readonly Exchange[]) => boolean;

/**
 * Whether valid requests failed, and fail no more or less badly. The failures are then intermittent, and say nothing about
 * what the probe was sent for. Or a request got no response in time beside others, and does now.
 */
export const isFixedOrInTime: Replaces = (before, after) =>
  isComplete(before, after) && (severityOfAll(after) < severityOfAll(before) || isInTime(before, after));

/** Whether a request got no response in time beside others, and does now: our own requests may have delayed it. */
export const isInTime: Replaces = (before, after) =>
  isComplete(before, after) &&
  severityOfAll(after) <= severityOfAll(before) &&
  before.some(({ shared, failure }) => shared && failure?.kind === 'timeout');

function isComplete(before: readonly Exchange[], after: readonly Exchange[]): boolean {
  return before.length === after.length && after.every(({ failure }) => failure === undefined);
}

function severityOfAll(sequence: readonly Exchange[]): number {
  return sequence.reduce((sum, one) => sum + severityOf(one), 0);
}

/** The valid requests that failed once, and did not fail when they were sent again. */
export interface IntermittentFailures {
  readonly failed: ReadonlySet<Exchange>;
  /** How many valid requests the provider processed in all. */
  readonly of: number;
}

/** What was sent in a run, and sent again. */
interface Attempts {
  readonly all: readonly Exchange[];
  readonly everyAttempt: readonly Exchange[];
  readonly probes: ReadonlyMap<string, Probe>;
  readonly mixed: MixedResponses;
  /** The exchanges of a probe that count. */
  of(probe: string): readonly Exchange[];
}

/** A single id may exist already, even if it is random, and a provider may have its own reasons to reject it. */
const LEAST_REJECTIONS = 2;

/**
 * Finds intermittent failures. Nothing is among them that a slow provider does, or one that limits its rate: a timeout,
 * a 429, 503 or 504, or a connection that is not made, that is closed while it is idle, or that is reset while others are
 * open.
 */
export function intermittentFailures(attempts: Attempts): IntermittentFailures {
  const failed = attempts.everyAttempt.filter(
    (one) => one.role === 'superseded' && isIntermittent(one, attempts),
  );
  const rejections = failed.filter(isRejected);
  const counted = rejections.length < LEAST_REJECTIONS ? failed.filter((one) => !isRejected(one)) : failed;
  const valid = attempts.all.filter((one) => isValidPlant(one) && !isUnprocessed(one));
  return { failed: new Set(counted), of: valid.length };
}

function isIntermittent(exchange: Exchange, attempts: Attempts): boolean {
  if (!isValidPlant(exchange) || isHouseProbe(exchange.probe)) return false;
  const again = attempts.of(exchange.probe).find(({ step }) => step === exchange.step);
  const severity = severityOf(exchange);
  if (again === undefined || isUnprocessed(again) || severityOf(again) >= severity) return false;
  if (severity === WRONG_PLANT) return attempts.mixed.of(exchange) === undefined;
  if (severity === REJECTED) return isRejectedForItself(exchange, again, attempts);
  if (exchange.response === undefined) return isUnexplained(exchange, attempts);
  return !isOverloaded(exchange) && !isForSizeOfId(exchange, again, attempts);
}

/**
 * A provider may limit its rate with any other 4xx. These say that the content or the token is wrong, or that the plant
 * exists.
 */
const ABOUT_REQUEST = new Set([400, 401, 409, 422]);

function isRejectedForItself(exchange: Exchange, again: Exchange, attempts: Attempts): boolean {
  // A client that sent wrong tokens may be locked out.
  if (isAfterWrongTokens(attempts.probes.get(exchange.probe)?.phase)) return false;
  const { id } = exchange.request;
  if (id === undefined || id <= 0) return false;
  return !isForSizeOfId(exchange, again, attempts) && ABOUT_REQUEST.has(exchange.response?.status ?? 0);
}

/** Whether a request may have failed because its id is large: when it did not fail, it had a smaller one, and no larger one is accepted. */
function isForSizeOfId({ request: { id } }: Exchange, again: Exchange, { all }: Attempts): boolean {
  if (id === undefined || id < ORDINARY || (again.request.id ?? 0) >= id) return false;
  return !all.some((other) => (other.request.id ?? 0) >= id && isAccepted(other));
}

/** So many requests at once do not fill the queue of any provider. */
const FEW = 2;

/** Whether nothing but the provider explains that there is no response. */
function isUnexplained(exchange: Exchange, { all }: Attempts): boolean {
  const { failure, reusedConnection } = exchange;
  if ((failure?.kind !== 'reset' && failure?.kind !== 'malformed') || reusedConnection) return false;
  return all.filter((other) => overlap(exchange, other)).length <= FEW;
}

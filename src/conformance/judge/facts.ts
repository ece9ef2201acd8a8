import { decodedBody } from '../body.js';
import {
  type Exchange,
  isAccepted,
  isDescribed,
  isOverloaded,
  isRejected,
  isSilence,
  isThrottled,
  isUnprocessed,
  isValidPlant,
  overlap,
  plantIn,
} from '../exchange.js';
import { isAfterWrongTokens, isHouseProbe, type Probe } from '../row.js';
import { FRESH_NAME } from '../template.js';
import { plainPlants } from '../values/plain-plants.js';

/** Why a probe with a wrong token proves nothing. */
export const LOCKED_OUT = 'the right token was rejected after wrong ones';

/** What the exchanges of a run show. The rules and the causes read it. It is found out once, when this is made. */
export class Facts {
  /** The exchanges that count, in the order of the plan: it has the most telling rows of a rule first. */
  readonly exchanges: readonly Exchange[];
  /** The exchanges that count, and the superseded ones. */
  readonly everyAttempt: readonly Exchange[];
  /** The probes that were sent, by name. */
  readonly probes: ReadonlyMap<string, Probe>;
  /** Whether and where the provider stopped serving plain plants for good. */
  readonly stop: Stop | undefined;
  /** The exchanges whose response belongs to another request, each with a name of that request in it. */
  readonly mixed: ReadonlyMap<Exchange, string>;
  /** The exchanges whose response has a fresh name of its own request. */
  readonly own: ReadonlySet<Exchange>;
  /** The valid requests that failed once, and did not fail when they were sent again. */
  readonly intermittent: IntermittentFailures;
  /** Whether the provider said of a request that must be accepted that it is overloaded. */
  readonly isOverloaded: boolean;
  private readonly byProbe: ReadonlyMap<string, readonly Exchange[]>;

  /**
   * @param all every exchange, with those that were superseded and those that confirm failures
   * @param leftOut the probes that were not sent, each with the reason
   * @param restarts how many exchanges there were each time that the provider was started again
   * @param rejectsAll whether the provider rejected every plain plant at the end
   */
  constructor(
    probes: readonly Probe[],
    readonly all: readonly Exchange[],
    readonly leftOut: ReadonlyMap<Probe, string> = new Map(),
    restarts: readonly number[] = [],
    rejectsAll = false,
  ) {
    this.probes = new Map(probes.map((probe) => [probe.name, probe]));
    const places = new Map(probes.map(({ name }, at) => [name, at]));
    const placeOf = ({ probe }: Exchange): number => places.get(probe) ?? probes.length;
    this.everyAttempt = all
      .filter(({ role }) => role === 'judged' || role === 'superseded')
      .sort((a, b) => placeOf(a) - placeOf(b) || a.step - b.step);
    this.exchanges = this.everyAttempt.filter(({ role }) => role === 'judged');
    const byProbe = new Map<string, Exchange[]>();
    for (const exchange of this.exchanges) add(byProbe, exchange.probe, exchange);
    this.byProbe = byProbe;
    this.stop = rejectsAll ? rejectionOf(all) : stopOf(all, restarts);
    const { mixed, own } = mixedResponses(all, this.probes);
    this.mixed = mixed;
    this.own = own;
    this.isOverloaded = all.some((one) => one.expectation === 'created' && isOverloaded(one));
    this.intermittent = intermittentFailures(this);
  }

  /** The exchanges of a probe, in the order of its requests. */
  of(probe: string): readonly Exchange[] {
    return this.byProbe.get(probe) ?? [];
  }

  /** The exchanges of the same attempt. Of an attempt that was sent again, only this exchange is known. */
  attemptOf(exchange: Exchange): readonly Exchange[] {
    return exchange.role === 'judged' ? this.of(exchange.probe) : [exchange];
  }

  /** Whether a response may be that of another request: the provider mixes responses, and this one was sent beside others. */
  mayBelongToAnother(exchange: Exchange): boolean {
    return this.mixed.has(exchange) || (this.mixed.size > 0 && exchange.shared);
  }

  /** What was sent in an exchange, as a noun. */
  titleOf({ probe }: Exchange): string {
    return this.probes.get(probe)?.title ?? probe;
  }

  /** Whether the last request of a probe was accepted. */
  accepted(probe: string): boolean {
    const last = this.of(probe).at(-1);
    return last !== undefined && isAccepted(last);
  }

  /** Whether a request of a probe, by default the last, was rejected for its content. */
  rejected(probe: string, step = -1): boolean {
    const exchange = this.of(probe).at(step);
    return exchange !== undefined && isRejected(exchange) && !isThrottled(exchange);
  }
}

function add(map: Map<string, Exchange[]>, key: string, exchange: Exchange): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [exchange]);
  else known.push(exchange);
}

/** How many plain plants get no response, one after the other, before a provider is said to have stopped. */
export const LAST_ATTEMPTS = 3;

/** A provider stopped responding for good, or until it was started again. Or it rejected every plain plant from then on. */
export interface Stop {
  readonly what: 'silent' | 'rejects';
  /** The number of requests up to the last one that got a response, or that was accepted. */
  readonly after: number;
  /** The first request without a response, which may be what stopped the provider. Or the first that was rejected. */
  readonly first: Exchange;
  /** The requests about which nothing is known because of that, with those that were not sent. */
  readonly lost: ReadonlySet<Exchange>;
  /** Whether the provider was started again, and responds. What was lost was sent again, except for what stops it. */
  readonly isRestarted: boolean;
}

/**
 * Whether the provider stopped responding: from some request on, nothing got a response, not even the plain plants at the
 * end.
 *
 * @param exchanges every exchange of a run, in the order in which they ended
 * @param restarts how many there were each time that the provider was started again
 */
export function stopOf(exchanges: readonly Exchange[], restarts: readonly number[]): Stop | undefined {
  const ends = [...restarts, exchanges.length];
  const stops = ends.map((end, at) => stopIn(exchanges.slice(restarts[at - 1] ?? 0, end), at > 0));
  const all = stops.filter((stop) => stop !== undefined);
  // What was sent again, and got a response, did not stop it.
  const stop = all.find(({ first }) => first.role === 'judged') ?? all[0];
  return (
    stop && {
      ...stop,
      lost: new Set(all.flatMap(({ lost }) => [...lost])),
      isRestarted: stops.at(-1) === undefined,
    }
  );
}

/** Whether an exchange shows whether the provider serves a plain plant. */
function isSign({ probe, role }: Exchange): boolean {
  return role === 'confirmation' && plainPlants.some(({ name }) => name === probe);
}

/** @param isRestarted whether it responded before the first of these */
function stopIn(exchanges: readonly Exchange[], isRestarted: boolean): Omit<Stop, 'isRestarted'> | undefined {
  const at = exchanges.findLastIndex(({ response }) => response !== undefined);
  const last = exchanges[at];
  const lastAttempts = exchanges.slice(at + 1).filter((one) => isSilence(one) && isSign(one)).length;
  if ((last === undefined && !isRestarted) || lastAttempts < LAST_ATTEMPTS) return undefined;
  // What was under way at the same time as the last response may have stopped the provider.
  const startMs = last?.startMs ?? 0;
  const lost = exchanges.filter(
    (one) => one.response === undefined && one.startMs + one.durationMs >= startMs,
  );
  const silent = lost.filter(isSilence).sort((a, b) => a.startMs - b.startMs);
  const first = silent.find(({ role }) => role === 'judged') ?? silent[0];
  return (
    first && {
      what: 'silent',
      after: last?.index === undefined ? first.index : last.index + 1,
      first,
      lost: new Set(lost),
    }
  );
}

/** Where the provider began to reject every plain plant: whatever it rejects from then on, its content may not be the reason. */
function rejectionOf(exchanges: readonly Exchange[]): Stop | undefined {
  const last = exchanges.findLast(isAccepted);
  // What was under way at the same time as the last plant may have been rejected for the same reason.
  const isAfter = (one: Exchange): boolean => one.startMs + one.durationMs >= (last?.startMs ?? 0);
  const lost = exchanges.filter((one) => isAfter(one) && !isAccepted(one));
  const first = lost.find(isRejected) ?? lost[0];
  if (last === undefined || first === undefined) return undefined;
  return { what: 'rejects', after: last.index + 1, first, lost: new Set(lost), isRestarted: false };
}

/** A clause without a full stop. */
export function stopInBrief({ what, after, first }: Stop): string {
  if (what === 'silent') return `the provider stopped responding after request ${after}`;
  return `the provider rejected every plain plant after request ${after}, with ${first.response?.status}`;
}

/** The end of a clause. */
export function untilRestart({ isRestarted }: Stop): string {
  return isRestarted ? ', until it was started again' : '';
}

/**
 * Finds the responses that belong to other requests, each with a name in it, and those that have a fresh name of their own request.
 * No two probes have the same fresh name, so a response with the fresh name of another request shows its plant.
 */
function mixedResponses(
  all: readonly Exchange[],
  probes: ReadonlyMap<string, Probe>,
): Pick<Facts, 'mixed' | 'own'> {
  const owners = new Map<string, Exchange[]>();
  for (const exchange of all) for (const name of sentNames(exchange)) add(owners, name, exchange);
  const own = new Set<Exchange>();
  const foreign = new Map<Exchange, { readonly name: string; readonly owner: Exchange | undefined }>();
  for (const exchange of all) {
    const named = receivedNames(exchange).map((name) => ({ name, of: owners.get(name) ?? [] }));
    if (named.some(({ of }) => of.includes(exchange))) own.add(exchange);
    const other = named.find(({ of }) => of.length > 0 && !of.includes(exchange));
    if (other !== undefined) foreign.set(exchange, { name: other.name, owner: other.of[0] });
  }
  const isTogether = (probe: string): boolean => probes.get(probe)?.together === true;
  // Whether the response to a duplicate id shows the plant that has the id.
  const showsOldPlants = [...foreign].some(
    ([{ probe, request }, { owner }]) =>
      request.idMayExist === true && owner?.probe === probe && !isTogether(probe),
  );
  const mixed = new Map<Exchange, string>();
  for (const [exchange, { name, owner }] of foreign) {
    const { probe, request, expectation } = exchange;
    const { together = false, oneConnection = false } = probes.get(probe) ?? {};
    const isInRow = owner?.probe === probe && !together && !oneConnection;
    // A response may show an existing plant if its id may be the same: it is a duplicate, it is one of several ids in a row that
    // differ in a few bits, or the provider may have converted an invalid id.
    const mayBeOld = request.idMayExist === true || (showsOldPlants && expectation === 'rejected') || isInRow;
    if (!mayBeOld) mixed.set(exchange, name);
  }
  return { mixed, own };
}

function sentNames({ request: { body, plant, query = '' } }: Exchange): ReadonlySet<string> {
  const others = `${plant?.name} ${query}`.match(FRESH_NAME) ?? [];
  return new Set([...freshNames(body), ...others]);
}

/** The fresh names in a response. In its JSON, too, any letter may be escaped. */
function receivedNames({ request, response }: Exchange): readonly string[] {
  if (response === undefined || request.otherOperation !== undefined) return [];
  const bytes = decodedBody(response);
  return typeof bytes === 'string' ? [] : freshNames(bytes);
}

/** Fresh names are not looked for in bodies that are larger than this. */
const LARGEST = 2 ** 16;
const ESCAPED_LETTERS = /\\u00([4-7][0-9a-fA-F])/g;

function freshNames({ buffer, byteOffset, byteLength }: Uint8Array): readonly string[] {
  if (byteLength > LARGEST) return [];
  const text = Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
  const plain = text.replace(ESCAPED_LETTERS, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return plain.match(FRESH_NAME) ?? [];
}

/** How badly a valid request failed. More is worse. */
const FINE = 0;
const WRONG_PLANT = 1;
const REJECTED = 2;
const NOT_PROCESSED = 3;

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
export function isFailed(exchange: Exchange): boolean {
  return isDescribed(exchange) && (exchange.response?.status ?? 0) >= 500;
}

/** Whether an attempt of a probe is judged instead of an earlier one. */
export type Replaces = (before: readonly Exchange[], after: readonly Exchange[]) => boolean;

/**
 * Whether valid requests failed, and fail no more or less badly. The failures are then intermittent, and say nothing about
 * what the probe was sent for. Or a request got no response in time beside others, and does now.
 */
export const isFixedOrInTime: Replaces = (before, after) =>
  isComplete(before, after) && (severityOfAll(after) < severityOfAll(before) || isInTime(before, after));

/** Whether a request got no whole response in time beside others, and does now: our own requests may have delayed it. */
export const isInTime: Replaces = (before, after) =>
  isComplete(before, after) &&
  severityOfAll(after) <= severityOfAll(before) &&
  before.some(isLateBesideOthers);

function isLateBesideOthers({ shared, failure, response }: Exchange): boolean {
  return shared && (failure?.kind === 'timeout' || response?.isStalled === true);
}

function isComplete(before: readonly Exchange[], after: readonly Exchange[]): boolean {
  const isWhole = ({ failure, response }: Exchange): boolean =>
    failure === undefined && response?.isStalled !== true;
  return before.length === after.length && after.every(isWhole);
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

type Attempts = Pick<Facts, 'all' | 'everyAttempt' | 'probes' | 'mixed' | 'of'>;

/** A single id may exist already, even if it is random, and a provider may have its own reasons to reject it. */
const LEAST_REJECTIONS = 2;

/**
 * Finds intermittent failures. Nothing is among them that a slow provider does, or one that limits its rate: a timeout,
 * a 429, 503 or 504, or a connection that is not made, that is closed while it is idle, or that is reset while others are
 * open.
 */
function intermittentFailures(attempts: Attempts): IntermittentFailures {
  // A valid plant fails each time after an invalid request, and another rule says so.
  const isSpoiled = attempts.everyAttempt.some(
    (one) => one.role === 'judged' && isAfterInvalid(one, attempts) && !isAccepted(one),
  );
  const failed = attempts.everyAttempt.filter(
    (one) =>
      one.role === 'superseded' &&
      isIntermittent(one, attempts) &&
      !(isSpoiled && attempts.all[one.index - 1]?.expectation === 'rejected'),
  );
  const rejections = failed.filter(isRejected);
  const counted = rejections.length < LEAST_REJECTIONS ? failed.filter((one) => !isRejected(one)) : failed;
  const valid = attempts.all.filter((one) => isValidPlant(one) && !isUnprocessed(one));
  return { failed: new Set(counted), of: valid.length };
}

/** Whether a valid plant was sent right after an invalid request, to see whether that spoils anything. */
function isAfterInvalid({ probe, step, expectation }: Exchange, { probes }: Attempts): boolean {
  return probes.get(probe)?.phase === 'recovery' && step > 0 && expectation === 'created';
}

/**
 * A provider may limit its rate with any other 4xx. These say that the content or the token is wrong, or that the plant
 * exists.
 */
export const ABOUT_REQUEST: ReadonlySet<number | undefined> = new Set([400, 401, 409, 422]);
/** How many requests at once fill the queue of no provider. */
const FEW = 2;

function isIntermittent(exchange: Exchange, attempts: Attempts): boolean {
  if (!isValidPlant(exchange) || isHouseProbe(exchange.probe)) return false;
  const again = attempts.of(exchange.probe).find(({ step }) => step === exchange.step);
  const severity = severityOf(exchange);
  if (again === undefined || isUnprocessed(again) || severityOf(again) >= severity) return false;
  if (severity === WRONG_PLANT) return !attempts.mixed.has(exchange);
  const { response, failure, reusedConnection } = exchange;
  if (response === undefined) {
    const isBroken = (failure?.kind === 'reset' || failure?.kind === 'malformed') && !reusedConnection;
    return isBroken && attempts.all.filter((other) => overlap(exchange, other)).length <= FEW;
  }
  if (isOverloaded(exchange) || isForSizeOfId(exchange, again, attempts)) return false;
  if (severity !== REJECTED) return true;
  // A client that sent wrong tokens may be locked out.
  const mayBeLockedOut = isAfterWrongTokens(attempts.probes.get(exchange.probe)?.phase);
  return !mayBeLockedOut && (exchange.request.id ?? 0) > 0 && ABOUT_REQUEST.has(response.status);
}

/** Ordinary ids are below this. A provider may reject some ids of a larger range and accept others. */
const ORDINARY = 2 ** 31;

/** Whether a request may have failed because its id is large: when it did not fail, it had a smaller one, and no larger one is accepted. */
function isForSizeOfId({ request: { id } }: Exchange, again: Exchange, { all }: Attempts): boolean {
  if (id === undefined || id < ORDINARY || (again.request.id ?? 0) >= id) return false;
  return !all.some((other) => (other.request.id ?? 0) >= id && isAccepted(other));
}

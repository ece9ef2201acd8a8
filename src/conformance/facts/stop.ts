import type { Exchange } from '../exchange.js';

/** How many plain plants get no response, one after the other, before a provider is said to have stopped. */
export const LAST_ATTEMPTS = 3;

/** A provider stopped responding for good, or until it was started again. */
export interface Stop {
  /** The number of requests up to the last one that got a response. */
  readonly after: number;
  /** The first request without a response. It may be what stopped the provider. */
  readonly first: Exchange;
  /** The requests that got no response because of that, with those that were not sent. */
  readonly lost: ReadonlySet<Exchange>;
  /** Whether the provider was started again, and responds. What was lost was sent again, except for what stops it. */
  readonly isRestarted: boolean;
}

/** Whether a request was sent, and the provider did not respond. */
export function isSilence({ failure }: Exchange): boolean {
  return failure !== undefined && failure.kind !== 'not-sent' && failure.kind !== 'stopped';
}

/** Whether a request without a response reached the provider, which may have stopped because of it. */
export function mayHaveStopped(exchange: Exchange): boolean {
  const kind = exchange.failure?.kind;
  return isSilence(exchange) && kind !== 'unreachable' && kind !== 'not-connected';
}

/** Whether a request is a plain plant that was sent to see whether the provider still responds, or to confirm a failure. */
function isPlainConfirmation({ probe, role }: Exchange): boolean {
  return probe === 'plain-plant' && role === 'confirmation';
}

/**
 * Whether the provider stopped responding: from some request on, nothing got a response, not even the plain plants at the
 * end.
 *
 * @param exchanges every exchange of a run, in the order in which they ended
 * @param restarts how many there were each time that the provider was started again
 */
export function stopOf(exchanges: readonly Exchange[], restarts: readonly number[] = []): Stop | undefined {
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

/** @param isRestarted whether it responded before the first of these */
function stopIn(exchanges: readonly Exchange[], isRestarted: boolean): Omit<Stop, 'isRestarted'> | undefined {
  const at = exchanges.findLastIndex(({ response }) => response !== undefined);
  const last = exchanges[at];
  const lastAttempts = exchanges
    .slice(at + 1)
    .filter(isSilence)
    .filter(isPlainConfirmation).length;
  if ((last === undefined && !isRestarted) || lastAttempts < LAST_ATTEMPTS) return undefined;
  // What was under way at the same time as the last response may have stopped the provider.
  const startMs = last?.startMs ?? 0;
  const lost = exchanges.filter(
    (one) => one.response === undefined && one.startMs + one.durationMs >= startMs,
  );
  const silent = lost.filter(isSilence).sort((a, b) => a.startMs - b.startMs);
  const first = silent.find(({ role }) => role === 'judged') ?? silent[0];
  return (
    first && { after: last?.index === undefined ? first.index : last.index + 1, first, lost: new Set(lost) }
  );
}

/** A clause without a full stop. */
export function stopInBrief({ after }: Stop): string {
  return `the provider stopped responding after request ${after}`;
}

/** The end of a clause. */
export function untilRestart({ isRestarted }: Stop): string {
  return isRestarted ? ', until it was started again' : '';
}

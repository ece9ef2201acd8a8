import { type Exchange, isOfProxy } from '../exchange.js';

/** How many plain plants get no response, one after the other, before a provider is said to have stopped. */
export const LAST_ATTEMPTS = 3;

/** A provider stopped responding for good. */
export interface Stop {
  /** The number of requests up to the last one that got a response. */
  readonly after: number;
  /** The first request without a response. It may be what stopped the provider. */
  readonly first: Exchange;
  /** The requests that got no response because of that, with those that were not sent. */
  readonly lost: ReadonlySet<Exchange>;
}

/** Whether a request was sent, and the provider did not respond. */
export function isSilence(exchange: Exchange): boolean {
  const { failure } = exchange;
  if (failure === undefined || isOfProxy(exchange)) return false;
  return failure.kind !== 'not-sent' && failure.kind !== 'stopped';
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
 */
export function stopOf(exchanges: readonly Exchange[]): Stop | undefined {
  const at = exchanges.findLastIndex(({ response }) => response !== undefined);
  const last = exchanges[at];
  const lastAttempts = exchanges
    .slice(at + 1)
    .filter(isSilence)
    .filter(isPlainConfirmation).length;
  if (last === undefined || lastAttempts < LAST_ATTEMPTS) return undefined;
  // What was under way at the same time as the last response may have stopped the provider.
  const lost = exchanges.filter(
    (one) => one.response === undefined && one.startMs + one.durationMs >= last.startMs,
  );
  const [first] = lost.filter(isSilence).sort((a, b) => a.startMs - b.startMs);
  return first && { after: at + 1, first, lost: new Set(lost) };
}

/** A clause without a full stop. */
export function stopInBrief({ after }: Stop): string {
  return `the provider stopped responding after request ${after}`;
}

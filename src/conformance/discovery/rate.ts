import { setTimeout as sleep } from 'node:timers/promises';
import { isThrottled, type ProbeRequest } from '../exchange.js';
import { creation } from '../families/requests.js';
import { type Asker, CannotFind, gotInWords, type LimitExchange } from './asker.js';
import type { Finding } from './limit.js';

/** How many requests are sent within a second at most. */
const MOST_REQUESTS = 50;
const SECOND = 1_000;
/** After a second without requests, a provider has forgotten the earlier ones. */
const PAUSE_MS = SECOND + 100;
/** Where one request after the other would be too slow, so many are sent at a time. */
const AT_ONCE = 4;
/** After a rejection, so many more requests are sent at once. A limit on a second rejects most of them too. */
const AFTER = 3;
const SENT = 'one of many requests within a second';

/** Many requests within a second. */
interface Burst {
  readonly answered: readonly LimitExchange[];
  /** The first request that was rejected because there were too many. */
  readonly limited: LimitExchange | undefined;
  readonly clients: number;
  /** How many of the requests after that were rejected too. */
  readonly rejectedAfter: number;
}

/**
 * How many requests a second are answered before a 429. They all send one plant, so that they create one plant at most.
 * A limit must show twice: a provider may return a 429 for another reason.
 */
export async function requestsPerSecond(asker: Asker): Promise<Finding> {
  if (asker.hasOwnRate) throw new CannotFind('the rate of the check was set, and is kept');
  const plain = await asker.ask('a plain plant', () => creation(asker.values));
  if (!plain.accepted) throw new CannotFind(`a plain plant got ${gotInWords(plain.exchange)}`);
  const first = await steadyBurst(asker, plain.exchange.request);
  const { answered, limited, clients } = first;
  const side = (exchange: LimitExchange) => asker.side({ accepted: true, sent: SENT, exchange });
  const last = answered.at(-1);
  const accepted = last !== undefined && { accepted: side(last) };
  if (limited === undefined) {
    if (asker.wasThrottled)
      throw new CannotFind(
        `requests were rejected as too many, but not when ${answered.length} of them were sent within a second`,
      );
    const number = String(answered.length);
    const sentence = `Requests per second: not found up to ${number}.`;
    return { outcome: 'not-found', sentence, upTo: number, ...accepted };
  }
  const least = await repeated(asker, first);
  const how = clients === 1 ? '' : `, ${clients} at a time`;
  return {
    outcome: 'found',
    sentence: `Requests per second: about ${least}${how}. The next one gets ${gotInWords(limited)}.`,
    value: String(least),
    approximate: true,
    ...accepted,
    rejected: side(limited),
  };
}

/**
 * The smaller number of two bursts.
 *
 * @throws CannotFind if they differ much
 */
async function repeated(asker: Asker, first: Burst): Promise<number> {
  const { answered, limited } = first;
  try {
    if (limited !== undefined) await asker.wait(limited);
  } catch (cause) {
    if (cause instanceof CannotFind) return answered.length;
    throw cause;
  }
  const second = await steadyBurst(asker, limited?.request ?? creation(asker.values));
  const [less = 0, more = 0] = [answered.length, second.answered.length].sort((a, b) => a - b);
  if (second.limited === undefined || more > 2 * less)
    throw new CannotFind(
      `a request was rejected as one too many after ${answered.length} requests within a second, and then after ${second.answered.length}`,
    );
  return less;
}

/**
 * A burst in which the requests after a rejection are rejected too. It is repeated once: a second of the provider may
 * have ended just then.
 *
 * @throws CannotFind if they are answered again
 */
async function steadyBurst(asker: Asker, request: ProbeRequest): Promise<Burst> {
  for (let attempt = 1; ; attempt++) {
    const made = await burst(asker, request);
    if (made.limited === undefined || 2 * made.rejectedAfter > AFTER) return made;
    if (attempt > 1)
      throw new CannotFind(
        `a request was rejected as one too many, and ${AFTER - made.rejectedAfter} of the next ${AFTER} were not`,
      );
  }
}

/**
 * Requests go one after the other if the provider is fast enough: otherwise a limit on concurrent requests would look the
 * same.
 */
async function burst(asker: Asker, request: ProbeRequest): Promise<Burst> {
  await sleep(PAUSE_MS);
  const clients = asker.usualMs * MOST_REQUESTS < SECOND ? 1 : AT_ONCE;
  const start = performance.now();
  const answered: LimitExchange[] = [];
  let limited: LimitExchange | undefined;
  let sent = 0;
  const client = async (): Promise<void> => {
    while (limited === undefined && sent < MOST_REQUESTS && performance.now() - start < SECOND) {
      sent++;
      const exchange = await asker.sendOnce(SENT, request);
      if (isThrottled(exchange)) limited ??= exchange;
      else if (exchange.response !== undefined) answered.push(exchange);
      else throw new CannotFind(`one of ${sent} requests within a second got ${gotInWords(exchange)}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  let rejectedAfter = 0;
  for (let more = 0; limited !== undefined && more < AFTER; more++)
    if (isThrottled(await asker.sendOnce(SENT, request))) rejectedAfter++;
  return { answered, limited, clients, rejectedAfter };
}

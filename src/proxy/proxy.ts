import type { Listening } from '../http/address.js';
import { startForwarder } from '../http/forwarder/forwarder.js';
import type { KeptBody } from '../http/forwarder/kept-body.js';
import { SharedLimit } from '../http/limits.js';
import { Redactor } from '../report/redaction.js';
import { isOperation } from '../spec/operation.js';
import { redactedJudgement } from '../validation/exchange.js';
import { JudgingQueue, startJudge } from './judging-queue.js';
import { type ProxyOptions, proxySettings } from './options.js';
import { type ProxyReport, reportOf } from './report.js';
import { TrafficCounts } from './traffic-counts.js';

/** A proxy that listens. */
export interface RunningProxy extends Listening, AsyncDisposable {
  /** The report so far. It waits 1 s at most for exchanges under way, and until every exchange that ended is judged. */
  report(): Promise<ProxyReport>;
  /**
   * Stops, and returns the last report.
   *
   * @param withinMs how long to wait for exchanges under way, and until all are judged. The report counts those that are
   *   not judged then, and is incomplete. Default: 1 s, and then until all are judged.
   */
  close(withinMs?: number): Promise<ProxyReport>;
}

/** What the bodies of exchanges under way may take together, in bytes. Beyond that, the longest ones are not judged. */
const MOST_KEPT = 64 * 2 ** 20;
/** How long a report waits for exchanges that are under way: an upstream may hang. */
const GRACE_MS = 1_000;

/**
 * Starts a proxy that judges the traffic of a plant store. It forwards everything unchanged, byte by byte and as it
 * comes: method, target, status, reason, headers in order, bodies and trailers. Only `Host` and fields about one
 * connection are its own. It judges an exchange after the response was sent. What other servers might read as another
 * request, or as several, gets a 400 from the proxy, is not forwarded, and is counted apart.
 *
 * @throws ToolkitError `invalid-option`, `port-in-use` or `cannot-listen`
 * @example
 * import assert from 'node:assert/strict';
 * import { startProxy } from 'plant-store-contract/proxy';
 * import { startPlantStore } from 'plant-store-contract/server';
 *
 * await using store = await startPlantStore({ token: 'secret', faults: ['leaks-id'] });
 * await using proxy = await startProxy({ upstream: store.url });
 * await fetch(`${proxy.url}/plants`, {
 *   method: 'POST',
 *   headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
 *   body: '{"name":"Aloe","id":7}',
 * });
 * const { conclusion, violationKinds } = await proxy.report();
 * assert.equal(conclusion, 'does-not-conform');
 * assert.equal(violationKinds[0]?.pointer, '/id');
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  return await startProxyWith(options, new Redactor());
}

/**
 * The same for a command, which takes the secrets out of its own lines too.
 *
 * @param secrets remembers the credentials of requests
 */
export async function startProxyWith(options: ProxyOptions, secrets: Redactor): Promise<RunningProxy> {
  const settings = proxySettings(options);
  const { route, timeoutMs, judgedBytes, onJudged, onFailed } = settings;
  const startedAt = new Date();
  const counts = new TrafficCounts();
  const judge = await startJudge(options.prism ?? true);
  const queue = new JudgingQueue(judge, (exchange, found, index) => {
    const hasTexts = found.violations.length + found.notes.length > 0;
    const judgement = hasTexts ? redactedJudgement(found, secrets.message) : found;
    const judged = { exchange, ...judgement };
    counts.add(judged, index);
    onJudged?.(judged);
  });
  const forwarder = await startForwarder({
    upstream: route,
    pairsConnections: true,
    ...(options.host !== undefined && { host: options.host }),
    ...(options.port !== undefined && { port: options.port }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(judgedBytes !== undefined && { keptBytes: judgedBytes }),
    keptTogether: new SharedLimit<KeptBody>(MOST_KEPT, (body) => body.forget()),
    room: () => queue.room(),
    onBegin({ headers }) {
      secrets.see(headers);
      queue.begin();
    },
    onExchange(exchange) {
      const { request, response, failure: reason = 'no response' } = exchange;
      const index = counts.ended(response === undefined ? reason : undefined);
      const isJudged = isOperation(request.method, request.target);
      queue.end(exchange, index, isJudged);
      if (response === undefined) onFailed?.({ request, reason });
    },
    onRejected(reason) {
      counts.unreadable.add(reason);
      onFailed?.({ reason });
    },
  }).catch(async (cause) => {
    await judge.close();
    throw cause;
  });
  const report = async (): Promise<ProxyReport> => {
    await queue.idle(GRACE_MS);
    await queue.allJudged();
    return reportOf(settings, counts, secrets, startedAt);
  };
  const close = async (withinMs?: number): Promise<ProxyReport> => {
    // Exchanges under way may still show something.
    forwarder.stop();
    const end = performance.now() + (withinMs ?? 0);
    await queue.idle(withinMs === undefined ? GRACE_MS : withinMs * (2 / 3));
    await forwarder.close();
    // Exchanges that were under way have ended now, and may be judged as well.
    if (withinMs !== undefined) await queue.idle(Math.max(end - performance.now(), 0));
    const last =
      withinMs === undefined
        ? await report()
        : reportOf(settings, counts, secrets, startedAt, queue.unjudged);
    await judge.close();
    return last;
  };
  const { url, port } = forwarder;
  return { url, port, report, close, [Symbol.asyncDispose]: async () => void (await close()) };
}

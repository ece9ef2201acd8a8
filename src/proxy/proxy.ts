import { EventEmitter, once } from 'node:events';
import { setImmediate } from 'node:timers';
import type { Listening } from '../http/address.js';
import type { ForwardedExchange } from '../http/exchange.js';
import { startForwarder } from '../http/forwarder.js';
import { Redactor } from '../report/redaction.js';
import { isOperation } from '../spec/operation.js';
import { judgeExchange, redactedJudgement } from '../validation/exchange.js';
import { type ProxyOptions, proxySettings } from './options.js';
import { type ProxyReport, reportOf, TrafficCounts } from './report.js';

/** A proxy that listens. */
export interface RunningProxy extends Listening, AsyncDisposable {
  /** The report so far. It waits 1 s at most for exchanges under way. */
  report(): Promise<ProxyReport>;
  /** Stops, and returns the last report. It waits 1 s at most for exchanges under way, and then ends them. */
  close(): Promise<ProxyReport>;
}

/** How long a report waits for exchanges that are under way: an upstream may hang. */
const GRACE_MS = 1_000;

/**
 * Starts a proxy that judges the traffic of a plant store. It forwards everything unchanged, byte by byte and as it
 * comes: method, target, status, reason, headers in order, and bodies. Only `Host` and fields about one
 * connection are its own. It judges an exchange after the response was sent. What other servers might read as another
 * request, or as several, gets a 400 from the proxy, and is not forwarded.
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
  const { route, timeoutMs, strict, onJudged, onFailed } = settings;
  const startedAt = new Date();
  const counts = new TrafficCounts();
  /** How many exchanges have begun and are not judged. */
  let underWay = 0;
  const idle = new EventEmitter().setMaxListeners(0);
  const settled = async (): Promise<void> => {
    if (underWay > 0) await once(idle, 'idle', { signal: AbortSignal.timeout(GRACE_MS) }).catch(() => {});
  };
  const judge = (exchange: ForwardedExchange): void => {
    const found = judgeExchange(exchange, { strict });
    const judged = { exchange, ...redactedJudgement(found, secrets.message) };
    counts.add(judged);
    onJudged?.(judged);
  };
  const forwarder = await startForwarder({
    upstream: route,
    ...(options.host !== undefined && { host: options.host }),
    ...(options.port !== undefined && { port: options.port }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    onBegin({ headers }) {
      secrets.see(headers);
      underWay++;
    },
    onExchange(exchange) {
      const { request, response, failure: reason = 'no response' } = exchange;
      counts.ended(response === undefined ? reason : undefined);
      if (response === undefined) onFailed?.({ request, reason, count: 1 });
      // The client has its response first.
      setImmediate(() => {
        if (isOperation(request.method, request.target)) judge(exchange);
        if (--underWay === 0) idle.emit('idle');
      });
    },
    onRejected(reason, count) {
      counts.failed(`not forwarded: ${reason}`, count);
      onFailed?.({ reason, count });
    },
  });
  const report = async (): Promise<ProxyReport> => {
    await settled();
    return reportOf(settings, counts, secrets, startedAt);
  };
  const close = async (): Promise<ProxyReport> => {
    // Exchanges under way may still show something.
    forwarder.stop();
    await settled();
    await forwarder.close();
    return await report();
  };
  const { url, port } = forwarder;
  return { url, port, report, close, [Symbol.asyncDispose]: async () => void (await close()) };
}

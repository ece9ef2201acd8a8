import type { Listening } from '../listening.js';
import { startForwarder } from './forward.js';
import { isJudged } from './judge.js';
import { startJudge } from './judges.js';
import { type ProxyOptions, proxySettings } from './options.js';
import { type ProxyReport, reportOf } from './report.js';
import { Tally } from './tally.js';
import { WaitingLine } from './waiting-line.js';

/** A proxy that listens. */
export interface RunningProxy extends Listening, AsyncDisposable {
  /** What is known so far. It waits for what is under way, 1 s at most, and until all that has passed is judged. */
  report(): Promise<ProxyReport>;
  /** Stops, and gives what is known in the end. */
  close(): Promise<ProxyReport>;
}

/** How long a report waits for exchanges that are under way: an upstream may hang. */
const PATIENCE_MS = 1_000;

/**
 * Starts a proxy that judges the traffic of a plant store. Everything passes unchanged, byte by byte and as soon as it
 * is there: method, target, status, reason, headers in their order, bodies and trailers; only `Host` and fields about
 * one connection are its own. Judging comes after the answer has gone out. A request that Node's HTTP parser refuses
 * (an unknown method, a header that is folded, a target beyond ASCII) is answered with 400 by the proxy itself, and
 * counted apart.
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
 * const { conclusion, kinds } = await proxy.report();
 * assert.equal(conclusion, 'violations');
 * assert.equal(kinds[0]?.pointer, '/id');
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const settings = proxySettings(options);
  const { upstream, ca, insecure = false, timeoutMs, judgedBytes, onJudged, onUnanswered } = settings;
  const startedAt = new Date();
  const tally = new Tally();
  const judge = await startJudge(options.prism ?? true);
  const line = new WaitingLine(judge, (exchange, judgement, index) => {
    const judged = { exchange, ...judgement };
    tally.add(judged, index);
    onJudged?.(judged);
  });
  const forwarder = await startForwarder({
    upstream: { baseUrl: upstream, insecure, ...(ca !== undefined && { ca }) },
    pairsConnections: true,
    ...(options.host !== undefined && { host: options.host }),
    ...(options.port !== undefined && { port: options.port }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(judgedBytes !== undefined && { keptBytes: judgedBytes }),
    room: () => line.room(),
    onBegin: () => line.begin(),
    onExchange(exchange) {
      const { request, response, failure = 'no answer' } = exchange;
      line.end(exchange, tally.passed(response === undefined ? failure : undefined), isJudged(exchange));
      if (response === undefined) onUnanswered?.({ request, why: failure });
    },
    onUnreadable(why) {
      tally.unreadable.add(why);
      onUnanswered?.({ why });
    },
  }).catch(async (cause) => {
    await judge.close();
    throw cause;
  });
  const report = async (): Promise<ProxyReport> => {
    await line.quiet(PATIENCE_MS);
    await line.served();
    return reportOf(settings, tally, startedAt);
  };
  const close = async (): Promise<ProxyReport> => {
    // What is under way may still show something.
    forwarder.stop();
    await line.quiet(PATIENCE_MS);
    await forwarder.close();
    const last = await report();
    await judge.close();
    return last;
  };
  return {
    ...{ url: forwarder.url, port: forwarder.port, report, close },
    [Symbol.asyncDispose]: async () => void (await close()),
  };
}

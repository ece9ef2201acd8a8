import type { Listening } from '../listening.js';
import { baseUrlOf } from '../provider-address.js';
import { invalidOption } from '../toolkit-error.js';
import { startForwarder } from './forward.js';
import { isJudged } from './judge.js';
import type { JudgedExchange } from './judged.js';
import { startJudge } from './judges.js';
import { Tally, type ViolationKind } from './tally.js';
import { WaitingLine } from './waiting-line.js';

/** Which violations count in the end. */
export type FailOn = 'response' | 'request' | 'both';

/** How a proxy runs. */
export interface ProxyOptions {
  /** Where the provider is: the targets of requests are appended to its own path. */
  readonly upstream: string | URL;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default: a free one. */
  readonly port?: number;
  /**
   * Which violations count. Default `response`: that a request is wrong and is refused is how the interface is meant to
   * work.
   */
  readonly failOn?: FailOn;
  /** Whether Prism is asked as well; its opinion is kept apart, and never counts. Default true. */
  readonly prism?: boolean;
  /** Milliseconds that an exchange may take. Default: any number, as without the proxy. */
  readonly timeoutMs?: number;
  /** How many bytes of a body are judged; all of them pass. Default 1 MiB. */
  readonly judgedBytes?: number;
  /** Certificates to trust instead of the usual ones, as PEM. */
  readonly ca?: string;
  /** Whether any certificate is taken. Default false. */
  readonly insecure?: boolean;
  /** Told of each exchange that was judged, after its answer has gone out. */
  readonly onJudged?: (judged: JudgedExchange) => void;
}

/** What passed a proxy, and what is said of it. */
export interface ProxyReport {
  readonly proxyVersion: 1;
  readonly upstream: string;
  readonly failOn: FailOn;
  /** When it began: ISO 8601, in UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** How many exchanges passed, those among them that are of `POST …/plants`, and those without an answer. */
  readonly exchanges: number;
  readonly judged: number;
  readonly unanswered: number;
  /** How many requests and responses could be judged: an answer may not come, and a body may be too long. */
  readonly judgedSides: { readonly request: number; readonly response: number };
  /** How many violations the interface has; Prism's are in `kinds` only. */
  readonly violations: { readonly request: number; readonly response: number };
  readonly kinds: readonly ViolationKind[];
  /** Violations of further kinds, where there were too many to keep apart. */
  readonly otherKinds: number;
  /** `nothing-judged`: nothing came through of the side that counts, so that nothing can be said. */
  readonly conclusion: 'conforms' | 'violations' | 'nothing-judged';
}

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
 * one connection are its own. Judging comes after the answer has gone out.
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
  const { failOn = 'response', ca, insecure = false, timeoutMs, judgedBytes, onJudged } = options;
  if (!['response', 'request', 'both'].includes(failOn))
    throw invalidOption(`violations count in a response, a request or both; got "${failOn}"`);
  const upstream = baseUrlOf(options.upstream);
  const startedAt = new Date();
  const start = performance.now();
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
      line.end(exchange, tally.passed(exchange.response !== undefined), isJudged(exchange));
    },
  }).catch(async (cause) => {
    await judge.close();
    throw cause;
  });
  const report = async (): Promise<ProxyReport> => {
    await line.quiet(PATIENCE_MS);
    await line.served();
    const { exchanges, judged, unanswered, violations, otherKinds, judgedSides } = tally;
    const counted =
      (failOn === 'request' ? 0 : violations.response) + (failOn === 'response' ? 0 : violations.request);
    return {
      proxyVersion: 1,
      ...{ upstream, failOn, startedAt: startedAt.toISOString() },
      durationMs: Math.round(performance.now() - start),
      ...{ exchanges, judged, unanswered, otherKinds },
      violations: { ...violations },
      judgedSides: { ...judgedSides },
      kinds: tally.sorted(),
      conclusion:
        counted > 0 ? 'violations' : isJudgedWholly(judgedSides, failOn) ? 'conforms' : 'nothing-judged',
    };
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

/** Whether of each side that counts something was judged. */
function isJudgedWholly({ request, response }: ProxyReport['judgedSides'], failOn: FailOn): boolean {
  return (failOn === 'request' || response > 0) && (failOn === 'response' || request > 0);
}

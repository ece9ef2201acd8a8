import type { ProxyOptions } from '../../proxy/options.js';
import { type RunningProxy, startWatchedProxy } from '../../proxy/proxy.js';
import type { SeenSecrets } from '../../proxy/seen-secrets.js';
import type { TrafficCounts } from '../../proxy/traffic-counts.js';
import { ok, type Routes } from '../control/control-request.js';
import type { Violations } from './browser/wire.js';
import { ExchangeLog } from './exchange-log.js';
import { type ExchangeRedactor, ExchangeRedactors } from './exchange-redactor.js';
import { exchangeRoutes } from './exchange-routes.js';
import { MOST_EXCHANGES, pageFiles, pageFolder } from './page-files.js';
import { problemOf } from './show.js';

/**
 * Starts a proxy, and keeps its last exchanges for a page.
 *
 * @param secrets what the page must not show. It remembers what clients send.
 * @returns the proxy, and what the page asks for
 * @throws ToolkitError as `startProxy` does
 */
export async function watchProxy(
  options: ProxyOptions,
  secrets: SeenSecrets,
  folder = pageFolder,
): Promise<{ readonly proxy: RunningProxy; readonly routes: Routes }> {
  const files = pageFiles(folder);
  const log = new ExchangeLog(MOST_EXCHANGES);
  const { proxy, counts } = await startWatchedProxy(options, secrets, {
    // What is judged is announced with its verdict, moments later. The proxy counts from 0.
    onExchange: (exchange, _index, isJudged) => void log.add({ exchange }, !isJudged),
    onJudged: (judgement, index) => log.judged(index + 1, judgement),
  });
  const watched = { kind: 'proxy', url: proxy.url, upstream: String(options.upstream) } as const;
  const redactors = new ExchangeRedactors(secrets);
  const violations = { GET: () => ok(violationsIn(counts, redactors.for([]))) };
  const routes = { ...files, ...exchangeRoutes(log, redactors, () => watched), '/violations': violations };
  return { proxy, routes };
}

/** What was found so far, with the same spans of time everywhere. */
function violationsIn(counts: TrafficCounts, redactors: ExchangeRedactor): Violations {
  const kinds = counts.sortedKinds();
  const { exchangesOverTime, otherViolations, failures, unreadable } = counts;
  const series = [exchangesOverTime, ...kinds.map((kind) => counts.overTime(kind))];
  const spanMs = Math.max(...series.map(({ span }) => span));
  return {
    exchanges: exchangesOverTime.read(spanMs),
    kinds: kinds.map((kind) => ({
      ...problemOf(kind, redactors),
      count: kind.count,
      overTime: counts.overTime(kind).read(spanMs),
    })),
    others: otherViolations,
    withoutResponse: failures
      .sorted()
      .map(({ reason, count }) => ({ reason: redactors.text(reason), count })),
    rejected: unreadable.sorted(),
  };
}

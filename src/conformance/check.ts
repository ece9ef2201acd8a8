import { ToolkitError } from '../toolkit-error.js';
import { loadPrism } from '../validation/prism.js';
import type { Exchange } from './exchange.js';
import { exitCode } from './exit-code.js';
import { activeExpectations } from './expected-failures.js';
import { probesToConfirm, shownAgain } from './judging/confirm.js';
import { Evidence } from './judging/evidence.js';
import { type JudgedRule, judgeRules } from './judging/judge.js';
import { type PrismOpinion, prismOpinion } from './judging/prism-opinion.js';
import { type CheckOptions, checkSettings } from './options.js';
import { planOf } from './plan.js';
import { buildReport } from './reporting/build-report.js';
import { whyNotTestable } from './reporting/not-testable.js';
import type { Report } from './reporting/report.js';
import { reportText } from './reporting/report-text.js';
import { select } from './selection.js';
import { beyondRequests } from './sending/beyond-requests.js';
import { Run } from './sending/run.js';

/**
 * Checks a provider of `POST /plants` against the rules of the interface. It creates plants (see
 * `planCheck`) and cannot delete them: the report lists their ids. A check ends within 45 s.
 *
 * @param options where the provider is, and a token that it accepts
 * @returns the report as data, also where rules are broken or the provider cannot be reached
 * @throws ToolkitError `invalid-option`, naming the option
 * @example
 * import assert from 'node:assert/strict';
 * import { checkConformance } from 'plant-store-contract/conformance';
 * import { startPlantStore } from 'plant-store-contract/server';
 *
 * await using store = await startPlantStore({ token: 'secret', faults: ['leaks-id'] });
 * const report = await checkConformance({ baseUrl: store.url, token: 'secret' });
 * assert.equal(report.conclusion, 'breaks-rules');
 * const broken = report.rules.filter(({ verdict }) => verdict === 'fail');
 * assert.deepEqual(broken.map(({ id }) => id), ['success/plant-fields-only']);
 * assert.equal(report.findings[0]?.id, 'record-is-serialised-whole');
 */
export async function checkConformance(options: CheckOptions): Promise<Report> {
  const { rules, probes: chosen } = select(options);
  const expectations = activeExpectations(options.expectedFailures ?? []);
  const settings = await checkSettings(options);
  const leftOut = beyondRequests(chosen, settings.fetch);
  const probes = chosen.filter((probe) => !leftOut.has(probe));
  const startedAt = new Date();
  const start = performance.now();
  const run = new Run(settings, planOf(probes).requests);
  await run.send(probes);
  const notTestable = whyNotTestable(run.exchanges);
  const isTestable = notTestable === undefined;
  const first = new Evidence(probes, run.exchanges, leftOut);
  const failed = isTestable ? probesToConfirm(judgeRules(rules, first), first) : [];
  const confirmations = await run.confirm(failed);
  const evidence = new Evidence(probes, run.exchanges, leftOut);
  const judged = judgeRules(rules, evidence);
  const again = shownAgain(
    judged,
    evidence,
    confirmations.filter(({ role }) => role === 'confirmation'),
  );
  // Not before: while it loads, nothing else runs, and requests under way would seem to take longer than they do.
  const opinion = settings.prism && isTestable ? await askPrism(run.exchanges, judged) : undefined;
  return buildReport({
    ...{ settings, startedAt, evidence, judged, notTestable, again, expectations },
    durationMs: Math.round(performance.now() - start),
    exchanges: run.exchanges,
    prism: opinion,
  });
}

/** A fault of Prism is none of the provider, and spoils no report. */
async function askPrism(
  exchanges: readonly Exchange[],
  judged: readonly JudgedRule[],
): Promise<PrismOpinion | string> {
  try {
    return prismOpinion(await loadPrism(), exchanges, judged);
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}

/**
 * {@link checkConformance} for a test: returns where the provider conforms, known failures aside.
 *
 * @throws ToolkitError `does-not-conform`, with the report as text in its message; `provider-not-testable` where
 *   not every rule could be judged
 * @example
 * import { assertConformance } from 'plant-store-contract/conformance';
 * import { startPlantStore } from 'plant-store-contract/server';
 *
 * await using store = await startPlantStore({ token: 'secret' });
 * await assertConformance({ baseUrl: store.url, token: 'secret' });
 */
export async function assertConformance(options: CheckOptions): Promise<Report> {
  const report = await checkConformance(options);
  const status = exitCode(report.conclusion);
  if (status === 0) return report;
  throw new ToolkitError(
    status === 1 ? 'does-not-conform' : 'provider-not-testable',
    `${report.summary}\n\n${reportText(report, { quiet: true })}`,
  );
}

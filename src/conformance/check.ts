import { ToolkitError } from '../toolkit-error.js';
import { judgeRules } from './judge.js';
import { type CheckOptions, checkSettings } from './options.js';
import { probes } from './probes/index.js';
import { type Report, reportOf } from './report.js';
import { rules } from './rules/index.js';
import { runProbes } from './run.js';

/**
 * Checks a provider of `POST /plants` against the rules of the interface. It creates plants, at most one for each
 * probe and one more for each control, and cannot delete them: the report lists their ids.
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
 */
export async function checkConformance(options: CheckOptions): Promise<Report> {
  const settings = checkSettings(options);
  const startedAt = new Date();
  const start = performance.now();
  const exchanges = await runProbes(probes, settings);
  return reportOf({
    settings,
    startedAt,
    durationMs: Math.round(performance.now() - start),
    judged: judgeRules(rules, probes, exchanges),
    exchanges,
    titles: new Map(probes.map(({ name, title }) => [name, title])),
  });
}

/**
 * {@link checkConformance} for a test: returns where the provider conforms.
 *
 * @throws ToolkitError `does-not-conform`, with the broken rules in its message; `provider-not-testable` where
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
  if (report.conclusion === 'conforms') return report;
  const lines = report.rules.flatMap(({ id, verdict, reason, failures: [first] }) => {
    if (verdict === 'pass') return [];
    return [
      first === undefined
        ? `${id}: ${verdict}, ${reason}`
        : `${id}: expected ${first.expected}; got ${first.actual}`,
    ];
  });
  const code = report.conclusion === 'breaks-rules' ? 'does-not-conform' : 'provider-not-testable';
  throw new ToolkitError(code, [report.summary, ...lines].join('\n  '));
}

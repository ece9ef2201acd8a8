import type { TokenOption } from '../../http/token.js';
import { invalidOption } from '../../toolkit-error.js';
import { type CheckOptions, TIME_LIMIT_MS } from '../options.js';
import { prepareCheck } from '../prepare.js';
import type { CheckReport } from '../report/check-report.js';
import {
  checkOnce,
  isStartTarget,
  NO_HOST,
  providerOf,
  type SuiteTarget,
  started,
  tokenFor,
} from './provider.js';
import { placed, type SuiteTest, testOf, testResult } from './runner.js';

/** Options of {@link conformanceSuite}: its own, and those of `checkConformance`. */
export interface SuiteOptions extends Omit<CheckOptions, 'baseUrl' | 'fetch' | 'token'> {
  /** `test` or `it` of the runner: Vitest, Jest, or node:test. */
  readonly test: SuiteTest;
  /** What is checked: `{ url }`, `{ fetch }`, or `{ start }`. */
  readonly target: SuiteTarget;
  /** A token that the provider accepts. Not needed if the target has one. */
  readonly token?: TokenOption;
  /** The base URL in the requests to a `fetch` target. Default `http://localhost`. */
  readonly baseUrl?: string | URL;
  /**
   * Milliseconds that each test may take. Default: a third more than `timeLimitMs`, which is 60,000. The first test
   * waits for the check.
   * After nine tenths of this time the suite stops waiting, and every test fails with the reason: for example, the
   * provider has not started.
   */
  readonly checkTimeoutMs?: number;
  /** Called once with the report, before the first test ends. It can write the report to a file, for example. */
  readonly onReport?: (report: CheckReport) => void | Promise<void>;
}

/**
 * Makes every rule a test of your own suite. The id of the rule is the name of the test. It imports no test runner, so
 * it works in every one.
 *
 * One check serves all tests. It runs when the first test runs, so nothing starts if a filter excludes all tests.
 *
 * - A broken rule fails, with what was sent, expected, and received.
 * - If the provider cannot be tested, every test fails with the reason.
 * - A behaviour that the interface leaves open passes. `onReport` has what was observed.
 * - A rule that does not apply is skipped with the reason, and so is an expected failure. Jest cannot skip a test that
 *   runs: there, both pass.
 * - A provider that cannot be stopped is reported on standard error, and changes no verdict.
 *
 * @throws ToolkitError `invalid-option`, before it makes a test
 * @example
 * import { conformanceSuite } from 'plant-store-contract/conformance';
 * import { createPlantStore } from 'plant-store-contract/server';
 *
 * // In your suite: import { test } from 'vitest', '@jest/globals' or 'node:test'.
 * const tests = new Map<string, () => Promise<void>>();
 * const test = (name: string, run: () => Promise<void>) => tests.set(name, run);
 *
 * const { fetch } = createPlantStore({ token: 'secret' });
 * conformanceSuite({ test, target: { fetch }, token: 'secret', only: ['success'] });
 *
 * await tests.get('success/plant-fields-only')?.();
 */
export function conformanceSuite(options: SuiteOptions): void {
  const { test, target, token, baseUrl, onReport, checkTimeoutMs: testMs, ...ofCheck } = options;
  const checkTimeoutMs = testMs ?? Math.ceil(((ofCheck.timeLimitMs ?? TIME_LIMIT_MS) * 4) / 3);
  if (typeof test !== 'function')
    throw invalidOption('"test" must be the function of your runner that defines a test');
  const running = isStartTarget(target) ? undefined : providerOf(target, baseUrl);
  // The address of a provider that is not started yet is unknown. All other options can be checked now.
  const at = running?.at ?? { baseUrl: baseUrl ?? NO_HOST };
  const { rules } = prepareCheck({ ...ofCheck, ...at });
  if (running !== undefined) tokenFor(running, token);
  // A failed test shows where the suite was made, not where we threw.
  const caller: { stack?: string } = {};
  Error.captureStackTrace(caller, conformanceSuite);
  let checked: Promise<CheckReport> | undefined;
  const check = (): Promise<CheckReport> => {
    checked ??= checkOnce({
      provider: isStartTarget(target) ? started(target, baseUrl) : providerOf(target, baseUrl),
      token,
      options: ofCheck,
      timeoutMs: checkTimeoutMs,
      onReport,
    });
    return checked;
  };
  for (const { id } of rules) {
    const run = testOf(async () => placed(testResult(id, await check()), caller));
    // node:test ignores the limit of the time, and has none itself.
    test(id, run, checkTimeoutMs);
  }
}

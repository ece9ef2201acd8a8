import type { TokenOption } from '../../token-option.js';
import { invalidOption } from '../../toolkit-error.js';
import { activeExpectations } from '../expected-failures.js';
import { type CheckOptions, settingsWithoutToken } from '../options.js';
import type { Report } from '../reporting/report.js';
import { concerns } from '../rule.js';
import { select } from '../selection.js';
import { beyondRequests } from '../sending/beyond-requests.js';
import { checkOnce, type OneCheck } from './one-check.js';
import { outcomeOf, placed } from './outcome.js';
import { defineTest, type SuiteTest } from './runner.js';
import {
  handlerOf,
  isStarter,
  providerOf,
  type Starter,
  type SuiteTarget,
  started,
  tokenFor,
} from './target.js';

/** Options of {@link conformanceSuite}: what it needs, and those of `checkConformance`. */
export interface SuiteOptions extends Omit<CheckOptions, 'baseUrl' | 'fetch' | 'token'> {
  /** `test` or `it` of the runner: Vitest, Jest or node:test. */
  readonly test: SuiteTest;
  /** What is checked. */
  readonly target: SuiteTarget;
  /** A token that the provider accepts. It may be left out where the target has one. */
  readonly token?: TokenOption;
  /** Of a handler: what the URLs of its requests begin with. Default `http://localhost`. */
  readonly baseUrl?: string | URL;
  /**
   * Milliseconds that each test may take, the first one being the one that waits for the check. Default 60,000; a
   * check ends within 45 s. What has not happened after nine tenths of it fails all tests at once: a provider that does
   * not start, for one.
   */
  readonly checkTimeoutMs?: number;
  /** Called once with the report, before the first test ends: to write it to a file, for one. */
  readonly onReport?: (report: Report) => void | Promise<void>;
  /** Takes what is to be said of a test that passes where the runner has no place for it. Default: a line on stderr. */
  readonly say?: (text: string) => void;
}

/**
 * Makes every rule a test of your own suite, named by the id of the rule. It stands here, and imports no runner: a
 * module that imports Vitest cannot be loaded by Jest, and node:test needs neither.
 *
 * One check is behind all of them. It runs when the first test does, so that nothing is started where all tests are
 * filtered out. A rule that is broken fails with what was sent, expected and got; where nothing could be judged, the
 * tests fail with the reason. A provider that cannot be stopped changes no verdict; it is said. What the interface leaves open passes and says what was observed: as an annotation in
 * Vitest 3.2 and later, as a diagnostic in node:test. A rule that does not apply is skipped with the reason, and so is
 * a failure that was expected, which node:test has as a test to do. Jest can skip no test that runs: there both pass
 * with a line on stderr, the rules that no handler can be asked about excepted, which are skipped.
 *
 * @throws ToolkitError `invalid-option`, before a test is made
 * @example
 * import { conformanceSuite } from 'plant-store-contract/conformance';
 * import { createPlantStore } from 'plant-store-contract/server';
 *
 * // In your suite: import { test } from 'vitest', '@jest/globals' or 'node:test'.
 * const tests = new Map<string, () => Promise<void>>();
 * const test = (name: string, run: () => Promise<void>) => tests.set(name, run);
 *
 * conformanceSuite({ test, target: createPlantStore({ token: 'secret' }), only: ['success'] });
 *
 * await tests.get('success/plant-fields-only')?.();
 */
export function conformanceSuite(options: SuiteOptions): void {
  const { test, target, baseUrl, checkTimeoutMs = 60_000, say = line } = options;
  if (typeof test !== 'function')
    throw invalidOption('"test" must be the function of your runner that defines a test');
  const { rules, probes } = select(options);
  activeExpectations(options.expectedFailures ?? []);
  const there = isStarter(target) ? undefined : providerOf(target, baseUrl);
  settingsWithoutToken({ ...options, ...(there?.at ?? { baseUrl: baseUrl ?? 'http://localhost' }) });
  if (there !== undefined) tokenFor(there, options.token);
  const leftOut = beyondRequests(probes, handlerOf(target));
  // Where a failure is shown: our own frames would say nothing.
  const place: { stack?: string } = {};
  Error.captureStackTrace(place, conformanceSuite);
  let checked: Promise<Report> | undefined;
  const check = (): Promise<Report> => {
    checked ??= checkOnce({
      ...{ provider: there ?? started(target as Starter, baseUrl), token: options.token },
      ...{ options: checkOptionsOf(options), timeoutMs: checkTimeoutMs, onReport: options.onReport, say },
    });
    return checked;
  };
  for (const rule of rules) {
    const asked = probes.filter((probe) => concerns(rule, probe));
    defineTest(
      test,
      {
        name: rule.id,
        timeoutMs: checkTimeoutMs,
        skipped: asked.every((probe) => leftOut.has(probe)),
        outcome: async () => placed(outcomeOf(rule.id, await check()), place),
      },
      say,
    );
  }
}

/** Without what is the suite's own. */
function checkOptionsOf(options: SuiteOptions): OneCheck['options'] {
  const { test, target, token, baseUrl, checkTimeoutMs, onReport, say, ...others } = options;
  return others;
}

function line(text: string): void {
  process.stderr.write(`${text}\n`);
}

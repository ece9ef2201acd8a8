import { setTimeout as sleep } from 'node:timers/promises';
import type { TokenOption } from '../http/token.js';
import { exitStatus, isUnjudged } from '../report/conclusion.js';
import { visible } from '../report/escape.js';
import { excuseOf, failureText } from '../report/formats/wording.js';
import { casesOf } from '../report/frame.js';
import { invalidOption, reasonOf, ToolkitError } from '../toolkit-error.js';
import { checkConformance } from './check.js';
import type { CheckOptions } from './options.js';
import { prepareCheck } from './prepare.js';
import type { CheckReport } from './report/check-report.js';
import { WAS_CALLED } from './report/notes.js';
import type { FetchHandler } from './send/handler.js';

/** The function of a test runner that defines a test: `test` or `it` of Vitest, Jest, or node:test. */
export type SuiteTest = (name: string, run: () => Promise<void>, timeoutMs?: number) => unknown;

/** A provider that runs: an object with its base URL, or with a function from a `Request` to a `Response`. */
export type ProviderTarget = ({ readonly url: string | URL } | { readonly fetch: FetchHandler }) & {
  /** A token that the provider accepts. Used if the suite is given none. */
  readonly token?: TokenOption | undefined;
  /** Stops a provider that `start` started. */
  readonly close?: (() => unknown) | undefined;
};

/** A provider that the suite starts before the check, and stops after it. */
export interface StartTarget {
  start(): ProviderTarget | Promise<ProviderTarget>;
}

/**
 * What a suite checks:
 *
 * - `{ url }`: a provider that listens
 * - `{ fetch }`: a function from a `Request` to a `Response`; the suite serves it
 * - `{ start }`: a function that starts a provider, and returns one of these, best with `close`
 */
export type SuiteTarget = ProviderTarget | StartTarget;

/** Options of {@link conformanceSuite}: its own, and those of `checkConformance`. */
export interface SuiteOptions extends Omit<CheckOptions, 'baseUrl' | 'fetch' | 'token' | 'row'> {
  /** `test` or `it` of the runner: Vitest, Jest, or node:test. */
  readonly test: SuiteTest;
  /** What is checked: `{ url }`, `{ fetch }`, or `{ start }`. */
  readonly target: SuiteTarget;
  /** A token that the provider accepts. Not needed if the target has one. */
  readonly token?: TokenOption | undefined;
  /** The base URL in the requests to a `fetch` target. Default `http://localhost`. */
  readonly baseUrl?: string | URL | undefined;
  /** Called once with the report, before the first test ends. It can write the report to a file, for example. */
  readonly onReport?: ((report: CheckReport) => void | Promise<void>) | undefined;
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
  const { test, target, token, baseUrl, onReport, ...ofCheck } = options;
  if (typeof test !== 'function')
    throw invalidOption('"test" must be the function of your runner that defines a test');
  const given = isStartTarget(target) ? undefined : placeOf(target, options);
  // The address of a provider that is not started yet is unknown. All other options can be checked now.
  const { rules, settings } = prepareCheck({ ...ofCheck, ...(given ?? { baseUrl: baseUrl ?? NO_HOST }) });
  const { timeLimitMs, explore } = settings;
  const startMs = Math.min(STARTING_MS, timeLimitMs);
  const check = async (place: Place): Promise<CheckReport> => {
    const report = await checkConformance({ ...ofCheck, prism: ofCheck.prism ?? false, ...place });
    await onReport?.(report);
    return report;
  };
  const checkOnce = async (): Promise<CheckReport> => {
    if (given !== undefined) return await check(given);
    const running = await started(target as StartTarget, startMs);
    try {
      return await check(placeOf(running, options));
    } finally {
      await within(STOPPING_MS, stop(running), 'the provider has not stopped').catch((cause) => {
        process.stderr.write(`the provider could not be stopped: ${reasonOf(cause)}\n`);
      });
    }
  };
  const timeoutMs = startMs + timeLimitMs + (explore?.timeMs ?? 0) + STOPPING_MS + SPARE_MS;
  let checked: Promise<CheckReport> | undefined;
  for (const { id } of rules) {
    // There must be no parameter: Jest would wait for a callback, and an extended test of Vitest accepts only a
    // destructured one. So the context comes from `arguments`. Jest passes none, and cannot skip a test that runs.
    async function run(): Promise<void> {
      // biome-ignore lint/complexity/noArguments: Vitest counts a rest parameter too.
      const context = Object(arguments[0]) as { readonly skip?: (why: string) => void };
      checked ??= checkOnce();
      const skipped = whySkipped(id, await checked);
      if (skipped !== undefined) context.skip?.(skipped);
    }
    // node:test ignores the limit of the time, and has none itself.
    test(id, run, timeoutMs);
  }
}

/** A provider that has not started by then will not. */
const STARTING_MS = 30_000;
const STOPPING_MS = 5_000;
/** The runner must not end a test before the suite says why it fails. */
const SPARE_MS = 5_000;

/** Where a provider is, and a token that it accepts. */
type Place = Pick<CheckOptions, 'baseUrl' | 'fetch' | 'token'>;

/** The base URL of a provider that is a function, unless the options name another. */
const NO_HOST = 'http://localhost';

/** What a target may have, whatever it is. */
function partsOf(target: unknown): { readonly [name: string]: unknown } {
  return Object(target);
}

/** Whether a target only says how its provider is started, and has nothing that runs already. */
function isStartTarget(target: unknown): target is StartTarget {
  const { url, fetch, start } = partsOf(target);
  return !isUrl(url) && typeof fetch !== 'function' && typeof start === 'function';
}

/** @throws ToolkitError `invalid-option` if the target is not a provider that runs, or there is no token */
function placeOf(
  target: unknown,
  { token: given, baseUrl = NO_HOST }: Pick<SuiteOptions, 'token' | 'baseUrl'>,
): Place {
  const { url, fetch, token } = partsOf(target);
  if (!isUrl(url) && typeof fetch !== 'function')
    // It may be an application of Express, Koa or Fastify, or a server of Node.
    throw invalidOption(
      "the target must be { url }, { fetch }, or { start }. Of a server, pass where it listens: { url: 'http://127.0.0.1:3000' }, or { start: … } that returns { url, close }",
    );
  const own = given ?? (token as TokenOption | undefined);
  if (own === undefined) throw invalidOption('a token is missing: set "token" on the suite or on the target');
  if (isUrl(url)) return { baseUrl: url, token: own };
  return { baseUrl, fetch: (request) => (fetch as FetchHandler).call(target, request), token: own };
}

/** By name, not by class: jsdom has its own URL class. */
function isUrl(value: unknown): value is string | URL {
  return typeof value === 'string' || Object.prototype.toString.call(value) === '[object URL]';
}

/**
 * Starts a provider. One that starts too late is stopped all the same.
 *
 * @throws ToolkitError `provider-not-testable`, with what the function threw as its cause
 */
async function started(target: StartTarget, ms: number): Promise<unknown> {
  const starting = (async () => target.start())().catch((cause: unknown) => {
    const why = `the provider could not be started: ${reasonOf(cause)}`;
    throw new ToolkitError('provider-not-testable', why, { cause });
  });
  return await within(ms, starting, 'the provider has not started').catch((problem) => {
    void starting.then(stop).catch(() => {});
    throw problem;
  });
}

async function stop(running: unknown): Promise<void> {
  const { close, listening, once } = partsOf(running);
  if (typeof close !== 'function') return;
  // A server that does not listen yet cannot be closed. One that stays open would keep the process of the tests alive.
  if (listening === false && typeof once === 'function') once.call(running, 'listening', close);
  else await close.call(running);
}

/**
 * Waits for work.
 *
 * @param missed what has not happened when the time is over: "the provider has not started"
 * @throws ToolkitError `provider-not-testable` when the time is over
 */
async function within<T>(ms: number, work: Promise<T>, missed: string): Promise<T> {
  const over = new AbortController();
  // From the module, not the globals: a test may have replaced those with fake timers.
  const late = sleep(ms, undefined, { signal: over.signal }).then(() => {
    throw new ToolkitError('provider-not-testable', `${missed} within ${ms / 1000} s`);
  });
  return await Promise.race([work, late]).finally(() => over.abort());
}

/** How much evidence of a broken rule is written out. */
const SHOWN = 2;

/**
 * Decides about the test of a rule. All tests of a suite pass if, and only if, the exit status of the check is 0.
 *
 * @returns why the test is skipped, if it is
 * @throws ToolkitError `does-not-conform` or `provider-not-testable` if the test fails
 */
function whySkipped(id: string, report: CheckReport): string | undefined {
  const { conclusion, summary, notes } = report;
  const cases = casesOf(report);
  const rule = cases.find((one) => one.id === id);
  // No verdict can be trusted, and perhaps no rule says why.
  const isUnusable =
    conclusion === 'not-testable' || (exitStatus(conclusion) === 2 && !cases.some(isUnjudged));
  if (rule === undefined || isUnusable) throw new ToolkitError('provider-not-testable', summary);
  const { verdict, title, detail = '' } = rule;
  const excuse = excuseOf(rule);
  if (isUnjudged(rule))
    throw new ToolkitError('provider-not-testable', `${title}\n\nIt could not be judged: ${visible(detail)}`);
  if (verdict === 'pass' && excuse !== undefined)
    throw new ToolkitError('does-not-conform', `${title}\n\n${excuse}`);
  if (verdict === 'fail' && excuse === undefined) {
    const texts = [failureText(rule, report, SHOWN), ...notes.filter((note) => note === WAS_CALLED)];
    throw new ToolkitError('does-not-conform', visible(texts.join('\n\n')));
  }
  // The report has the warnings.
  return verdict === 'pass' || verdict === 'warn' || verdict === 'observed' ? undefined : (excuse ?? detail);
}

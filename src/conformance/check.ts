import { exitStatus, HOUSE_LEVEL } from '../report/conclusion.js';
import { text } from '../report/formats/text.js';
import { ToolkitError } from '../toolkit-error.js';
import { loadPrism } from '../validation/prism.js';
import type { Exchange } from './exchange.js';
import { confirmedExploration, type Exploration } from './exploring/exploration.js';
import { Facts, isFixedOrInTime, isInTime } from './judge/facts.js';
import { type JudgedRule, judgeAndConfirm, judgeRules } from './judge/judge.js';
import { type PrismOpinion, prismOpinion } from './judge/prism.js';
import { whyNotTestable } from './judge/testable.js';
import { omissionOf } from './omission.js';
import type { CheckOptions, CheckSettings, ExpectedFailure } from './options.js';
import { type PreparedCheck, prepareCheck } from './prepare.js';
import { buildReport } from './report/build.js';
import type { CheckReport } from './report/check-report.js';
import { probeOf } from './row.js';
import type { AnyRule, Demand } from './rule.js';
import { serveHandler } from './send/handler.js';
import { Run } from './send/run.js';
import { Tokens } from './send/tokens.js';

/**
 * Checks a provider of `POST /plants` against the rules of the interface. It creates plants (see
 * `planCheck`) and cannot delete them: the report lists their ids. A check ends within its
 * time limit.
 *
 * @param options where the provider is, and a token that it accepts
 * @returns the report as data, even if rules are broken or the provider cannot be reached
 * @throws ToolkitError `invalid-option`, naming the option
 * @example
 * import assert from 'node:assert/strict';
 * import { checkConformance } from 'plant-store-contract/conformance';
 * import { startPlantStore } from 'plant-store-contract/server';
 *
 * await using store = await startPlantStore({ token: 'secret', faults: ['leaks-id'] });
 * const report = await checkConformance({ baseUrl: store.url, token: 'secret' });
 * assert.equal(report.conclusion, 'does-not-conform');
 * const broken = report.rules.filter(({ verdict }) => verdict === 'fail');
 * assert.deepEqual(broken.map(({ id }) => id), ['success/plant-fields-only']);
 * assert.equal(report.findings[0]?.id, 'success/plant-fields-only');
 */
export async function checkConformance(options: CheckOptions): Promise<CheckReport> {
  const prepared = prepareCheck(options);
  const tokens = await Tokens.from(options.token);
  const { fetch, url } = prepared.settings;
  if (fetch === undefined) return await runCheck(prepared, tokens);
  const served = await serveHandler(fetch, url);
  return await runCheck({ ...prepared, served }, tokens).finally(() => served.close());
}

/** What exploring found is sent again, and judged, in so much time. */
const FOR_EXPLORED_MS = 30_000;

/**
 * Runs a check that is prepared. See {@link checkConformance}.
 *
 * @param startAgain starts a provider again that has stopped responding, and says whether it answers
 * @param expectAnew makes another list of expected failures of what was found, which the report then has
 */
export async function runCheck(
  prepared: PreparedCheck,
  tokens: Tokens,
  startAgain?: () => Promise<boolean>,
  expectAnew?: (report: CheckReport) => readonly ExpectedFailure[],
): Promise<CheckReport> {
  const { rules, probes: core, expectations, plan, row, served } = prepared;
  const settings = { ...prepared.settings, tokens };
  // The report has the URL that was given.
  const sending = served === undefined ? settings : { ...settings, url: served.url };
  const startedAt = new Date();
  const start = performance.now();
  const run = new Run(sending, { rules, plan }, startAgain);
  await run.send(core);
  const problem = whyNotTestable(run.exchanges, settings.url);
  const notTestable = problem && (served?.networkError() ?? problem);
  const isTestable = notTestable === undefined;
  const sent = run.sent(core);
  const { sender, clock } = run;
  // A check that could not send everything explores nothing.
  const mayExplore = isTestable && sender.whyNotSent() === undefined;
  const exploration = mayExplore
    ? await clock.awayFor(() => exploreFrom(sending, rules, new Facts(sent, run.exchanges, run.leftOut)))
    : undefined;
  const explored = exploration?.failures.map(({ row }) => probeOf(row)) ?? [];
  if (explored.length > 0) clock.extend(FOR_EXPLORED_MS);
  await run.send(explored);
  const probes = [...sent, ...explored];
  // No failure may get lost: an intermittent one counts where it is seen, unless its own rule is judged.
  const isIntermittencyJudged = rules.some(({ id }) => id === 'state/no-intermittent-failures');
  const replaces = isIntermittencyJudged ? isFixedOrInTime : isInTime;
  const { facts, judged, again } = await judgeAndConfirm(
    () => {
      const rejectsAll = sender.watch.ended === 'rejects';
      const now = new Facts(probes, run.exchanges, run.leftOut, run.restarts, rejectsAll);
      return { facts: now, judged: judgeRules(rules, now) };
    },
    async (failed) => (isTestable ? run.confirm(failed, replaces) : []),
  );
  // Only now: while Prism loads, nothing else runs, and open requests would seem to take longer than they do.
  const opinion =
    settings.prism && isTestable && !settings.signal.aborted
      ? await askPrism(run.exchanges, judged)
      : undefined;
  const result = {
    settings,
    startedAt,
    facts,
    judged: row === undefined ? judged : withSomethingToJudge(judged),
    notTestable,
    again,
    expectations,
    omission: isTestable ? omissionOf(run, core, plan.requests) : undefined,
    durationMs: Math.round(performance.now() - start),
    exchanges: run.exchanges,
    prism: opinion,
    exploration: exploration && confirmedExploration(exploration, judged),
  };
  const report = buildReport(result);
  if (expectAnew === undefined || !isTestable) return report;
  return buildReport({ ...result, expectations: prepared.expectationsIn(expectAnew(report)) });
}

/** The rules to which one row says something. Others need further rows. */
function withSomethingToJudge(judged: readonly JudgedRule[]): readonly JudgedRule[] {
  const some = judged.filter(
    ({ rule, reason }) => rule.level === 'unspecified' || reason !== rule.nothingToJudge,
  );
  return some.length > 0 ? some : judged;
}

/** Draws more probes, if that was asked for. What fails is sent again by the caller, like a core probe. */
async function exploreFrom(
  settings: CheckSettings,
  rules: readonly AnyRule[],
  facts: Facts,
): Promise<Exploration | undefined> {
  if (settings.explore === undefined || settings.signal.aborted) return undefined;
  await settings.tokens.renew();
  const { Explorer } = await import('./exploring/explore.js');
  const demands = rules.filter(
    (rule): rule is Demand => rule.level !== 'unspecified' && rule.level !== HOUSE_LEVEL,
  );
  return new Explorer({ settings, options: settings.explore, rules: demands, facts }).run();
}

/** A fault of Prism is not a fault of the provider, so it must not spoil the report. */
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
 * {@link checkConformance} for a test: returns the report if the provider conforms, except for expected failures.
 *
 * @throws ToolkitError `does-not-conform`, with the report as text in its message; `provider-not-testable` if
 *   not every rule could be judged
 * @example
 * import { assertConformance } from 'plant-store-contract/conformance';
 * import { startPlantStore } from 'plant-store-contract/server';
 *
 * await using store = await startPlantStore({ token: 'secret' });
 * await assertConformance({ baseUrl: store.url, token: 'secret' });
 */
export async function assertConformance(options: CheckOptions): Promise<CheckReport> {
  const report = await checkConformance(options);
  const status = exitStatus(report.conclusion);
  if (status === 0) return report;
  throw new ToolkitError(
    status === 1 ? 'does-not-conform' : 'provider-not-testable',
    `${report.summary}\n\n${text(report, { quiet: true })}`,
  );
}

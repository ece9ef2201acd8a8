import { exitStatus } from '../../report/conclusion.js';
import { visible } from '../../report/escape.js';
import {
  alsoFailsFor,
  evidenceText,
  excuseOf,
  findingTitle,
  originOf,
} from '../../report/formats/wording.js';
import { type Case, casesOf, type Finding } from '../../report/frame.js';
import { ToolkitError } from '../../toolkit-error.js';
import type { CheckReport } from '../report/check-report.js';
import { WAS_CALLED } from '../report/notes.js';

/** The function of a test runner that defines a test: `test` or `it` of Vitest, Jest, or node:test. */
export type SuiteTest = (name: string, run: () => Promise<void>, timeoutMs?: number) => unknown;

/** What a runner passes to a test. Vitest and node:test have some of these, Jest has none. */
interface TestContext {
  readonly skip?: (why: string) => void;
  readonly todo?: (why: string) => void;
  readonly annotate?: (text: string, type: string) => Promise<unknown>;
  readonly diagnostic?: (text: string) => void;
}

/** The properties of `test` by which the runners differ. */
interface RunnerFeatures {
  readonly each?: unknown;
  readonly failing?: unknown;
  readonly todo?: unknown;
  readonly skip?: (name: string, run: () => Promise<void>) => unknown;
}

type NodeTest = (name: string, options: { readonly timeout: number }, run: () => Promise<void>) => unknown;

/** One test of a suite. */
export interface SuiteCase {
  readonly name: string;
  readonly timeoutMs: number;
  /** Whether it is known before the check that there is nothing to judge. */
  readonly skipped: boolean;
  result(): Promise<TestResult>;
}

/**
 * Defines a test.
 *
 * @param say called with notes about a test that does not fail, if the runner has no place for them
 */
export function defineTest(
  test: SuiteTest,
  { name, timeoutMs, skipped, result }: SuiteCase,
  say: (text: string) => void,
): void {
  // There must be no parameter: Jest would wait for a callback, and an extended test of Vitest accepts only a
  // destructured one. So the context comes from `arguments`.
  async function run(): Promise<void> {
    // biome-ignore lint/complexity/noArguments: Vitest counts a rest parameter too.
    await settle(name, await result(), Object(arguments[0]) as TestContext, say);
  }
  const { each, failing, todo, skip } = test as RunnerFeatures;
  // Only Jest has `failing`. Jest cannot skip a test that runs, so skip it now.
  if (skipped && failing !== undefined && skip !== undefined) skip(name, run);
  // Only node:test has no `each`. Its timeout is an option.
  else if (todo !== undefined && each === undefined)
    (test as unknown as NodeTest)(name, { timeout: timeoutMs }, run);
  else test(name, run, timeoutMs);
}

async function settle(
  name: string,
  result: TestResult,
  context: TestContext,
  say: (text: string) => void,
): Promise<void> {
  switch (result.kind) {
    case 'failed':
      throw result.error;
    case 'expected-failure':
      // node:test shows the failure of a `todo` test, and the run still passes.
      if (context.todo !== undefined) {
        context.todo(result.text);
        throw result.error;
      }
      return context.skip === undefined ? say(`${name}: ${result.text}`) : context.skip(result.text);
    case 'skipped':
      return context.skip === undefined
        ? say(`${name}: not applicable: ${result.text}`)
        : context.skip(result.text);
    case 'observed':
      if (context.annotate !== undefined) await context.annotate(result.text, 'observed');
      else if (context.diagnostic !== undefined) context.diagnostic(result.text);
      else say(`${name}: ${result.text}`);
  }
}

/** The result of the test of a rule. */
type TestResult =
  | { readonly kind: 'passed' }
  | { readonly kind: 'observed' | 'skipped'; readonly text: string }
  | { readonly kind: 'expected-failure'; readonly text: string; readonly error: ToolkitError }
  | { readonly kind: 'failed'; readonly error: ToolkitError };

/** All tests of a suite pass if, and only if, the exit status of the check is 0. */
export function testResult(id: string, report: CheckReport): TestResult {
  const rule = casesOf(report).find((one) => one.id === id);
  if (rule === undefined || isUnusable(report)) return failed('provider-not-testable', report.summary);
  const { verdict, detail = '' } = rule;
  const excuse = excuseOf(rule);
  switch (verdict) {
    case 'pass':
      return excuse === undefined
        ? { kind: 'passed' }
        : failed('does-not-conform', `${rule.title}\n\n${excuse}`);
    case 'fail': {
      const broken = failed('does-not-conform', brokenText(rule, report));
      return excuse === undefined ? broken : { ...broken, kind: 'expected-failure', text: excuse };
    }
    case 'observed':
      return { kind: 'observed', text: visible(detail) };
    case 'not-applicable':
      return { kind: 'skipped', text: detail };
    default:
      return failed('provider-not-testable', `${rule.title}\n\nIt could not be judged: ${visible(detail)}`);
  }
}

/** Whether no verdict can be trusted, for a reason that no rule gives. */
function isUnusable({ conclusion, counts }: CheckReport): boolean {
  return (
    exitStatus(conclusion) === 2 && (conclusion === 'not-testable' || counts.blocked + counts.error === 0)
  );
}

function failed(code: 'does-not-conform' | 'provider-not-testable', message: string) {
  return { kind: 'failed', error: new ToolkitError(code, message) } as const;
}

/** Gives the error of a result the stack of the caller. */
export function placed(result: TestResult, { stack = '' }: { readonly stack?: string }): TestResult {
  if ('error' in result) {
    const frames = stack.slice(stack.search(/^ +at /m));
    result.error.stack = `${result.error.name}: ${result.error.message}\n${frames}`;
  }
  return result;
}

/** Evidence that is written out, and how much of the rest is named. */
const SHOWN = 2;
const NAMED = 5;

function fixOf({ fix }: Finding): string[] {
  return fix === undefined ? [] : [`Fix: ${fix}`];
}

function brokenText(rule: Case, { findings, notes }: CheckReport): string {
  const { title, evidence } = rule;
  const rest = alsoFailsFor(evidence.slice(SHOWN), NAMED);
  const finding = findings[evidence[0]?.finding ?? -1];
  return [
    `${title}\n(${originOf(rule).join('; ')})`,
    ...evidence.slice(0, SHOWN).map((one) => visible(evidenceText(one))),
    ...(rest === '' ? [] : [rest]),
    ...(notes.includes(WAS_CALLED) ? [WAS_CALLED] : []),
    ...(finding === undefined ? [] : [[findingTitle(finding), ...fixOf(finding)].join('\n')]),
  ].join('\n\n');
}

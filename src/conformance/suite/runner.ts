import { exitStatus, isUnjudged } from '../../report/conclusion.js';
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

/** What Vitest and node:test pass to a test. Jest passes nothing, and cannot skip a test that runs. */
interface TestContext {
  readonly skip?: (why: string) => void;
}

/**
 * A test of a rule.
 *
 * @param result resolves when the check has ended
 */
export function testOf(result: () => Promise<TestResult>): () => Promise<void> {
  // There must be no parameter: Jest would wait for a callback, and an extended test of Vitest accepts only a
  // destructured one. So the context comes from `arguments`.
  async function run(): Promise<void> {
    // biome-ignore lint/complexity/noArguments: Vitest counts a rest parameter too.
    const context = Object(arguments[0]) as TestContext;
    const ended = await result();
    if (ended.kind === 'failed') throw ended.error;
    if (ended.kind === 'skipped') context.skip?.(ended.text);
  }
  return run;
}

/** The result of the test of a rule. */
type TestResult =
  | { readonly kind: 'passed' }
  | { readonly kind: 'skipped'; readonly text: string }
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
      if (excuse !== undefined) return { kind: 'skipped', text: excuse };
      return failed('does-not-conform', brokenText(rule, report));
    }
    // The report has the warnings.
    case 'warn':
    case 'observed':
      return { kind: 'passed' };
    case 'not-applicable':
      return { kind: 'skipped', text: detail };
    default:
      if (!isUnjudged(rule)) return { kind: 'skipped', text: detail };
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

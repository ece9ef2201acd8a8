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

/** The result of the test of a rule. */
export type TestResult =
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

import { ToolkitError } from '../../toolkit-error.js';
import { exitCode } from '../exit-code.js';
import { visible } from '../reporting/control-characters.js';
import { failureText, furtherTitles } from '../reporting/failure-text.js';
import type { Report, ReportedRule } from '../reporting/report.js';
import { expectationOf, placeOf, WAS_CALLED } from '../reporting/report-wording.js';

/**
 * What the test of a rule comes to. `seen` passes, with what was observed; `known` is a failure that was expected;
 * `skipped` says nothing of the provider.
 */
export type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'seen' | 'skipped'; readonly text: string }
  | { readonly kind: 'known'; readonly text: string; readonly error: ToolkitError }
  | { readonly kind: 'failed'; readonly error: ToolkitError };

/** As with the exit status of a check: the tests of a suite all pass exactly where that is 0. */
export function outcomeOf(id: string, report: Report): Outcome {
  const rule = report.rules.find((candidate) => candidate.id === id);
  if (rule === undefined || isWorthless(report)) return failed('provider-not-testable', report.summary);
  const { verdict, reason = '', behaviour } = rule;
  const expectation = expectationOf(rule);
  switch (verdict) {
    case 'pass':
      return expectation === undefined
        ? { kind: 'passed' }
        : failed('does-not-conform', `${rule.title}\n\nIt is ${expectation}. Take it off the list.`);
    case 'fail': {
      const broken = failed('does-not-conform', brokenText(rule, report));
      return expectation === undefined ? broken : { ...broken, kind: 'known', text: expectation };
    }
    case 'observed':
      return { kind: 'seen', text: visible(behaviour?.sentence ?? '') };
    case 'not-applicable':
      return { kind: 'skipped', text: reason };
    default:
      return failed('provider-not-testable', `${rule.title}\n\nIt could not be judged: ${visible(reason)}`);
  }
}

/** Whether what was judged is not to be relied on, for a reason that is that of no rule. */
function isWorthless({ conclusion, counts }: Report): boolean {
  return exitCode(conclusion) === 2 && (conclusion === 'not-testable' || counts.blocked + counts.error === 0);
}

function failed(code: 'does-not-conform' | 'provider-not-testable', message: string) {
  return { kind: 'failed', error: new ToolkitError(code, message) } as const;
}

/** The same; a failure seems to come from where a stack begins. */
export function placed(outcome: Outcome, { stack = '' }: { readonly stack?: string }): Outcome {
  if ('error' in outcome) {
    const frames = stack.slice(stack.search(/^ +at /m));
    outcome.error.stack = `${outcome.error.name}: ${outcome.error.message}\n${frames}`;
  }
  return outcome;
}

const SHOWN_FAILURES = 2;
const NAMED_FAILURES = 5;

function brokenText({ title, level, source, failures }: ReportedRule, { findings, notes }: Report): string {
  const rest = furtherTitles(failures.slice(SHOWN_FAILURES), NAMED_FAILURES);
  const finding = findings[failures[0]?.finding ?? -1];
  return [
    `${title}\n(${level}; interface: ${placeOf(source)}; ${source.pointer})`,
    ...failures.slice(0, SHOWN_FAILURES).map((failure) => visible(failureText(failure))),
    ...(rest === '' ? [] : [`and so with ${rest}`]),
    ...(notes.includes(WAS_CALLED) ? [WAS_CALLED] : []),
    ...(finding === undefined ? [] : [`${finding.cause} (likely cause)\nTo mend it: ${finding.repair}`]),
  ].join('\n\n');
}

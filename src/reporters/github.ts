import { failureText, furtherTitles } from '../conformance/reporting/failure-text.js';
import type { Report, ReportedRule } from '../conformance/reporting/report.js';
import { countsInWords, expectationOf, headlines } from '../conformance/reporting/report-wording.js';
import { plainLine, workflowCommand } from './workflow-command.js';

/** Further requests that break a rule as well, and are named in its annotation. */
const NAMED_FAILURES = 5;

/**
 * The report as workflow commands of GitHub Actions: an annotation for each rule that is broken (`error`), could
 * not be judged (`warning`) or is broken as expected (`notice`), then one line that sums up. GitHub shows ten
 * annotations of a kind for a step; its log has them all.
 */
export function github(report: Report): string {
  const { conclusion, summary, notes, rules } = report;
  // Where nothing could be tested, every rule has the same reason, which the summary gives.
  const annotations =
    conclusion === 'not-testable'
      ? [workflowCommand('error', { title: 'conformance' }, summary)]
      : rules.flatMap((rule) => annotationOf(rule, report));
  const lines = [
    ...annotations,
    ...notes.map((note) => workflowCommand('notice', { title: 'conformance' }, note)),
    plainLine(`POST ${report.baseUrl}/plants ${headlines[conclusion]}: ${countsInWords(report)}. ${summary}`),
  ];
  return `${lines.join('\n')}\n`;
}

function annotationOf(rule: ReportedRule, report: Report): string[] {
  const { id, verdict, title, reason = '' } = rule;
  const expectation = expectationOf(rule);
  if (verdict === 'blocked' || verdict === 'error')
    return [workflowCommand('warning', { title: id }, `${title}\n${verdict}: ${reason}`)];
  if (expectation === undefined)
    return verdict === 'fail' ? [workflowCommand('error', { title: id }, brokenRule(rule, report))] : [];
  if (verdict === 'fail') return [workflowCommand('notice', { title: id }, `${title}\n${expectation}`)];
  return verdict === 'pass' ? [workflowCommand('error', { title: id }, `${title}\n${expectation}`)] : [];
}

function brokenRule({ title, failures }: ReportedRule, { findings }: Report): string {
  const [first, ...rest] = failures;
  if (first === undefined) return title;
  const finding = findings[first.finding];
  const others = furtherTitles(rest, NAMED_FAILURES);
  return [
    title,
    failureText(first),
    ...(others === '' ? [] : [`and so with ${others}`]),
    ...(finding === undefined ? [] : [`likely: ${finding.cause}`, `to mend it: ${finding.repair}`]),
  ].join('\n');
}

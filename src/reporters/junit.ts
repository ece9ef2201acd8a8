import { failureText, furtherTitles } from '../conformance/reporting/failure-text.js';
import type { Report, ReportedRule } from '../conformance/reporting/report.js';
import { expectationOf, implementationOf, rulesByTopic } from '../conformance/reporting/report-wording.js';
import { topicOf } from '../conformance/rule.js';
import { add, type JunitElement, junitDocument, type Outcome, tallied } from './junit-document.js';

/** Failures of one rule that are written out, and what is sent in further ones; the rest is counted. */
const SHOWN_FAILURES = 3;
const NAMED_FAILURES = 20;

/**
 * The report as JUnit XML: a suite for each topic, a test case for each rule. What a rule is expected to break is
 * skipped, and fails once it is kept; what could not be judged is an error. So a run fails here exactly where the
 * exit status of a check is not 0.
 */
export function junit(report: Report): string {
  const { startedAt, durationMs, rules } = report;
  const root = junitDocument('conformance of POST /plants', { ...tally(rules), durationMs });
  for (const [topic, ofTopic] of rulesByTopic(rules)) {
    const suite = add(root, 'testsuite', { name: topic, ...tally(ofTopic), timestamp: startedAt });
    addProperties(suite, report);
    for (const rule of ofTopic) addCase(suite, rule);
  }
  return `${root.end({ pretty: true })}\n`;
}

/** What the one reader of a suite has to know: some readers keep no more than its properties. */
function addProperties(suite: JunitElement, report: Report): void {
  const properties = add(suite, 'properties', {});
  const property = (name: string, value: string): void => {
    add(properties, 'property', { name, value });
  };
  property('base URL', report.baseUrl);
  property('interface version', report.interfaceVersion);
  const implementation = implementationOf(report);
  if (implementation !== undefined) property('implementation', implementation);
  property('conclusion', report.conclusion);
  property('summary', report.summary);
  for (const note of report.notes) property('note', note);
}

function addCase(suite: JunitElement, rule: ReportedRule): void {
  const { id, level, reason = '', behaviour } = rule;
  const testCase = add(suite, 'testcase', { classname: topicOf(rule), name: id });
  const outcome = outcomeOf(rule);
  if (outcome === 'failure')
    add(testCase, 'failure', { message: failureMessage(rule), type: level }, failureBody(rule));
  else if (outcome === 'error') add(testCase, 'error', { message: reason, type: rule.verdict });
  else if (outcome === 'skipped') add(testCase, 'skipped', { message: expectationOf(rule) ?? reason });
  if (behaviour !== undefined) add(testCase, 'system-out', {}, behaviour.sentence);
}

function outcomeOf({ verdict, expectedFailure }: ReportedRule): Outcome {
  const isExpected = expectedFailure !== undefined;
  if (verdict === 'fail') return isExpected ? 'skipped' : 'failure';
  if (verdict === 'pass') return isExpected ? 'failure' : 'passed';
  if (verdict === 'not-applicable') return 'skipped';
  return verdict === 'observed' ? 'passed' : 'error';
}

function failureMessage(rule: ReportedRule): string {
  const [first] = rule.failures;
  if (first === undefined) return expectationOf(rule) ?? rule.title;
  return `expected ${first.expected}; got ${first.actual}`;
}

function failureBody({ title, failures }: ReportedRule): string {
  const rest = furtherTitles(failures.slice(SHOWN_FAILURES), NAMED_FAILURES);
  const shown = failures.slice(0, SHOWN_FAILURES).map(failureText);
  return [title, ...shown, ...(rest === '' ? [] : [`and so with ${rest}`])].join('\n\n');
}

function tally(rules: readonly ReportedRule[]): ReturnType<typeof tallied> {
  return tallied(rules.map(outcomeOf));
}

import { jsonText } from '../escape.js';
import type { Case, Group, Report } from '../frame.js';
import { type Result, resultOf, resultText, withoutFailure } from './test-result.js';

/** The version of the format that these reports follow: https://ctrf.io */
const CTRF_VERSION = '0.0.0';

type Status = 'passed' | 'failed' | 'skipped' | 'pending' | 'other';

/** A case that could not be judged fails too: a run of such cases must not look like one that passed. */
const STATUSES: Readonly<Record<Result, Status>> = {
  passed: 'passed',
  failure: 'failed',
  error: 'failed',
  skipped: 'skipped',
};

/**
 * The report in the Common Test Report Format (CTRF): a test for each case, with its group as the suite. `rawStatus` is
 * the verdict. A test fails here exactly if the exit status of the command is not 0.
 */
export function ctrf(report: Report): string {
  const { toolVersion, kind, startedAt, durationMs, groups } = report;
  const start = Date.parse(startedAt);
  const suites = [...groups, ...withoutFailure(report)];
  const tests = suites.flatMap((group) => group.cases.map((one) => testOf(one, group, report)));
  const count = (wanted: Status): number => tests.filter(({ status }) => status === wanted).length;
  const { subject, interfaceVersion, conclusion, warning, summary, notes } = report;
  const document = {
    reportFormat: 'CTRF',
    specVersion: CTRF_VERSION,
    timestamp: new Date(start + durationMs).toISOString(),
    generatedBy: 'plant-store-contract',
    results: {
      tool: { name: 'plant-store-contract', version: toolVersion },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: count('pending'),
        other: count('other'),
        suites: suites.length,
        start,
        stop: start + durationMs,
        duration: durationMs,
      },
      tests,
      environment: {
        reportName: `${kind} ${subject}`,
      },
      extra: { interfaceVersion, conclusion, ...(warning !== undefined && { warning }), summary, notes },
    },
  };
  return `${jsonText(document, 2)}\n`;
}

/** The members that the counts need. The format has many more. */
interface TestOfCtrf extends Readonly<Record<string, unknown>> {
  readonly status: Status;
}

function testOf(one: Case, group: Group, report: Report): TestOfCtrf {
  const { id, title, verdict, level, source, place, detail, notes = [], durationMs = 0, excuse } = one;
  const result = resultOf(one);
  const { message, body } = resultText(one, report);
  const output = [...(verdict === 'observed' && detail !== undefined ? [detail] : []), ...notes];
  return {
    testId: id,
    name: id,
    status: result === 'skipped' && excuse?.kind === 'pending' ? 'pending' : STATUSES[result],
    rawStatus: verdict,
    duration: durationMs,
    suite: [group.title],
    ...(message !== '' && { message }),
    ...(body !== '' && { trace: body }),
    ...(place?.file !== undefined && { filePath: place.file }),
    ...(place?.line !== undefined && { line: place.line }),
    ...(level !== undefined && { tags: [level] }),
    ...(source !== undefined && { labels: { source } }),
    ...(output.length > 0 && { stdout: output }),
    ...(title !== id && { extra: { title } }),
  };
}

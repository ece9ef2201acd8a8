import { add, junitDocument, tallied } from '../reporters/junit-document.js';
import type { ProxyReport } from './report.js';
import { summaryOf } from './report-text.js';

/**
 * What passed a proxy as JUnit XML: a test case for requests and one for responses. What is not counted is skipped, and
 * where nothing was judged, that is an error.
 */
export function proxyJunit(report: ProxyReport): string {
  const { upstream, failOn, startedAt, durationMs, kinds, violations, conclusion, exchanges, judged } =
    report;
  const outcomes = (['response', 'request'] as const).map((side) => {
    const counts = failOn === 'both' || failOn === side;
    if (conclusion === 'nothing-judged') return { side, outcome: 'error' } as const;
    if (violations[side] === 0) return { side, outcome: 'passed' } as const;
    return { side, outcome: counts ? 'failure' : 'skipped' } as const;
  });
  const tally = tallied(outcomes.map(({ outcome }) => outcome));
  const root = junitDocument('traffic of POST /plants', { ...tally, durationMs });
  const suite = add(root, 'testsuite', { name: `traffic of ${upstream}`, ...tally, timestamp: startedAt });
  const properties = add(suite, 'properties', {});
  for (const [name, value] of Object.entries({ upstream, exchanges, judged, conclusion }))
    add(properties, 'property', { name, value });
  for (const { side, outcome } of outcomes) {
    const testCase = add(suite, 'testcase', { classname: 'traffic', name: `${side}s keep to the interface` });
    const found = kinds.filter((kind) => kind.side === side && kind.judge === 'interface');
    const text = found.map(({ count, pointer, message }) => `${count} × ${pointer} ${message}`).join('\n');
    if (outcome !== 'passed')
      add(testCase, outcome, { message: summaryOf(report) }, outcome === 'skipped' ? '' : text);
  }
  return `${root.end({ pretty: true })}\n`;
}

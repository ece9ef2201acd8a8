import type { Report } from '../conformance/reporting/report.js';

/** The report as one JSON document. Ids stand in it as text, so that no reader rounds them. */
export function json(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

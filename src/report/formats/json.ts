import { jsonText } from '../escape.js';
import type { Report } from '../frame.js';

/** The report as one JSON document. Ids of plants are strings in it, so that no reader rounds them. */
export function json(report: Report): string {
  return `${jsonText(report, 2)}\n`;
}

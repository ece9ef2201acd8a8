import { jsonText } from '../escape.js';
import type { Report, Verdict } from '../frame.js';
import { headlineOf, moods } from './wording.js';

/** The colours of a badge: shields.io has names for them. */
const COLORS: Readonly<Partial<Record<Verdict, string>>> = { pass: 'brightgreen', fail: 'red' };

/**
 * The conclusion, with the number of warnings, as JSON that shields.io makes a badge of, if it is served at a URL:
 * https://shields.io/badges/endpoint-badge
 */
export function badge(report: Report): string {
  const color = COLORS[moods[report.conclusion]] ?? 'lightgrey';
  return `${jsonText({ schemaVersion: 1, label: 'plant store', message: headlineOf(report), color })}\n`;
}

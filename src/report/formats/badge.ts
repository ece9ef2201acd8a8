import { jsonText } from '../escape.js';
import type { Report, Verdict } from '../frame.js';
import { headlines, moods } from './wording.js';

/** The colours of a badge: shields.io has names for them. */
const COLORS: Readonly<Partial<Record<Verdict, string>>> = { pass: 'brightgreen', fail: 'red' };

/**
 * The conclusion as JSON that shields.io makes a badge of, if it is served at a URL:
 * https://shields.io/badges/endpoint-badge
 */
export function badge({ conclusion }: Report): string {
  const color = COLORS[moods[conclusion]] ?? 'lightgrey';
  return `${jsonText({ schemaVersion: 1, label: 'plant store', message: headlines[conclusion], color })}\n`;
}

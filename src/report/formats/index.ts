/**
 * Reporters: functions from the report of any command to text.
 * @module
 */

import type { Reporter } from '../frame.js';
import { badge } from './badge.js';
import { github } from './github.js';
import { html } from './html.js';
import { json } from './json.js';
import { junit } from './junit.js';
import { markdown } from './markdown.js';
import { text } from './text.js';

export { exitStatus } from '../conclusion.js';
export type { ReportedBody, ReportedExchange } from '../exchange.js';
export type { Reporter, ReporterOptions } from '../frame.js';
export {
  type Case,
  type Conclusion,
  type Counts,
  casesOf,
  type Evidence,
  type Excuse,
  type Finding,
  type Group,
  type Impact,
  type Place,
  type Recipe,
  type Report,
  type ReportKind,
  type Section,
  type Verdict,
} from '../frame.js';

/**
 * Every reporter by its name.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { checkConformance } from 'plant-store-contract/conformance';
 * import { reporters } from 'plant-store-contract/reporters';
 * import { startPlantStore } from 'plant-store-contract/server';
 *
 * await using store = await startPlantStore({ token: 'secret' });
 * const report = await checkConformance({ baseUrl: store.url, token: 'secret' });
 * assert.match(reporters.text(report), /conforms/);
 * assert.equal(JSON.parse(reporters.json(report)).conclusion, 'conforms');
 */
export const reporters = { text, json, junit, github, markdown, html, badge } as const satisfies Record<
  string,
  Reporter
>;

/** The name of a reporter. */
export type ReporterName = keyof typeof reporters;

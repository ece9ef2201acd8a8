import type { Report } from '../conformance/report.js';

/** How a report is written. */
export interface ReporterOptions {
  /** Whether escape sequences colour the text. Default false. */
  readonly color?: boolean;
}

/** Turns a report into text that ends with a line break. */
export type Reporter = (report: Report, options?: ReporterOptions) => string;

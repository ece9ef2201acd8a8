import type { Report } from '../conformance/reporting/report.js';

/** How a report is written. */
export interface ReporterOptions {
  /** Whether escape sequences colour the text. Default false; `text` alone has colours. */
  readonly color?: boolean;
  /** Whether `text` leaves out what is as it should be, and what is only observed. Default false. */
  readonly quiet?: boolean;
}

/** Turns a report into text that ends with a line break. */
export type Reporter = (report: Report, options?: ReporterOptions) => string;

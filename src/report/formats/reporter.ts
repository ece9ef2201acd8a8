import type { Report } from '../frame.js';

/** How a report is written. */
export interface ReporterOptions {
  /** Whether escape sequences colour the text. Default false. Only `text` has colours. */
  readonly color?: boolean;
  /** Whether `text` has only the problems and the conclusion. Default false. */
  readonly quiet?: boolean;
  /** Whether `text` also has every case, more examples of each problem, and what is for reference. Default false. */
  readonly verbose?: boolean;
  /** The most characters in a line of `text`; lines for a shell may be longer. Default 80. */
  readonly width?: number;
}

/** Turns a report of any command into text that ends with a line break. */
export type Reporter = (report: Report, options?: ReporterOptions) => string;

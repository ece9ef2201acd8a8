import { reportText } from '../conformance/reporting/report-text.js';
import type { Reporter } from './reporter.js';

/** The report for people. It is written beside the checks, since `assertConformance` says the same. */
export const text: Reporter = reportText;

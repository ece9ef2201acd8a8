import type { Conclusion } from './reporting/report.js';

/**
 * The exit status of a conclusion: 0 conforms, known failures aside; 1 breaks rules, or keeps one that it is
 * expected to break; 2 could not be tested, or not wholly.
 */
export function exitCode(conclusion: Conclusion): 0 | 1 | 2 {
  switch (conclusion) {
    case 'conforms':
    case 'known-failures':
      return 0;
    case 'breaks-rules':
    case 'outdated-list':
      return 1;
    case 'not-testable':
    case 'incomplete':
      return 2;
  }
}

import type { Conclusion } from './report.js';

/** The exit status of a conclusion: 0 conforms, 1 breaks rules, 2 could not be tested or not wholly. */
export function exitCode(conclusion: Conclusion): 0 | 1 | 2 {
  switch (conclusion) {
    case 'conforms':
      return 0;
    case 'breaks-rules':
      return 1;
    case 'not-testable':
    case 'incomplete':
      return 2;
  }
}

import type { Report } from 'plant-store-contract/reporters';
import { expect } from 'vitest';

declare module 'vitest' {
  interface Matchers<T> {
    /** Expects a report with the conclusion `conforms`. Otherwise it says which rules are broken or not judged, and why. */
    toConform(): T;
  }
}

expect.extend({
  toConform(report: Report) {
    const others = report.groups
      .flatMap(({ cases }) => cases)
      .filter(({ verdict }) => !['pass', 'observed', 'not-applicable'].includes(verdict));
    const lines = others.map(({ id, verdict, detail = '' }) => `  ${verdict}: ${id}: ${detail}`);
    return {
      pass: report.conclusion === 'conforms',
      message: () => [`the conclusion is ${report.conclusion}: ${report.summary}`, ...lines].join('\n'),
    };
  },
});

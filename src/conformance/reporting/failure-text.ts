import type { ReportedFailure } from './report.js';

/** One failure as lines of plain text: what was sent, what was expected, what came, and how to see it again. */
export function failureText(failure: ReportedFailure): string {
  const { title, expected, actual, again, curl } = failure;
  return [
    `sent      ${title}`,
    `expected  ${expected}`,
    `got       ${actual}`,
    ...(again === 'now-and-then' ? [`again     ${NOW_AND_THEN}`] : []),
    ...curl.map((line, at) => `${at === 0 ? 'again' : '     '}     ${line}`),
  ].join('\n');
}

/** Why a failure has no lines that show it again. */
export const NOW_AND_THEN = 'it comes now and then, so that no line is promised to show it';

/** What else breaks a rule in the same way, each kind of request once: `a; b; 3 more`. */
export function furtherTitles(failures: readonly ReportedFailure[], most: number): string {
  const titles = [...new Set(failures.map(({ title }) => title))];
  const rest = titles.length - most;
  return [...titles.slice(0, most), ...(rest > 0 ? [`${rest} more`] : [])].join('; ');
}

import { visibleInLine } from './control-characters.js';
import type { ReportedFailure } from './report.js';

/** What there is to say of a failure: what was sent, what was expected, what came, and how to see it again. */
export function failureParts({
  title,
  expected,
  actual,
  again,
  curl,
}: ReportedFailure): readonly FailurePart[] {
  return [
    { label: 'sent', text: title },
    { label: 'expected', text: expected },
    { label: 'got', text: actual },
    ...(again === 'now-and-then' ? [{ label: 'again', text: NOW_AND_THEN } as const] : []),
    ...curl.map((text, at) => ({ label: at === 0 ? 'again' : '', text, isCommand: true }) as const),
  ];
}

/** One line of it. */
export interface FailurePart {
  readonly label: 'sent' | 'expected' | 'got' | 'again' | '';
  readonly text: string;
  /** Whether it is for a shell. */
  readonly isCommand?: true;
}

/** As a column of labels wants it. */
export function column(label: FailurePart['label']): string {
  return label.padEnd(10);
}

/** One failure as lines of plain text. */
export function failureText(failure: ReportedFailure): string {
  return failureParts(failure)
    .map(({ label, text, isCommand }) => column(label) + (isCommand ? text : visibleInLine(text)))
    .join('\n');
}

/** Why a failure has no lines that show it again. */
export const NOW_AND_THEN = 'it comes now and then, so that no line is promised to show it';

/** What else breaks a rule in the same way, each kind of request once: `a; b; 3 more`. */
export function furtherTitles(failures: readonly ReportedFailure[], most: number): string {
  const titles = [...new Set(failures.map(({ title }) => title))];
  const rest = titles.length - most;
  return [...titles.slice(0, most), ...(rest > 0 ? [`${rest} more`] : [])].join('; ');
}

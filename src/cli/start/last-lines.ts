import { withoutStyle } from '../../report/color.js';
import { visibleInLine } from '../../report/escape.js';
import { createRedactor } from '../../report/redaction.js';
import type { Ended } from './provider-process.js';

const MOST_LINES = 20;
const LONGEST_LINE = 300;

/** How a provider ended by itself: "it ended with exit code 1". */
export function endInWords({ code, signal }: Ended): string {
  if (signal !== null) return `${signal} ended it`;
  return code === null ? 'the command cannot be started' : `it ended with exit code ${code}`;
}

/**
 * The end of what a provider wrote, for a message: some lines, each on a line of its own. Nothing in them is a command to
 * a terminal or a CI system, and the secrets are taken out.
 */
export function lastLines(output: string, secrets: readonly string[]): string {
  const redactor = createRedactor(secrets.map((value) => ({ value, shown: '[secret]' })));
  const lines = withoutStyle(redactor.message(output)).trimEnd().split(/\r?\n/).slice(-MOST_LINES);
  if (lines.join('') === '') return '; it wrote nothing';
  const shown = lines.map((line) => {
    const text = visibleInLine(line);
    return `\n  | ${text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)} …` : text}`;
  });
  return `; the end of its output:${shown.join('')}`;
}

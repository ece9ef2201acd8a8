import { visible } from '../conformance/reporting/control-characters.js';

/**
 * Text as Markdown of GitHub in which nothing is markup, on one line, for table cells as well. Character references
 * are used throughout, since they never stand for structure; a backslash before a pipe means something else in a
 * table than outside.
 */
export function literal(text: string): string {
  return visible(text)
    .replace(/\s*[\r\n\u2028\u2029]\s*/g, ' ')
    .replace(MARKUP, (character) => `&#${character.charCodeAt(0)};`);
}

/** What begins markup within a line: tags, code, emphasis, links, mathematics, mentions; colons of URLs and emoji. */
const MARKUP = /[&<>|`*_[\]\\~$@]|:(?=\/\/|[\w+-]+:)/g;

/** Lines as a block of code, in a fence that is longer than every run of backticks in it. */
export function codeBlock(language: string, lines: readonly string[]): string {
  const code = visible(lines.join('\n'));
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

/** A table of cells that are Markdown already; `align` holds `---` or `---:` for each column. */
export function table(
  head: readonly string[],
  align: readonly ('---' | '---:')[],
  rows: readonly (readonly string[])[],
): string {
  return [head, align, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

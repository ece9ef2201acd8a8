import { visible } from '../escape.js';
import type { Report } from '../frame.js';
import { capitalised, seconds } from '../wording.js';
import { type Blocks, bodyOf, type Line, Written } from './blocks.js';
import type { Code } from './problems.js';
import { headlineOf, moods, signs, verdictCounts, verdictInWords } from './wording.js';

/** The report as GitHub Flavored Markdown: for the summary of a step, or a comment. */
export function markdown(report: Report): string {
  const { conclusion, subject, interfaceVersion, summary, notes, remarks, durationMs } = report;
  const counts = verdictCounts(report);
  const parts = [
    `# ${moods[conclusion] === 'pass' ? '✅' : '❌'} ${capitalised(headlineOf(report))}`,
    `**${literal(subject)}**, interface ${literal(interfaceVersion)}`,
    literal(summary),
    table(
      counts.map(({ words }) => words),
      [counts.map(({ count }) => String(count))],
      '---:',
    ),
    ...notes.map((note) => `> **Note:** ${literal(note)}`),
    ...bodyOf(report, blocks).map(({ text }) => text),
    [...remarks, `Time: ${seconds(durationMs)}.`].map(literal).join(' '),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Each block ends without a line break; blank lines come between blocks. */
const blocks: Blocks = {
  strong: (text) => new Written(`**${literal(text)}**`),
  known: (text) => new Written(`*${literal(text)}*`),
  verdict: (verdict) => new Written(`${signs[verdict]} ${verdictInWords(verdict)}`),
  heading: (level, text) => new Written(`${'#'.repeat(level)} ${literal(text)}`),
  paragraph: (line) => new Written(lineOf(line)),
  list: (_style, items) => new Written(items.map((item) => `- ${lineOf(item)}`).join('\n')),
  facts: (rows) =>
    new Written(
      table(
        rows.map(({ label }) => label),
        [rows.map(({ text }) => literal(text))],
      ),
    ),
  code: (_what, code) => new Written(codeBlock(code)),
  // The blank lines end the HTML, so that the content is Markdown again.
  fold: (title, _isPart, content) =>
    apart([
      new Written(`<details><summary>${literal(title)}</summary>`),
      ...content,
      new Written('</details>'),
    ]),
  problem: (number, title, impact, content) =>
    apart([
      new Written(`### ${number}. ${literal(title)}${impact === undefined ? '' : ` (${impact})`}`),
      ...content,
    ]),
  cases: (rows) =>
    new Written(
      table(
        ['verdict', 'case', 'about it'],
        rows.map(({ verdict, title, details, origin }) => [
          `${signs[verdict]} ${verdictInWords(verdict)}`,
          [title, ...details].map(literal).join('<br>'),
          literal(origin),
        ]),
      ),
    ),
};

function apart(parts: readonly Written[]): Written {
  return new Written(parts.map(({ text }) => text).join('\n\n'));
}

function lineOf(line: Line): string {
  return line.map((piece) => (typeof piece === 'string' ? literal(piece) : piece.text)).join('');
}

/**
 * Text as Markdown in which nothing is markup, on one line, for table cells as well. It uses character references,
 * since they never begin markup; a backslash before a pipe means different things in a table and elsewhere.
 */
function literal(text: string): string {
  const [first = '', ...others] = visible(text).split(/[\r\n\u2028\u2029]/);
  const further = others.map((line) => line.trim()).filter((line) => line !== '');
  const inOne = others.length === 0 ? first : [first.trimEnd(), ...further].join(' ');
  const [, before = '', rest = ''] = /^(\s*\d*)(.*)$/s.exec(inOne) ?? [];
  const mark = (/\d$/.test(before) ? /^[.)]/ : /^[#+=-]/).exec(rest)?.[0] ?? '';
  const begun = mark === '' ? before : before + reference(mark);
  return begun + rest.slice(mark.length).replace(MARKUP, reference).replace(LINKED, '$&<!-- -->');
}

function reference(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

/** What begins markup within a line: tags, code, emphasis, links, mathematics, mentions; colons of URLs and emoji. */
const MARKUP = /[&<>|`*_[\]\\~$@]|:(?=\/\/|[\w+-]+:)/g;

/**
 * What GitHub makes a link of, up to where a comment parts it: addresses without a scheme, and numbers of issues. References
 * do not help: it looks for numbers when they are characters again.
 */
const LINKED = /\bwww(?=\.)|(?<!&)#(?=\d)|\bGH(?=-\d)/gi;

/** Lines as a block of code, in a fence that is longer than every run of backticks in it. */
function codeBlock({ language, lines }: Code): string {
  const code = visible(lines.join('\n'));
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

/** A table of cells that are Markdown already. */
function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  align: '---' | '---:' = '---',
): string {
  return [head, head.map(() => align), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

import { countsOf } from '../conclusion.js';
import { visible } from '../escape.js';
import type { Case, Evidence, Finding, Group, Report } from '../frame.js';
import { capitalised, seconds } from '../wording.js';
import { type FailingCase, failingCases } from './problems.js';
import {
  alsoFailsFor,
  evidenceLines,
  excuseOf,
  findingTitle,
  headlines,
  moods,
  recipeOf,
  signs,
  verdictCounts,
  verdictInWords,
} from './wording.js';

/** Evidence of one case that is written out under a finding, and how much of the rest is named. */
const SHOWN = 2;
const NAMED = 10;

/** The report as GitHub Flavored Markdown: for the summary of a step, or a comment. */
export function markdown(report: Report): string {
  const { conclusion, warning, summary, notes, findings, groups, sections, remarks, durationMs } = report;
  const counts = verdictCounts(report);
  const failing = failingCases(report);
  const blocks = [
    ...(warning === undefined ? [] : [`> **Warning:** ${literal(warning)}`]),
    `# ${moods[conclusion] === 'pass' ? '✅' : '❌'} ${capitalised(headlines[conclusion])}`,
    subjectLine(report),
    literal(summary),
    table(
      counts.map(({ words }) => words),
      [counts.map(({ count }) => String(count))],
      '---:',
    ),
    ...notes.map((note) => `> **Note:** ${literal(note)}`),
    ...(findings.length > 0 ? ['## Findings'] : []),
    ...findings.flatMap((finding, at) => findingBlocks(findings, at, failing(finding, at))),
    ...sections.flatMap(({ title, text, items, isReference }) => {
      const content = [...(text === undefined ? [] : [literal(text)]), ...listOf(items)];
      return isReference ? folded(title, content) : [`## ${literal(title)}`, ...content];
    }),
    ...groups.flatMap(groupBlocks),
    [...remarks, `Time: ${seconds(durationMs)}.`].map(literal).join(' '),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function subjectLine({ subject, interfaceVersion }: Report): string {
  return `**${literal(subject)}**, interface ${literal(interfaceVersion)}`;
}

function findingBlocks(findings: readonly Finding[], at: number, cases: readonly FailingCase[]): string[] {
  const finding = findings[at];
  if (finding === undefined) return [];
  const { cause, fix, title } = finding;
  return [
    `### ${at + 1}. ${literal(findingTitle(finding))}`,
    ...(cause === undefined ? [] : [`**Cause:** ${literal(cause)}`]),
    ...(fix === undefined ? [] : [`**Fix:** ${literal(fix)}`]),
    ...recipeBlocks(findings, at),
    ...cases.flatMap((one) => [
      failingLine(one, title),
      ...one.evidence.slice(0, SHOWN).flatMap(evidenceBlocks),
      ...further(one.evidence.slice(SHOWN)),
    ]),
  ];
}

function recipeBlocks(findings: readonly Finding[], at: number): string[] {
  const recipe = recipeOf(findings, at);
  if (recipe === undefined) return [];
  const { title, text, lines, language } = recipe;
  return [
    `**${literal(title)}:** ${literal(text)}`,
    ...(lines.length === 0 ? [] : [codeBlock(language, lines)]),
  ];
}

function failingLine({ failing, origin }: FailingCase, titleOfFinding: string): string {
  const { id, title } = failing;
  const excuse = excuseOf(failing);
  return [
    `**${literal(id)}**`,
    ...(origin.length > 0 ? [`(${literal(origin.join('; '))})`] : []),
    ...(title === id || title === titleOfFinding ? [] : [literal(title)]),
    ...(excuse === undefined ? [] : [`*${literal(excuse)}*`]),
  ].join(' ');
}

function evidenceBlocks(evidence: Evidence): string[] {
  const lines = evidenceLines(evidence);
  const said = lines.filter(({ isCommand }) => isCommand === undefined);
  const commands = lines.filter(({ isCommand }) => isCommand).map(({ text }) => text);
  return [
    table(
      said.map(({ label }) => label),
      [said.map(({ text }) => literal(text))],
    ),
    ...(commands.length === 0 ? [] : [codeBlock('sh', commands)]),
  ];
}

function further(evidence: readonly Evidence[]): string[] {
  const also = alsoFailsFor(evidence, NAMED);
  return also === '' ? [] : [`${literal(capitalised(also))}.`];
}

function groupBlocks(group: Group): string[] {
  const { title, detail, cases } = group;
  const { observed, ...counts } = countsOf([group]);
  const judged = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const count = judged === 0 ? `${observed} observed` : `${counts.pass} of ${judged} passed`;
  const rows = cases.map((one) => [
    verdictCell(one),
    literal(one.verdict === 'observed' ? (one.detail ?? one.title) : one.title),
    one.id === one.title ? '' : literal(one.id),
  ]);
  return folded(`${title}: ${count}`, [
    ...(detail === undefined ? [] : [literal(detail)]),
    ...(rows.length === 0 ? [] : [table(['verdict', 'case', 'id'], rows)]),
  ]);
}

function verdictCell(one: Case): string {
  const { verdict, detail, notes = [] } = one;
  const said = [verdict === 'observed' ? undefined : detail, excuseOf(one), ...notes];
  const words = [verdictInWords(verdict), ...said.filter((text) => text !== undefined).map(literal)];
  return `${signs[verdict]} ${words.join(': ')}`;
}

function listOf(items: readonly string[]): string[] {
  return items.length === 0 ? [] : [items.map((item) => `- ${literal(item)}`).join('\n')];
}

/** The blank lines end the HTML, so that the content is Markdown again. */
function folded(summary: string, content: readonly string[]): string[] {
  return [`<details><summary>${literal(summary)}</summary>`, ...content, '</details>'];
}

/**
 * Text as Markdown in which nothing is markup, on one line, for table cells as well. It uses character references,
 * since they never begin markup; a backslash before a pipe means different things in a table and elsewhere.
 */
function literal(text: string): string {
  return visible(text)
    .replace(/\s*[\r\n\u2028\u2029]\s*/g, ' ')
    .replace(MARKUP, reference)
    .replace(BLOCK, reference);
}

function reference(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

/** What begins markup within a line: tags, code, emphasis, links, mathematics, mentions; colons of URLs and emoji. */
const MARKUP = /[&<>|`*_[\]\\~$@]|:(?=\/\/|[\w+-]+:)/g;

/** What makes a line a heading, a list or a rule. */
const BLOCK = /(?<=^\s*)[#+=-]|(?<=^\s*\d+)[.)]/g;

/** Lines as a block of code, in a fence that is longer than every run of backticks in it. */
function codeBlock(language: string, lines: readonly string[]): string {
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

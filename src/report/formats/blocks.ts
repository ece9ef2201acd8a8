import { type Case, casesOf, type Evidence, type Report, type Verdict } from '../frame.js';
import { capitalised, counted, folded } from '../wording.js';
import { type Code, type Problem, problemsInWords, problemsOf, unjudgedReasons } from './problems.js';
import { caseInWords, evidenceLines, excuseOf, kindOfCases, originOf } from './wording.js';

/** What a format has written. It escapes every other text. */
export class Written {
  /** @param text trusted: nothing in it that came from a provider, or from the user of the command, is markup */
  constructor(readonly text: string) {}
}

/** A line of text, some of which may be marked. */
export type Line = readonly (string | Written)[];

/** How a format writes the blocks of a report. Markdown and HTML do, and add nothing. */
export interface Blocks {
  strong(text: string): Written;
  /** Why a failure does not count. */
  known(text: string): Written;
  verdict(verdict: Verdict): Written;
  heading(level: 2 | 3, text: string): Written;
  paragraph(line: Line, tone?: 'fine'): Written;
  list(style: 'bullets' | 'signs', items: readonly Line[]): Written;
  /** What was sent, expected and received. */
  facts(rows: readonly { readonly label: string; readonly text: string }[]): Written;
  /** @param what says what it is, in words that no other code of the report has */
  code(what: string, code: Code): Written;
  /** @param isPart whether it is a part of the report, and not a detail of one */
  fold(title: string, isPart: boolean, blocks: readonly Written[]): Written;
  problem(number: number, title: string, impact: string | undefined, blocks: readonly Written[]): Written;
  cases(rows: readonly CaseRow[]): Written;
}

/** A case in a list of all. */
interface CaseRow {
  readonly verdict: Verdict;
  readonly title: string;
  /** What was observed, why there is no verdict or why it does not count, and what a reader must know as well. */
  readonly details: readonly string[];
  /** The id, the level and the source. */
  readonly origin: string;
}

/** Other requests that fail in the same way, and cases, that are named in a line. */
const NAMED = 20;

/** What a report says after its summary: the problems, what could not be judged, the sections, every case. */
export function bodyOf(report: Report, to: Blocks): readonly Written[] {
  const { problems, excused, others } = problemsOf(report);
  return [
    ...(problems.length === 0 ? [] : [to.heading(2, capitalised(problemsInWords(problems)))]),
    ...problems.map((problem) => problemBlock(problem, to)),
    ...otherCases(report, others, to),
    ...foldIfAny(
      `${counted(excused.length, 'problem')} not counted`,
      excused.map((problem) => problemBlock(problem, to)),
      to,
    ),
    ...report.sections.flatMap(({ title, items }) => [
      to.heading(2, title),
      to.list(
        'bullets',
        items.map((item) => [item]),
      ),
    ]),
    ...everyCase(report, to),
  ];
}

function foldIfAny(title: string, blocks: readonly Written[], to: Blocks): Written[] {
  return blocks.length === 0 ? [] : [to.fold(title, true, blocks)];
}

/** A problem: the fact, the cause, the fix, and what shows it. */
function problemBlock(problem: Problem, to: Blocks): Written {
  const { finding, number, impact, advice, recipe, cases, kind, excuses, examples, others } = problem;
  const { title } = finding;
  const labelled = (label: string, text: string): Written[] => [
    to.paragraph([to.strong(`${label}:`), ` ${text}`]),
  ];
  const code = recipe === undefined || recipe.code.lines.length === 0 ? undefined : recipe.code;
  return to.problem(number, title, impact, [
    ...advice.flatMap(({ label, text }) => labelled(label, text)),
    ...(recipe === undefined ? [] : labelled(recipe.title, recipe.text)),
    ...(code === undefined ? [] : [to.fold('Code', false, [to.code(`the code of problem ${number}`, code)])]),
    to.paragraph([`${kind}: ${folded(cases.map(caseInWords), NAMED)}`], 'fine'),
    ...excuses.map((excuse) => to.paragraph([to.known(capitalised(excuse))])),
    ...examples.flatMap((one, at) => evidenceBlocks(one, problem, at, to)),
    ...furtherBlocks(others, to),
  ]);
}

/**
 * What was sent, expected and received, and the command that sends it again. The first example shows what examples look like. The
 * titles of the other problems of a provider say enough to decide where to begin.
 */
function evidenceBlocks(evidence: Evidence, { number, impact }: Problem, at: number, to: Blocks): Written[] {
  const lines = evidenceLines(evidence);
  const commands = lines.filter(({ isCommand }) => isCommand).map(({ text }) => text);
  const facts = to.facts(lines.filter(({ isCommand }) => isCommand === undefined));
  const which = `the command of problem ${number}, failure ${at + 1}`;
  const code = commands.length === 0 ? [] : [to.code(which, { language: 'sh', lines: commands })];
  if (impact !== undefined && number > 1) return [to.fold('Example', false, [facts, ...code])];
  return [facts, ...(code.length === 0 ? [] : [to.fold('Reproduce', false, code)])];
}

function furtherBlocks(others: readonly Evidence[], to: Blocks): Written[] {
  if (others.length === 0) return [];
  const items = others
    .slice(0, NAMED)
    .map(({ sent, where, actual }) => [
      [sent, where, actual].filter((part) => part !== undefined).join(': '),
    ]);
  const rest = others.length - NAMED;
  if (rest > 0) items.push([`${rest} more, which the JSON report has`]);
  return [to.fold(`Also fails for ${counted(others.length, 'other')}`, false, [to.list('bullets', items)])];
}

/** What else a reader must know of: failures without a finding, expectations that are outdated, and what could not be judged. */
function otherCases(report: Report, others: readonly Case[], to: Blocks): Written[] {
  if (report.conclusion === 'not-testable') return [];
  const lines = others.map((one): Line => {
    const excuse = excuseOf(one);
    return [
      to.verdict(one.verdict),
      ` ${one.title}`,
      ...(excuse === undefined ? [] : [' ', to.known(excuse)]),
    ];
  });
  for (const { verdict, reason, names } of unjudgedReasons(report, NAMED))
    lines.push([to.verdict(verdict), ` ${reason} (${names})`]);
  return lines.length === 0 ? [] : [to.list('signs', lines)];
}

/** Every case with its verdict, by group: folded, since most pass. */
function everyCase(report: Report, to: Blocks): Written[] {
  const cases = casesOf(report);
  const groups = report.groups.flatMap(({ title, detail, cases: ofGroup }) => [
    to.heading(3, title),
    ...(detail === undefined ? [] : [to.paragraph([detail], 'fine')]),
    to.cases(ofGroup.map(rowOf)),
  ]);
  return foldIfAny(counted(cases.length, kindOfCases(cases)), groups, to);
}

function rowOf(one: Case): CaseRow {
  const { id, title, verdict, detail, notes = [] } = one;
  const details = [detail, excuseOf(one), ...notes].filter((text) => text !== undefined);
  const origin = [...(id === title ? [] : [id]), ...originOf(one)].join(' · ');
  return { verdict, title, details: details.map(capitalised), origin };
}

import { countsOf, isBroken } from '../conclusion.js';
import { logLines, visibleInLine } from '../escape.js';
import {
  type Case,
  casesOf,
  type Evidence,
  type Report,
  type ReporterOptions,
  type Verdict,
} from '../frame.js';
import { type Color, type Indent, type Style, styleFor, wrapped } from '../terminal-text.js';
import { capitalised, folded, seconds } from '../wording.js';
import { type Problem, problemsInWords, problemsOf, type Recipe, unjudgedReasons } from './problems.js';
import {
  alsoFailsFor,
  caseInWords,
  countsInWords,
  evidenceLines,
  excuseOf,
  findingTitle,
  headlineOf,
  LABEL_WIDTH,
  moods,
  signs,
  verdictInWords,
} from './wording.js';

const COLORS: Readonly<Record<Verdict, Color | 'dim'>> = {
  pass: 'green',
  fail: 'red',
  warn: 'yellow',
  observed: 'cyan',
  blocked: 'yellow',
  'not-applicable': 'dim',
  error: 'magenta',
};

/** How many cases one line names, how many further failures, and how many problems the list at the end names. */
const NAMED = 3;
const NAMED_IN_FULL = 10;
const LISTED = 20;
/** One or two problems are seen at a glance. */
const LISTED_FROM = 3;
/** Whoever sees a summary of so many cases may look for the cases. */
const MANY = 10;
const DEFAULT_WIDTH = 80;
/** In a narrower terminal a line would have no room for words. */
const LEAST_WIDTH = 40;

/** Labels of a problem stand beneath its title, which follows its number. */
const UNDER_TITLE: Indent = { first: '   ', rest: '   ' };

/**
 * The report for people: the problems, the conclusion, and what to do next. The conclusion comes last, where a terminal
 * shows it.
 */
export function text(report: Report, options: ReporterOptions = {}): string {
  const { color = false, quiet = false, verbose = false, width = DEFAULT_WIDTH } = options;
  const detail = verbose ? 'verbose' : quiet ? 'quiet' : 'default';
  return new TextReport(report, styleFor(color), Math.max(width, LEAST_WIDTH), detail).write();
}

class TextReport {
  private readonly lines: string[] = [];
  private readonly sorted: ReturnType<typeof problemsOf>;

  constructor(
    private readonly report: Report,
    private readonly style: Style,
    private readonly width: number,
    private readonly detail: 'quiet' | 'default' | 'verbose',
  ) {
    this.sorted = problemsOf(report);
  }

  write(): string {
    const { notes, conclusion } = this.report;
    // If nothing could be tested, every case has the same reason, and the summary gives it.
    const isTestable = conclusion !== 'not-testable';
    if (this.detail !== 'quiet') this.header();
    if (isTestable && this.detail === 'verbose') this.groups();
    if (isTestable && this.detail === 'default') this.sources();
    this.findings();
    if (isTestable && this.detail !== 'verbose') this.otherCases();
    for (const note of notes) {
      this.add(`${this.style.bold('Note:')} ${visibleInLine(note)}`);
      this.lines.push('');
    }
    if (isTestable && this.detail !== 'quiet') this.sections();
    if (this.detail !== 'quiet') this.problemsAgain();
    this.closing();
    return `${logLines(this.lines.join('\n'))}\n`;
  }

  private add(line: string, indent: Indent = { first: '', rest: '  ' }): void {
    this.lines.push(...wrapped(line, this.width, indent));
  }

  private header(): void {
    const { bold, dim } = this.style;
    const { subject, interfaceVersion } = this.report;
    this.add(`${bold(visibleInLine(subject))} ${dim(`(interface ${interfaceVersion})`)}`);
    this.lines.push('');
  }

  private groups(): void {
    for (const { title, detail, cases } of this.report.groups) {
      if (cases.length === 0) continue;
      this.add(
        this.style.bold(visibleInLine(title)) +
          (detail === undefined ? '' : ` ${this.style.dim(visibleInLine(detail))}`),
      );
      for (const one of cases) this.case(one);
      this.lines.push('');
    }
  }

  /** What has no failure, if the subject does not name it: the pacts of a verification, for example. */
  private sources(): void {
    const { groups, subject } = this.report;
    const unnamed = groups.filter(
      ({ title, detail = subject, cases }) =>
        !subject.includes(title) && !subject.includes(detail) && !cases.some(isBroken),
    );
    for (const group of unnamed) {
      const counts = countsInWords({ counts: countsOf([group]), groups: [group] });
      this.add(
        `${visibleInLine(group.title)} ${this.style.dim(visibleInLine(group.detail ?? ''))}: ${counts}`,
      );
    }
    if (unnamed.length > 0) this.lines.push('');
  }

  private case(one: Case): void {
    const { dim, yellow } = this.style;
    const { id, title, verdict, detail, notes = [] } = one;
    const parts = [this.style[COLORS[verdict]](signs[verdict])];
    // What was observed says more than the question.
    if (verdict === 'observed') parts.push(visibleInLine(detail ?? title));
    else parts.push(visibleInLine(title));
    if (id !== title) parts.push(dim(visibleInLine(id)));
    if (verdict !== 'observed' && detail !== undefined) {
      const hasReason = verdict !== 'pass' && !isBroken(one);
      parts.push(dim(visibleInLine(hasReason ? `${verdictInWords(verdict)}: ${detail}` : detail)));
    }
    const excuse = excuseOf(one);
    if (excuse !== undefined) parts.push(yellow(visibleInLine(excuse)));
    this.add(parts.join(' '), { first: '  ', rest: '    ' });
    for (const note of notes) this.add(dim(visibleInLine(note)), { first: '    ', rest: '    ' });
  }

  private findings(): void {
    const { problems, excused } = this.sorted;
    for (const problem of problems) this.problem(problem);
    if (this.detail === 'verbose') for (const problem of excused) this.problem(problem);
    if (this.detail !== 'default' || excused.length === 0) return;
    for (const { finding, excuses } of excused)
      this.add(
        `- ${visibleInLine(finding.title)} ${this.style.yellow(`(${visibleInLine(folded(excuses, 1))})`)}`,
      );
    this.lines.push('');
  }

  /** A problem: the fact, the cause, the fix, and what shows it. */
  private problem(problem: Problem): void {
    const { red, yellow, bold, dim } = this.style;
    const { finding, number, impact, recipe, cases, kind, examples, others } = problem;
    const { title, severity } = finding;
    const isVerbose = this.detail === 'verbose';
    const colored = severity === 'warning' ? yellow : red;
    this.add(
      `${colored(`${number}.`)} ${bold(visibleInLine(title))}${impact === undefined ? '' : ` ${dim(`(${impact})`)}`}`,
      { first: '', rest: UNDER_TITLE.rest },
    );
    for (const { label, text: said } of problem.advice)
      this.add(`${label}: ${visibleInLine(said)}`, UNDER_TITLE);
    if (recipe !== undefined) this.recipe(recipe);
    const names = folded(cases.map(caseInWords), NAMED);
    this.add(dim(`${kind}: ${visibleInLine(names)}`), UNDER_TITLE);
    for (const one of examples) this.evidence(one);
    const also = alsoFailsFor(others, isVerbose ? NAMED_IN_FULL : NAMED);
    if (also !== '') this.add(dim(`${capitalised(also)}.`), UNDER_TITLE);
    // The response, for example, which evidence of a part of it does not show.
    for (const note of cases[0]?.notes ?? []) this.add(dim(visibleInLine(note)), UNDER_TITLE);
    this.lines.push('');
  }

  /** The fix as code. */
  private recipe({ title, text: said, code }: Recipe): void {
    this.add(`${title}: ${visibleInLine(said)}`, UNDER_TITLE);
    for (const [at, line] of code.lines.entries()) {
      // Of blank lines that follow each other, as Python has them, one is enough to read.
      const isSecondBlank = line === '' && code.lines[at - 1] === '';
      if (this.detail === 'verbose' || !isSecondBlank) this.lines.push(codeLine(line));
    }
  }

  private evidence(evidence: Evidence): void {
    const { dim } = this.style;
    const rest = ' '.repeat(5 + LABEL_WIDTH);
    for (const { label, text: said, isCommand } of evidenceLines(evidence)) {
      const first = `     ${label.padEnd(LABEL_WIDTH)}`;
      if (isCommand) this.lines.push(first + dim(said));
      else this.add(said, { first, rest });
    }
  }

  /** What else a reader must know of: failures without a finding, expectations that are outdated, and what could not be judged. */
  private otherCases(): void {
    for (const one of this.sorted.others) this.case(one);
    if (this.sorted.others.length > 0) this.lines.push('');
    if (this.detail === 'quiet' && this.report.conclusion !== 'incomplete') return;
    const { yellow, dim } = this.style;
    const reasons = unjudgedReasons(this.report, NAMED);
    for (const { verdict, reason, names } of reasons)
      this.add(`${yellow(signs[verdict])} ${visibleInLine(reason)} ${dim(`(${visibleInLine(names)})`)}`);
    if (reasons.length > 0) this.lines.push('');
  }

  private sections(): void {
    for (const { title, items } of this.report.sections) {
      this.add(this.style.bold(visibleInLine(title)));
      for (const item of items) this.add(`- ${visibleInLine(item)}`, { first: '  ', rest: '    ' });
      this.lines.push('');
    }
  }

  /** Each problem in a line, where a terminal shows it. */
  private problemsAgain(): void {
    const { length } = this.sorted.problems;
    if (length < LISTED_FROM) return;
    this.add(this.style.bold(`${problemsInWords(this.sorted.problems)}:`));
    const digits = String(Math.min(length, LISTED)).length;
    for (const { finding, number } of this.sorted.problems.slice(0, LISTED)) {
      const first = `  ${String(number).padStart(digits)} `;
      this.add(visibleInLine(findingTitle(finding)), { first, rest: ' '.repeat(first.length) });
    }
    if (length > LISTED) this.add(`  ${length - LISTED} more`);
    this.lines.push('');
  }

  private closing(): void {
    const { bold, dim } = this.style;
    const { conclusion, summary, remarks, details = [], durationMs } = this.report;
    const headline = bold(this.style[COLORS[moods[conclusion]]](headlineOf(this.report)));
    const counts = countsInWords(this.report);
    this.add(`${headline}${counts === '' ? '' : `: ${counts}`} ${dim(`in ${seconds(durationMs)}`)}`);
    const flush: Indent = { first: '', rest: '' };
    this.add(visibleInLine(summary), flush);
    const said = this.detail === 'verbose' ? [...remarks, ...details] : remarks;
    if (this.detail !== 'quiet') for (const remark of said) this.add(dim(visibleInLine(remark)), flush);
    if (this.detail === 'default' && conclusion !== 'not-testable' && casesOf(this.report).length > MANY)
      this.add(dim('--verbose lists every case, and more of each problem.'), flush);
  }
}

/** A line of code, under a problem. It is never broken. */
function codeLine(line: string): string {
  return line === '' ? '' : `      ${visibleInLine(line)}`;
}

import { countsOf, isBroken } from '../conclusion.js';
import { variablesIn } from '../curl.js';
import { logLines, visibleInLine } from '../escape.js';
import {
  type Case,
  casesOf,
  type Evidence,
  type Finding,
  type Report,
  type ReporterOptions,
  type Verdict,
} from '../frame.js';
import { type Color, type Indent, type Style, styleFor, wrapped } from '../terminal-text.js';
import { capitalised, counted, folded, listed, seconds } from '../wording.js';
import {
  type FailingCase,
  failingCases,
  kindOfCases,
  otherRequests,
  problemsInWords,
  problemsOf,
  unjudgedReasons,
  withoutSaid,
} from './problems.js';
import {
  alsoFailsFor,
  countsInWords,
  evidenceLines,
  excuseOf,
  findingTitle,
  headlineOf,
  impactInWords,
  LABEL_WIDTH,
  moods,
  recipeOf,
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

/** Evidence of one case that is written out under a finding, and how much of the rest is named. */
const SHOWN = 2;
const NAMED = 5;
/** So many rules are named in one line, and so many problems in the list at the end. */
const NAMED_RULES = 3;
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
  const detail = quiet ? 'quiet' : verbose ? 'verbose' : 'default';
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
    const failing = failingCases(this.report, this.detail === 'verbose');
    const { findings } = this.report;
    const positions = new Map(findings.map((finding, at) => [finding, at]));
    const positionOf = (finding: Finding): number => positions.get(finding) ?? 0;
    const { problems, excused } = this.sorted;
    const all = this.detail === 'verbose' ? [...problems, ...excused] : problems;
    for (const [index, finding] of all.entries()) {
      const at = positionOf(finding);
      this.finding(finding, index + 1, at, failing(finding, at));
    }
    if (this.detail !== 'default' || excused.length === 0) return;
    for (const finding of excused) this.excusedFinding(finding, failing(finding, positionOf(finding)));
    this.lines.push('');
  }

  /**
   * A problem: the fact, the cause, the fix, and what shows it.
   *
   * @param at its position in the report, where a finding with an excuse may stand before it
   */
  private finding(finding: Finding, number: number, at: number, cases: readonly FailingCase[]): void {
    const { red, yellow, bold, dim } = this.style;
    const { title, cause, fix, severity } = finding;
    const colored = severity === 'warning' ? yellow : red;
    const impact = impactInWords(finding);
    this.add(
      `${colored(`${number}.`)} ${bold(visibleInLine(title))}${impact === undefined ? '' : ` ${dim(`(${impact})`)}`}`,
      { first: '', rest: UNDER_TITLE.rest },
    );
    if (cause !== undefined) this.add(`Cause: ${visibleInLine(cause)}`, UNDER_TITLE);
    if (fix !== undefined) this.add(`Fix: ${visibleInLine(fix)}`, UNDER_TITLE);
    const isShort = finding.impact !== undefined && this.detail !== 'verbose';
    this.recipe(at, isShort);
    if (isShort) this.example(finding, cases);
    else this.examples(cases, title);
    this.lines.push('');
  }

  /** Two of many cases that fail in one way are enough. */
  private examples(cases: readonly FailingCase[], title: string): void {
    const areMany = this.detail !== 'verbose' && cases.length > SHOWN + 1;
    const shown = areMany ? cases.slice(0, SHOWN) : cases;
    for (const one of shown) this.failing(one, title);
    const others = cases.slice(shown.length).map(({ failing }) => failing.id);
    if (others.length > 0) this.add(`also fails for ${visibleInLine(folded(others, NAMED))}`, UNDER_TITLE);
  }

  private excusedFinding(finding: Finding, cases: readonly FailingCase[]): void {
    const excuses = cases.flatMap(({ failing }) => excuseOf(failing) ?? []);
    const excuse = this.style.yellow(`(${visibleInLine(folded(excuses, 1))})`);
    this.add(`- ${visibleInLine(finding.title)} ${excuse}`);
  }

  private recipe(at: number, isShort: boolean): void {
    const recipe = recipeOf(this.report.findings, at);
    if (recipe === undefined) return;
    const { title, text: said, lines } = recipe;
    this.add(`${title}: ${isShort ? '--verbose prints the code.' : said}`, UNDER_TITLE);
    if (!isShort) for (const line of lines) this.lines.push(line === '' ? '' : `      ${line}`);
  }

  /** All failures of one mistake look alike, so one of them is enough: the simplest. */
  private example(finding: Finding, cases: readonly FailingCase[]): void {
    const { dim } = this.style;
    const { title } = finding;
    const rules = cases.map(({ failing: { id, level } }) => (level === undefined ? id : `${id} (${level})`));
    const kind = capitalised(kindOfCases(cases.map(({ failing }) => failing)));
    const word = rules.length === 1 ? kind : `${kind}s`;
    this.add(dim(`${word}: ${visibleInLine(folded(rules, NAMED_RULES))}`), UNDER_TITLE);
    const [first, ...others] = cases.flatMap(({ evidence }) => evidence);
    if (first === undefined) return;
    this.evidence(withoutSaid(first, title));
    const { length } = otherRequests(others, first);
    if (length > 0) this.add(dim(`Also fails for ${counted(length, 'other request')}.`), UNDER_TITLE);
  }

  private failing({ failing, origin, evidence }: FailingCase, titleOfFinding: string): void {
    const { bold, dim } = this.style;
    const { id, title, notes = [] } = failing;
    const names = id === titleOfFinding ? [] : [bold(visibleInLine(id))];
    if (origin.length > 0) names.push(dim(visibleInLine(origin.join('; '))));
    if (names.length > 0) this.add(names.join(' '), UNDER_TITLE);
    if (title !== id && title !== titleOfFinding) this.add(visibleInLine(title), UNDER_TITLE);
    for (const note of notes) this.add(dim(visibleInLine(note)), UNDER_TITLE);
    for (const one of evidence.slice(0, SHOWN)) this.evidence(one);
    const rest = alsoFailsFor(evidence.slice(SHOWN), NAMED);
    if (rest !== '') this.add(rest, { first: '     ', rest: '       ' });
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
    const reasons = unjudgedReasons(this.report);
    for (const { reason, cases } of reasons) this.unjudged(reason, cases);
    if (reasons.length > 0) this.lines.push('');
  }

  /** A reason that blocks many cases, once. */
  private unjudged(reason: string, cases: readonly Case[]): void {
    const { yellow, dim } = this.style;
    const [{ verdict } = { verdict: 'blocked' as const }] = cases;
    const ids = cases.map(({ id }) => id);
    const names = folded(ids, NAMED_RULES);
    const number = cases.length === 1 ? 'Not judged' : `${cases.length} not judged`;
    this.add(
      `${yellow(signs[verdict])} ${number}: ${visibleInLine(reason)} ${dim(`(${visibleInLine(names)})`)}`,
    );
  }

  private sections(): void {
    for (const { title, text: sentence, items, isReference } of this.report.sections) {
      if (isReference === true && this.detail !== 'verbose') continue;
      this.add(this.style.bold(visibleInLine(title)));
      if (sentence !== undefined) this.add(visibleInLine(sentence), { first: '  ', rest: '  ' });
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
    for (const [at, finding] of this.sorted.problems.slice(0, LISTED).entries()) {
      const first = `  ${String(at + 1).padStart(digits)} `;
      this.add(visibleInLine(findingTitle(finding)), { first, rest: ' '.repeat(first.length) });
    }
    if (length > LISTED) this.add(`  ${length - LISTED} more`);
    this.lines.push('');
  }

  private closing(): void {
    const { bold, dim, yellow } = this.style;
    const { length } = this.sorted.problems;
    const { conclusion, summary, remarks, durationMs, warning } = this.report;
    const headline = bold(this.style[COLORS[moods[conclusion]]](headlineOf(this.report)));
    const counts = countsInWords(this.report);
    this.add(`${headline}${counts === '' ? '' : `: ${counts}`} ${dim(`in ${seconds(durationMs)}`)}`);
    const flush: Indent = { first: '', rest: '' };
    this.add(visibleInLine(summary), flush);
    if (this.detail === 'quiet') this.variables();
    else {
      for (const remark of remarks) this.add(dim(visibleInLine(remark)), flush);
      if (this.detail === 'default' && this.hidesMore())
        this.add(
          dim(`--verbose lists every case${length > 0 ? ', and more examples of each problem' : ''}.`),
          flush,
        );
    }
    if (warning !== undefined) this.add(`${bold(yellow('Warning:'))} ${visibleInLine(warning)}`);
  }

  /** What the printed commands read. The remarks say it too. */
  private variables(): void {
    const wanted = new Set(this.sorted.problems.flatMap((finding) => finding.cases));
    const commands = casesOf(this.report)
      .filter(({ id }) => wanted.has(id))
      .flatMap(({ evidence }) => evidence.flatMap(({ reproduce = [] }) => reproduce));
    const names = variablesIn(commands);
    if (names.length > 0)
      this.add(this.style.dim(`Before you run a line after "reproduce", set ${listed(names)}.`));
  }

  /** Whether much is left out. */
  private hidesMore(): boolean {
    const isLong = casesOf(this.report).length > MANY;
    const hasMore = isLong || this.report.findings.some(({ impact }) => impact !== undefined);
    return hasMore && this.report.conclusion !== 'not-testable';
  }
}

import { type Color, type Style, styleFor } from '../output/color.js';
import { logLines, visibleInLine } from '../output/escape.js';
import { seconds } from '../output/wording.js';
import { type Indent, wrapped } from '../output/wrap.js';
import type { Case, Evidence, Finding, Report, Verdict } from '../report/frame.js';
import { type FailingCase, failingCases } from './failing-cases.js';
import type { ReporterOptions } from './reporter.js';
import {
  alsoFailsFor,
  countsInWords,
  evidenceLines,
  excuseOf,
  headlines,
  LABEL_WIDTH,
  moods,
  recipeOf,
  signs,
  verdictInWords,
} from './wording.js';

const COLORS: Readonly<Record<Verdict, Color | 'dim'>> = {
  pass: 'green',
  fail: 'red',
  observed: 'cyan',
  blocked: 'yellow',
  'not-applicable': 'dim',
  error: 'magenta',
};

/** Evidence of one case that is written out under a finding, and how much of the rest is named. */
const SHOWN = 2;
const NAMED = 5;
const DEFAULT_WIDTH = 80;
/** In a narrower terminal a line would have no room for words. */
const LEAST_WIDTH = 40;

/** The report for people. The failures come last, where a terminal shows them. */
export function text(report: Report, options: ReporterOptions = {}): string {
  const { color = false, quiet = false, width = DEFAULT_WIDTH } = options;
  return new TextReport(report, styleFor(color), Math.max(width, LEAST_WIDTH), quiet).write();
}

class TextReport {
  private readonly lines: string[] = [];

  constructor(
    private readonly report: Report,
    private readonly style: Style,
    private readonly width: number,
    private readonly isQuiet: boolean,
  ) {}

  write(): string {
    const { findings, notes, sections, conclusion } = this.report;
    this.header();
    // If nothing could be tested, every case has the same reason, and the summary gives it.
    if (conclusion !== 'not-testable') this.groups();
    const failing = failingCases(this.report);
    for (const [at, finding] of findings.entries()) this.finding(finding, failing(finding, at));
    for (const note of notes) {
      this.add(`${this.style.bold('Note:')} ${visibleInLine(note)}`);
      this.lines.push('');
    }
    if (!this.isQuiet && conclusion !== 'not-testable')
      for (const { title, text: sentence, items, isReference } of sections)
        if (isReference === undefined) this.section(title, sentence, items);
    this.closing();
    return `${logLines(this.lines.join('\n'))}\n`;
  }

  private add(line: string, indent: Indent = { first: '', rest: '  ' }): void {
    this.lines.push(...wrapped(line, this.width, indent));
  }

  private header(): void {
    const { bold, dim } = this.style;
    const { subject, interfaceVersion, warning } = this.report;
    if (warning !== undefined) {
      this.add(`${bold(this.style.yellow('Warning:'))} ${visibleInLine(warning)}`);
      this.lines.push('');
    }
    this.add(`${bold(visibleInLine(subject))} ${dim(`(interface ${interfaceVersion})`)}`);
    this.lines.push('');
  }

  private groups(): void {
    for (const { title, detail, cases } of this.report.groups) {
      const shown = this.isQuiet ? cases.filter(isWorthReading) : cases;
      if (shown.length === 0) continue;
      this.add(
        this.style.bold(visibleInLine(title)) +
          (detail === undefined ? '' : ` ${this.style.dim(visibleInLine(detail))}`),
      );
      for (const one of shown) this.case(one);
      this.lines.push('');
    }
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
      const hasReason = verdict !== 'pass' && verdict !== 'fail';
      parts.push(dim(visibleInLine(hasReason ? `${verdictInWords(verdict)}: ${detail}` : detail)));
    }
    const excuse = excuseOf(one);
    if (excuse !== undefined) parts.push(yellow(visibleInLine(excuse)));
    this.add(parts.join(' '), { first: '  ', rest: '    ' });
    for (const note of notes) this.add(dim(visibleInLine(note)), { first: '    ', rest: '    ' });
  }

  private finding(finding: Finding, cases: readonly FailingCase[]): void {
    const { red, bold, dim } = this.style;
    const { title, isLikelyCause, fix } = finding;
    const guess = isLikelyCause ? ` ${dim('(likely cause)')}` : '';
    this.add(`${red(signs.fail)} ${bold(visibleInLine(title))}${guess}`);
    if (fix !== undefined) this.add(`Fix: ${visibleInLine(fix)}`, { first: '  ', rest: '  ' });
    this.recipe(this.report.findings.indexOf(finding));
    for (const { failing, origin, evidence } of cases) {
      this.failing(failing, origin, title);
      for (const one of evidence.slice(0, SHOWN)) this.evidence(one);
      const rest = alsoFailsFor(evidence.slice(SHOWN), NAMED);
      if (rest !== '') this.add(rest, { first: '    ', rest: '      ' });
    }
    this.lines.push('');
  }

  private recipe(at: number): void {
    const recipe = recipeOf(this.report.findings, at);
    if (recipe === undefined) return;
    const { title, text: said, lines } = recipe;
    this.add(`${title}: ${said}`, { first: '  ', rest: '  ' });
    for (const line of lines) this.lines.push(line === '' ? '' : `      ${line}`);
  }

  private failing(failing: Case, origin: readonly string[], titleOfFinding: string): void {
    const { bold, dim } = this.style;
    const { id, title } = failing;
    const indent = { first: '  ', rest: '  ' };
    const names = id === titleOfFinding ? [] : [bold(visibleInLine(id))];
    if (origin.length > 0) names.push(dim(visibleInLine(origin.join('; '))));
    if (names.length > 0) this.add(names.join(' '), indent);
    if (title !== id && title !== titleOfFinding) this.add(visibleInLine(title), indent);
  }

  private evidence(evidence: Evidence): void {
    const { dim } = this.style;
    const indent = ' '.repeat(4 + LABEL_WIDTH);
    for (const { label, text: said, isCommand } of evidenceLines(evidence)) {
      const first = `    ${label.padEnd(LABEL_WIDTH)}`;
      if (isCommand) this.lines.push(first + dim(said));
      else
        this.add(label === 'got' || label === 'found' ? said + this.timing(evidence) : said, {
          first,
          rest: indent,
        });
    }
  }

  /** Which exchange fails, and how long it took. */
  private timing({ exchanges = [] }: Evidence): string {
    const at = exchanges.at(-1);
    const exchange = at === undefined ? undefined : this.report.exchanges?.[at];
    if (exchange === undefined) return '';
    return ` ${this.style.dim(`(exchange ${at}, ${exchange.durationMs} ms)`)}`;
  }

  private section(title: string, sentence: string | undefined, items: readonly string[]): void {
    this.add(this.style.bold(visibleInLine(title)));
    if (sentence !== undefined) this.add(visibleInLine(sentence), { first: '  ', rest: '  ' });
    for (const item of items) this.add(`- ${visibleInLine(item)}`, { first: '  ', rest: '    ' });
    this.lines.push('');
  }

  private closing(): void {
    const { bold, dim } = this.style;
    const { conclusion, summary, remarks, durationMs } = this.report;
    const headline = bold(this.style[COLORS[moods[conclusion]]](headlines[conclusion]));
    const counts = countsInWords(this.report);
    this.add(`${headline}${counts === '' ? '' : `: ${counts}`} ${dim(`in ${seconds(durationMs)}`)}`);
    this.add(visibleInLine(summary), { first: '', rest: '' });
    for (const remark of remarks) this.add(dim(visibleInLine(remark)), { first: '', rest: '' });
  }
}

function isWorthReading({ verdict, excuse }: Case): boolean {
  return verdict === 'fail' || verdict === 'blocked' || verdict === 'error' || excuse?.kind === 'expected';
}

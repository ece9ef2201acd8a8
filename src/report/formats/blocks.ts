import type { ReportedExchange } from '../exchange.js';
import {
  type Case,
  casesOf,
  type Evidence,
  type Finding,
  type Group,
  type Report,
  type Verdict,
} from '../frame.js';
import { capitalised, counted, listed } from '../wording.js';
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
import { evidenceLines, excuseOf, findingTitle, impactInWords, originOf, recipeOf } from './wording.js';

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
  code(text: string): Written;
  /** Why a failure does not count. */
  known(text: string): Written;
  verdict(verdict: Verdict): Written;
  /** A link to a case, a problem or an exchange. */
  link(text: string | Written, to: string): Written;
  heading(level: 2 | 3 | 4, line: Line): Written;
  paragraph(line: Line, tone?: 'fine'): Written;
  list(style: 'numbers' | 'bullets' | 'signs', items: readonly Line[]): Written;
  /** What was sent, expected and received. */
  facts(rows: readonly { readonly label: string; readonly text: string }[]): Written;
  /** @param what says what it is, in words that no other code of the report has */
  lines(title: string, what: string, language: string, lines: readonly string[]): Written;
  /** @param isPart whether it is a part of the report, and not a detail of one */
  fold(title: string, isPart: boolean, blocks: readonly Written[]): Written;
  problem(number: number, title: string, impact: string | undefined, blocks: readonly Written[]): Written;
  cases(rows: readonly CaseRow[]): Written;
  /** The request and the response; missing if the format has no room for them. */
  exchange?(anchor: string, title: Line, exchange: ReportedExchange): Written;
}

/** A case in a list of all. */
interface CaseRow {
  readonly anchor: string;
  readonly verdict: Verdict;
  readonly title: string;
  /** What was observed, why there is no verdict or why it does not count, and what a reader must know as well. */
  readonly details: readonly string[];
  /** The id, the level, the source and the problems. */
  readonly origin: Line;
}

/** Evidence of one case that is written out where no impact makes one problem of many failures. */
const SHOWN = 2;
/** Other requests that fail in the same way, and rules that could not be judged, that are named. */
const NAMED = 20;
/** From so many problems on, a list leads to each of them. Fewer are seen at a glance. */
const LISTED_FROM = 7;

/** What a report says after its summary: the problems, what could not be judged, the sections, every case. */
export function bodyOf(report: Report, blocks: Blocks): readonly Written[] {
  return new Body(report, blocks).all();
}

class Body {
  private readonly sorted: ReturnType<typeof problemsOf>;
  private readonly failing: ReturnType<typeof failingCases>;
  private readonly anchors: ReadonlyMap<string, string>;
  /** The numbers that readers see: those that count come first. */
  private readonly numbers: ReadonlyMap<Finding, number>;
  private readonly positions: ReadonlyMap<Finding, number>;
  /** The exchanges that are there already: each is written out once. */
  private readonly written = new Set<number>();

  constructor(
    private readonly report: Report,
    private readonly to: Blocks,
  ) {
    this.sorted = problemsOf(report);
    const { problems, excused } = this.sorted;
    this.failing = failingCases(report);
    this.anchors = new Map(casesOf(report).map(({ id }, at) => [id, `case-${at + 1}`]));
    this.numbers = new Map([...problems, ...excused].map((finding, at) => [finding, at + 1]));
    this.positions = new Map(report.findings.map((finding, at) => [finding, at]));
  }

  all(): Written[] {
    const { to } = this;
    const { problems, excused } = this.sorted;
    const { sections } = this.report;
    const links = problems.map((one) => [to.link(findingTitle(one), `problem-${this.numbers.get(one)}`)]);
    const notCounted = `${counted(excused.length, 'problem')} not counted`;
    return [
      ...(problems.length === 0 ? [] : [to.heading(2, [capitalised(problemsInWords(problems))])]),
      ...(problems.length < LISTED_FROM ? [] : [to.list('numbers', links)]),
      ...problems.map((finding) => this.problem(finding)),
      ...this.otherCases(),
      ...(excused.length === 0
        ? []
        : [
            to.fold(
              notCounted,
              true,
              excused.map((one) => this.problem(one)),
            ),
          ]),
      ...sections.flatMap(({ isReference, title, text, items }) =>
        isReference ? [] : [to.heading(2, [title]), ...this.section(text, items)],
      ),
      ...this.everyCase(),
      ...sections.flatMap(({ isReference, title, text, items }) =>
        isReference ? [to.fold(title, true, this.section(text, items))] : [],
      ),
    ];
  }

  private section(text: string | undefined, items: readonly string[]): Written[] {
    return [
      ...(text === undefined ? [] : [this.to.paragraph([text])]),
      ...(items.length === 0
        ? []
        : [
            this.to.list(
              'bullets',
              items.map((item) => [item]),
            ),
          ]),
    ];
  }

  /** A problem: the fact, the cause, the fix, and what shows it. */
  private problem(finding: Finding): Written {
    const { title, cause, fix, impact } = finding;
    const number = this.numbers.get(finding) ?? 0;
    const at = this.positions.get(finding) ?? 0;
    const cases = this.failing(finding, at);
    return this.to.problem(number, title, impactInWords(finding), [
      ...(cause === undefined ? [] : [this.labelled('Cause', cause)]),
      ...(fix === undefined ? [] : [this.labelled('Fix', fix)]),
      ...this.recipe(at, number),
      ...(impact === undefined
        ? cases.flatMap((one) => this.failingCase(one, title, number))
        : this.example(cases, title, number)),
    ]);
  }

  private labelled(label: string, text: string): Written {
    return this.to.paragraph([this.to.strong(`${label}:`), ` ${text}`]);
  }

  private recipe(at: number, number: number): Written[] {
    const recipe = recipeOf(this.report.findings, at);
    if (recipe === undefined) return [];
    const { title, text, lines, language } = recipe;
    const said = this.labelled(title, text);
    if (lines.length === 0) return [said];
    return [
      said,
      this.to.fold('Code', false, [this.to.lines('Code', `the code of problem ${number}`, language, lines)]),
    ];
  }

  /** All failures of one mistake look alike, so one of them is enough: the simplest. */
  private example(cases: readonly FailingCase[], title: string, number: number): Written[] {
    const all = cases.flatMap(({ failing, evidence }) => evidence.map((one) => ({ one, failing })));
    const [first, ...others] = all;
    const kind = capitalised(kindOfCases(cases.map(({ failing }) => failing)));
    const rules = cases.map(({ failing: { id, level } }) => [
      this.linkTo(id),
      ...(level === undefined ? [] : [` (${level})`]),
    ]);
    const excuses = new Set(cases.flatMap(({ failing }) => excuseOf(failing) ?? []));
    return [
      this.to.paragraph([`${kind}${cases.length > 1 ? 's' : ''}: `, ...joined(rules, ', ')], 'fine'),
      ...[...excuses].map((excuse) => this.to.paragraph([this.to.known(capitalised(excuse))])),
      // The first example shows what one looks like. The titles of the others say enough to decide where to begin.
      ...(first === undefined ? [] : this.evidence(withoutSaid(first.one, title), number, 1, number > 1)),
      ...this.further(
        others.map(({ one, failing }) => (failing === first?.failing ? one : { ...one, rule: failing.id })),
        first?.one,
      ),
    ];
  }

  private failingCase({ failing, origin, evidence }: FailingCase, known: string, number: number): Written[] {
    const { id, title, verdict } = failing;
    const excuse = excuseOf(failing);
    const from = [
      [this.linkTo(id, id === title ? 'in the list of cases' : id)],
      ...origin.map((one) => [one]),
    ];
    return [
      ...(title === known ? [] : [this.to.heading(4, [this.to.verdict(verdict), ` ${title}`])]),
      this.to.paragraph(joined(from, ' · '), 'fine'),
      ...(excuse === undefined ? [] : [this.to.paragraph([this.to.known(capitalised(excuse))])]),
      ...evidence.slice(0, SHOWN).flatMap((one, at) => this.evidence(one, number, at + 1, false)),
      ...this.further(evidence.slice(SHOWN), undefined),
    ];
  }

  private linkTo(id: string, text = id): Written {
    return this.to.link(text === id ? this.to.code(id) : text, this.anchors.get(id) ?? '');
  }

  /**
   * What was sent, expected and received; and folded, the request, the response and the command.
   *
   * @param isFolded whether all of it is folded
   */
  private evidence(evidence: Evidence, problem: number, failure: number, isFolded: boolean): Written[] {
    const lines = evidenceLines(evidence);
    const commands = lines.filter(({ isCommand }) => isCommand).map(({ text }) => text);
    const what = `the commands of problem ${problem}, failure ${failure}`;
    const facts = this.to.facts(lines.filter(({ isCommand }) => isCommand === undefined));
    const messages = this.messages(evidence);
    const command = commands.length === 0 ? [] : [this.to.lines('Reproduce', what, 'sh', commands)];
    if (isFolded) return [this.to.fold('Example and command', false, [facts, ...messages, ...command])];
    const names = [
      ...(messages.length === 0 ? [] : ['request', 'response']),
      ...(command.length === 0 ? [] : ['command']),
    ];
    const title = capitalised(listed(names));
    return names.length === 0 ? [facts] : [facts, this.to.fold(title, false, [...messages, ...command])];
  }

  /** The request that fails, with its response. */
  private messages({ exchanges = [] }: Evidence): Written[] {
    const at = exchanges.at(-1);
    const exchange = at === undefined ? undefined : this.report.exchanges?.[at];
    if (at === undefined || exchange === undefined || this.to.exchange === undefined) return [];
    const { response, failure, durationMs } = exchange;
    const end = response === undefined ? (failure?.kind ?? 'no response') : String(response.status);
    const anchor = `exchange-${at}`;
    if (this.written.has(at))
      return [this.to.paragraph([this.to.link(`Request: ${end} after ${durationMs} ms`, anchor)], 'fine')];
    this.written.add(at);
    const others = exchanges.length - 1;
    const before = others === 0 ? '' : `, after ${counted(others, 'other')} that the JSON report has`;
    const title = [`Request${before}: `, this.to.strong(end), ` after ${durationMs} ms`];
    return [this.to.exchange(anchor, title, exchange)];
  }

  private further(
    evidence: readonly (Evidence & { readonly rule?: string })[],
    example: Evidence | undefined,
  ): Written[] {
    const others = otherRequests(evidence, example);
    if (others.length === 0) return [];
    const items = others.slice(0, NAMED).map(({ sent, where, actual, rule }): Line => {
      const said = [sent, where, actual].filter((part) => part !== undefined).join(': ');
      return rule === undefined ? [said] : [`${said} `, this.to.code(rule)];
    });
    const rest = others.length - NAMED;
    if (rest > 0) items.push([`${rest} more, which the JSON report has`]);
    const title = `Also fails for ${counted(others.length, 'other request')}`;
    return [this.to.fold(title, false, [this.to.list('bullets', items)])];
  }

  /** What else a reader must know of: failures without a finding, expectations that are outdated, and what could not be judged. */
  private otherCases(): Written[] {
    if (this.report.conclusion === 'not-testable') return [];
    const others = this.sorted.others.map((one): Line => {
      const excuse = excuseOf(one);
      const known = excuse === undefined ? [] : [' ', this.to.known(excuse)];
      return [this.to.verdict(one.verdict), ' ', this.linkTo(one.id, one.title), ...known];
    });
    const reasons = unjudgedReasons(this.report).map(({ reason, cases }): Line => {
      const [{ verdict } = { verdict: 'blocked' as const }] = cases;
      const rest = cases.length - NAMED;
      const names = joined(
        cases.slice(0, NAMED).map(({ id }) => [this.linkTo(id)]),
        ', ',
      );
      const number = cases.length > 1 ? ` ${cases.length} not judged: ` : ' not judged: ';
      return [
        this.to.verdict(verdict),
        `${number}${reason} (`,
        ...names,
        rest > 0 ? ` and ${rest} more)` : ')',
      ];
    });
    return others.length + reasons.length === 0 ? [] : [this.to.list('signs', [...others, ...reasons])];
  }

  /** Every case with its verdict, by group: folded, since most pass. */
  private everyCase(): Written[] {
    const cases = casesOf(this.report);
    if (cases.length === 0) return [];
    const groups = this.report.groups.flatMap((group) => [
      this.to.heading(3, [group.title]),
      ...(group.detail === undefined ? [] : [this.to.paragraph([group.detail], 'fine')]),
      this.to.cases(group.cases.map((one) => this.row(one, group))),
    ]);
    return [this.to.fold(counted(cases.length, kindOfCases(cases)), true, groups)];
  }

  private row(one: Case, group: Group): CaseRow {
    const { id, title, verdict, detail, evidence, notes = [] } = one;
    const findings = new Set(evidence.map(({ finding }) => this.report.findings[finding]));
    const problems = [...findings].flatMap((finding) => {
      const number = finding && this.numbers.get(finding);
      return number === undefined ? [] : this.to.link(`problem ${number}`, `problem-${number}`);
    });
    const parts = [...(id === title ? [] : [this.to.code(id)]), ...originOf(one, group), ...problems];
    return {
      anchor: this.anchors.get(id) ?? '',
      verdict,
      title,
      details: [detail, excuseOf(one), ...notes].flatMap((text) =>
        text === undefined ? [] : capitalised(text),
      ),
      origin: joined(
        parts.map((part) => [part]),
        ' · ',
      ),
    };
  }
}

function joined(lines: readonly Line[], between: string): Line {
  return lines.flatMap((line, at) => (at === 0 ? line : [between, ...line]));
}

import picocolors from 'picocolors';
import type { Verdict } from '../judging/judge.js';
import { visibleInLine } from './control-characters.js';
import { column, failureParts, furtherTitles } from './failure-text.js';
import type { Conclusion, Report, ReportedFailure, ReportedFinding, ReportedRule } from './report.js';
import {
  counted,
  countsInWords,
  expectationOf,
  headlines,
  implementationOf,
  placeOf,
  rulesByTopic,
  signs,
} from './report-wording.js';

/** How a report is written for people. */
export interface ReportTextOptions {
  /** Whether escape sequences colour the text. Default false. */
  readonly color?: boolean;
  /** Whether to leave out what is as it should be, and what is only observed. Default false. */
  readonly quiet?: boolean;
}

type Colors = ReturnType<typeof picocolors.createColors>;
type Color = 'green' | 'red' | 'cyan' | 'yellow' | 'dim' | 'magenta';

const VERDICT_COLORS: Readonly<Record<Verdict, Color>> = {
  pass: 'green',
  fail: 'red',
  observed: 'cyan',
  blocked: 'yellow',
  'not-applicable': 'dim',
  error: 'magenta',
};

const CONCLUSION_COLORS: Readonly<Record<Conclusion, Color>> = {
  conforms: 'green',
  'known-failures': 'green',
  'breaks-rules': 'red',
  'outdated-list': 'red',
  'not-testable': 'yellow',
  incomplete: 'yellow',
};

/** Failures of one rule that are written out under a finding, and of the rest those that are named. */
const SHOWN_FAILURES = 2;
const NAMED_FAILURES = 5;

/** The report for people: what is broken comes last, where a terminal shows it. */
export function reportText(report: Report, { color = false, quiet = false }: ReportTextOptions = {}): string {
  const colors = picocolors.createColors(color);
  const { bold, dim } = colors;
  const who = implementationOf(report);
  const lines = [
    `${bold('POST')} ${report.baseUrl}/plants ${dim(`(interface ${report.interfaceVersion})`)}${who === undefined ? '' : ` ${who}`}`,
    '',
  ];
  const shown = shownRules(report, quiet);
  for (const [topic, rules] of rulesByTopic(shown)) {
    lines.push(bold(topic));
    for (const rule of rules) lines.push(ruleLine(rule, colors));
    lines.push('');
  }
  for (const [at, finding] of report.findings.entries())
    lines.push(...findingLines(finding, at, report, colors), '');
  if (!quiet && shown.length > 0) lines.push(...prismLines(report, colors));
  for (const note of report.notes) lines.push(`${bold('Note:')} ${note}`, '');
  lines.push(...closingLines(report, colors));
  return `${lines.join('\n')}\n`;
}

function shownRules({ rules, conclusion }: Report, quiet: boolean): readonly ReportedRule[] {
  // Where nothing could be tested, every rule is blocked for the one reason that the summary gives.
  if (conclusion === 'not-testable') return [];
  return quiet ? rules.filter(({ verdict }) => WORTH_SAYING.includes(verdict)) : rules;
}

const WORTH_SAYING: readonly Verdict[] = ['fail', 'blocked', 'error'];

function ruleLine(rule: ReportedRule, colors: Colors): string {
  const { id, title, verdict, reason, behaviour } = rule;
  const sign = colors[VERDICT_COLORS[verdict]](signs[verdict]);
  if (behaviour !== undefined) return `  ${sign} ${visibleInLine(behaviour.sentence)} ${colors.dim(id)}`;
  const said = reason === undefined ? '' : colors.dim(` ${verdict}: ${reason}`);
  const expected = expectationOf(rule);
  const known = expected === undefined ? '' : colors.yellow(` ${expected}`);
  return `  ${sign} ${title} ${colors.dim(id)}${said}${known}`;
}

function findingLines(
  { cause, repair, rules }: ReportedFinding,
  at: number,
  report: Report,
  colors: Colors,
): string[] {
  const { red, bold, dim } = colors;
  const lines = [`${red(signs.fail)} ${bold(cause)} ${dim('(likely cause)')}`, `  To mend it: ${repair}`];
  for (const id of rules) {
    const rule = report.rules.find((candidate) => candidate.id === id);
    if (rule !== undefined) lines.push(...brokenRuleLines(rule, at, report, colors));
  }
  return lines;
}

function brokenRuleLines(rule: ReportedRule, at: number, report: Report, { bold, dim }: Colors): string[] {
  const { id, level, source, title } = rule;
  const failures = rule.failures.filter(({ finding }) => finding === at);
  const place = dim(`${level}; interface: ${placeOf(source)}; ${source.pointer}`);
  const lines = [`  ${bold(id)} ${place}`, `  ${title}`];
  for (const failure of failures.slice(0, SHOWN_FAILURES)) lines.push(...failureLines(failure, report, dim));
  const rest = failures.slice(SHOWN_FAILURES);
  if (rest.length > 0) lines.push(`    and so with ${furtherTitles(rest, NAMED_FAILURES)}`);
  return lines;
}

function failureLines(
  failure: ReportedFailure,
  { exchanges }: Report,
  dim: (text: string) => string,
): string[] {
  const { exchange } = failure;
  const place = dim(` (exchange ${exchange}, ${exchanges[exchange]?.durationMs ?? 0} ms)`);
  return failureParts(failure).map(({ label, text, isCommand }) => {
    const shown = isCommand ? dim(text) : visibleInLine(text);
    return `    ${column(label)}${shown}${label === 'got' ? place : ''}`;
  });
}

function prismLines({ prism }: Report, { bold, dim }: Colors): string[] {
  if (prism === undefined) return [];
  const lines = [
    `${bold('Prism')} was shown ${counted(prism.exchanges, 'exchange')}; it objects to ${prism.requestErrors} of the requests and ${prism.responseErrors} of the responses.`,
  ];
  for (const { objects, why, rules, exchanges } of prism.differences) {
    const times = counted(exchanges.length, 'exchange');
    lines.push(
      objects === 'prism'
        ? `  It alone objects to ${times}: ${visibleInLine(why)}`
        : `  It lets ${times} through that break ${rules.join(', ')}: ${visibleInLine(why)}`,
    );
  }
  if (prism.differences.length === 0) lines.push(dim('  It and the rules differ nowhere.'));
  return [...lines, ''];
}

function closingLines(report: Report, colors: Colors): string[] {
  const { bold, dim } = colors;
  const headline = colors[CONCLUSION_COLORS[report.conclusion]](headlines[report.conclusion]);
  const { length } = report.createdIds;
  const plants = `${counted(length, 'plant')} ${length === 1 ? 'was' : 'were'}`;
  const hasCommands = report.rules.some(({ failures }) => failures.some(({ curl }) => curl.length > 0));
  return [
    `${bold(headline)}: ${countsInWords(report)} ${dim(`in ${(report.durationMs / 1000).toFixed(2)} s`)}`,
    visibleInLine(report.summary),
    dim(
      `${counted(report.exchanges.length, 'request')} ${report.exchanges.length === 1 ? 'was' : 'were'} sent and ${plants} created; the JSON report lists their ids.`,
    ),
    ...(hasCommands ? [dim('The lines behind "again" read the token from PLANT_STORE_TOKEN.')] : []),
  ];
}

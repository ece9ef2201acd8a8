import picocolors from 'picocolors';
import type { Verdict } from './judge.js';
import type { Conclusion, Report, ReportedFailure, ReportedFinding, ReportedRule } from './report.js';
import { topicOf } from './rule.js';

/** How a report is written for people. */
export interface ReportTextOptions {
  /** Whether escape sequences colour the text. Default false. */
  readonly color?: boolean;
  /** Whether to leave out what is as it should be, and what is only observed. Default false. */
  readonly quiet?: boolean;
}

type Colors = ReturnType<typeof picocolors.createColors>;

const SIGNS: Readonly<
  Record<Verdict, { readonly sign: string; readonly paint: (colors: Colors) => (text: string) => string }>
> = {
  pass: { sign: '✓', paint: ({ green }) => green },
  fail: { sign: '✗', paint: ({ red }) => red },
  observed: { sign: '·', paint: ({ cyan }) => cyan },
  blocked: { sign: '■', paint: ({ yellow }) => yellow },
  'not-applicable': { sign: '–', paint: ({ dim }) => dim },
  error: { sign: '!', paint: ({ magenta }) => magenta },
};

const HEADLINES: Readonly<
  Record<Conclusion, { readonly words: string; readonly paint: (colors: Colors) => (text: string) => string }>
> = {
  conforms: { words: 'conforms', paint: ({ green }) => green },
  'known-failures': { words: 'conforms, known failures aside', paint: ({ green }) => green },
  'breaks-rules': { words: 'does not conform', paint: ({ red }) => red },
  'outdated-list': { words: 'is better than the list of known failures', paint: ({ red }) => red },
  'not-testable': { words: 'could not be tested', paint: ({ yellow }) => yellow },
  incomplete: { words: 'could not be judged wholly', paint: ({ yellow }) => yellow },
};

/** Failures of one rule that are written out under a finding; the rest are counted. */
const SHOWN_FAILURES = 2;
/** Of the rest, so many are named. */
const NAMED_FAILURES = 5;

/** The report for people: what is broken comes last, where a terminal shows it. */
export function reportText(report: Report, { color = false, quiet = false }: ReportTextOptions = {}): string {
  const colors = picocolors.createColors(color);
  const { bold, dim } = colors;
  const who = report.implementation;
  const name = who === undefined ? '' : ` ${who.name}${who.version === undefined ? '' : ` ${who.version}`}`;
  const lines = [
    `${bold('POST')} ${report.baseUrl}/plants ${dim(`(interface ${report.interfaceVersion})`)}${name}`,
    '',
  ];
  const shown = quiet ? report.rules.filter(({ verdict }) => isWorthSaying(verdict)) : report.rules;
  for (const [topic, rules] of groupByTopic(shown)) {
    lines.push(bold(topic));
    for (const rule of rules) lines.push(ruleLine(rule, colors));
    lines.push('');
  }
  for (const [at, finding] of report.findings.entries())
    lines.push(...findingLines(finding, at, report, colors), '');
  if (!quiet) lines.push(...prismLines(report, colors));
  for (const note of report.notes) lines.push(`${bold('Note:')} ${note}`, '');
  lines.push(...closingLines(report, colors));
  return `${lines.join('\n')}\n`;
}

function isWorthSaying(verdict: Verdict): boolean {
  return verdict === 'fail' || verdict === 'blocked' || verdict === 'error';
}

function ruleLine(rule: ReportedRule, colors: Colors): string {
  const { id, title, verdict, reason, behaviour, expectedFailure } = rule;
  const { sign, paint } = SIGNS[verdict];
  if (behaviour !== undefined) return `  ${paint(colors)(sign)} ${behaviour.sentence} ${colors.dim(id)}`;
  const said = reason === undefined ? '' : colors.dim(` ${verdict}: ${reason}`);
  const known =
    expectedFailure === undefined ? '' : colors.yellow(` expected to fail: ${expectedFailure.reason}`);
  return `  ${paint(colors)(sign)} ${title} ${colors.dim(id)}${said}${known}`;
}

function findingLines(
  { cause, repair, rules }: ReportedFinding,
  at: number,
  report: Report,
  colors: Colors,
): string[] {
  const { red, bold, dim } = colors;
  const lines = [`${red('✗')} ${bold(cause)} ${dim('(likely cause)')}`, `  To mend it: ${repair}`];
  for (const id of rules) {
    const rule = report.rules.find((candidate) => candidate.id === id);
    if (rule !== undefined) lines.push(...brokenRuleLines(rule, at, report, colors));
  }
  return lines;
}

function brokenRuleLines(rule: ReportedRule, at: number, report: Report, { bold, dim }: Colors): string[] {
  const { id, level, source, title } = rule;
  const place = source.rule === undefined ? source.section : `${source.section}, rule ${source.rule}`;
  const failures = rule.failures.filter(({ finding }) => finding === at);
  const lines = [`  ${bold(id)} ${dim(`${level}; interface: ${place}; ${source.pointer}`)}`, `  ${title}`];
  for (const failure of failures.slice(0, SHOWN_FAILURES)) lines.push(...failureLines(failure, report, dim));
  const rest = [...new Set(failures.slice(SHOWN_FAILURES).map((failure) => failure.title))];
  if (rest.length > 0) lines.push(`    and so with ${listed(rest)}`);
  return lines;
}

function listed(titles: readonly string[]): string {
  const named = titles.slice(0, NAMED_FAILURES).join('; ');
  return titles.length > NAMED_FAILURES ? `${named}; and ${titles.length - NAMED_FAILURES} more` : named;
}

function failureLines(
  { title, expected, actual, exchange, again, curl }: ReportedFailure,
  report: Report,
  dim: (text: string) => string,
): string[] {
  const took = report.exchanges[exchange]?.durationMs ?? 0;
  return [
    `    sent      ${title}`,
    `    expected  ${expected}`,
    `    got       ${actual} ${dim(`(exchange ${exchange}, ${took} ms)`)}`,
    ...(again === 'now-and-then'
      ? ['    again     it comes now and then, so that no line is promised to show it']
      : curl.map((line, i) => `    ${i === 0 ? 'again  ' : '       '}   ${dim(line)}`)),
  ];
}

function prismLines({ prism }: Report, { bold, dim }: Colors): string[] {
  if (prism === undefined) return [];
  const lines = [
    `${bold('Prism')} was shown ${prism.exchanges} exchanges; it objects to ${prism.requestErrors} of the requests and ${prism.responseErrors} of the responses.`,
  ];
  for (const { objects, why, rules, exchanges } of prism.differences) {
    const times = `${exchanges.length} exchange${exchanges.length === 1 ? '' : 's'}`;
    lines.push(
      objects === 'prism'
        ? `  It alone objects to ${times}: ${why}`
        : `  It lets ${times} through that break ${rules.join(', ')}: ${why}`,
    );
  }
  if (prism.differences.length === 0) lines.push(dim('  It and the rules differ nowhere.'));
  return [...lines, ''];
}

function closingLines(report: Report, colors: Colors): string[] {
  const { bold, dim } = colors;
  const { words, paint } = HEADLINES[report.conclusion];
  const counts = Object.entries(report.counts).flatMap(([verdict, count]) =>
    count > 0 ? [`${count} ${verdict}`] : [],
  );
  const { length } = report.createdIds;
  const plants = length === 1 ? '1 plant was' : `${length} plants were`;
  return [
    `${bold(paint(colors)(words))}: ${counts.join(', ')} ${dim(`in ${(report.durationMs / 1000).toFixed(2)} s`)}`,
    report.summary,
    dim(
      `${report.exchanges.length} requests were sent and ${plants} created; the JSON report lists their ids.`,
    ),
  ];
}

function groupByTopic(rules: readonly ReportedRule[]): Map<string, ReportedRule[]> {
  const topics = new Map<string, ReportedRule[]>();
  for (const rule of rules) {
    const topic = topicOf(rule);
    const others = topics.get(topic);
    if (others === undefined) topics.set(topic, [rule]);
    else others.push(rule);
  }
  return topics;
}

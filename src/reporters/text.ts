import picocolors from 'picocolors';
import type { Verdict } from '../conformance/judge.js';
import type { Conclusion, Report, ReportedRule } from '../conformance/report.js';
import type { ReporterOptions } from './reporter.js';

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

const HEADLINES: Readonly<Record<Conclusion, string>> = {
  conforms: 'conforms',
  'breaks-rules': 'does not conform',
  'not-testable': 'could not be tested',
  incomplete: 'could not be judged wholly',
};

/** Failures of one rule that are written out; the rest are counted. */
const SHOWN_FAILURES = 2;

/** The report for people: what is broken comes last, where a terminal shows it. */
export function text(report: Report, { color = false }: ReporterOptions = {}): string {
  const colors = picocolors.createColors(color);
  const { bold, dim } = colors;
  const topics = groupByTopic(report.rules);
  const lines = [
    `${bold('POST')} ${report.baseUrl}/plants ${dim(`(interface ${report.interfaceVersion})`)}`,
    '',
  ];
  for (const [topic, rules] of topics) {
    lines.push(bold(topic));
    for (const rule of rules) lines.push(ruleLine(rule, colors));
    lines.push('');
  }
  const broken = report.rules.filter(({ verdict }) => verdict === 'fail');
  for (const rule of broken) lines.push(...failureLines(rule, colors), '');
  for (const note of report.notes) lines.push(`${bold('Note:')} ${note}`, '');
  lines.push(...closingLines(report, colors));
  return `${lines.join('\n')}\n`;
}

function ruleLine({ id, title, verdict, reason }: ReportedRule, colors: Colors): string {
  const { sign, paint } = SIGNS[verdict];
  const said = reason === undefined ? '' : colors.dim(` ${verdict}: ${reason}`);
  return `  ${paint(colors)(sign)} ${title} ${colors.dim(id)}${said}`;
}

function failureLines(
  { id, title, level, source, failures }: ReportedRule,
  { red, bold, dim }: Colors,
): string[] {
  const place = source.rule === undefined ? source.section : `${source.section}, rule ${source.rule}`;
  const lines = [
    `${red('✗')} ${bold(id)} ${dim(`${level}; interface: ${place}; ${source.pointer}`)}`,
    `  ${title}`,
  ];
  for (const { probe, expected, actual, curl } of failures.slice(0, SHOWN_FAILURES)) {
    lines.push(
      `    sent      ${probe}`,
      `    expected  ${expected}`,
      `    got       ${actual}`,
      `    again     ${dim(curl)}`,
    );
  }
  const rest = failures.slice(SHOWN_FAILURES).map(({ probe }) => probe);
  if (rest.length > 0) lines.push(`    and so with ${rest.join('; ')}`);
  return lines;
}

function closingLines(report: Report, colors: Colors): string[] {
  const { bold, green, red, yellow, dim } = colors;
  const paint = { conforms: green, 'breaks-rules': red, 'not-testable': yellow, incomplete: yellow }[
    report.conclusion
  ];
  const counts = Object.entries(report.counts).flatMap(([verdict, count]) =>
    count > 0 ? [`${count} ${verdict}`] : [],
  );
  const { length } = report.createdIds;
  const plants = length === 1 ? '1 plant was' : `${length} plants were`;
  return [
    `${bold(paint(HEADLINES[report.conclusion]))}: ${counts.join(', ')} ${dim(`in ${(report.durationMs / 1000).toFixed(2)} s`)}`,
    report.summary,
    dim(
      `${report.exchanges.length} requests were sent and ${plants} created; the JSON report lists their ids.`,
    ),
  ];
}

function groupByTopic(rules: readonly ReportedRule[]): Map<string, ReportedRule[]> {
  const topics = new Map<string, ReportedRule[]>();
  for (const rule of rules) {
    const topic = rule.id.slice(0, rule.id.indexOf('/'));
    topics.set(topic, [...(topics.get(topic) ?? []), rule]);
  }
  return topics;
}

import { furtherTitles, NOW_AND_THEN } from '../conformance/reporting/failure-text.js';
import type {
  Report,
  ReportedFailure,
  ReportedFinding,
  ReportedRule,
} from '../conformance/reporting/report.js';
import {
  capitalised,
  counted,
  expectationOf,
  headlines,
  implementationOf,
  placeOf,
  rulesByTopic,
  signs,
} from '../conformance/reporting/report-wording.js';
import { codeBlock, literal, table } from './markdown-escape.js';

/** Failures of one rule that are written out under a finding, and what is sent in further ones. */
const SHOWN_FAILURES = 2;
const NAMED_FAILURES = 10;

/** The report as Markdown of GitHub: for the summary of a step, or a comment. */
export function markdown(report: Report): string {
  const { conclusion, summary, notes, findings, counts } = report;
  const isGood = conclusion === 'conforms' || conclusion === 'known-failures';
  const blocks = [
    `# ${isGood ? '✅' : '❌'} ${capitalised(headlines[conclusion])}`,
    subject(report),
    literal(summary),
    table(
      Object.keys(counts).map((verdict) => verdict.replace('-', ' ')),
      Object.keys(counts).map(() => '---:'),
      [Object.values(counts).map(String)],
    ),
    ...notes.map((note) => `> **Note:** ${literal(note)}`),
    ...(findings.length > 0 ? ['## What is broken'] : []),
    ...findings.flatMap((finding, at) => findingBlocks(finding, at, report)),
    ...prismBlocks(report),
    ...profileBlocks(report),
    ...ruleBlocks(report),
    `Requests sent: ${report.exchanges.length}; plants created: ${report.createdIds.length}; time: ${(report.durationMs / 1000).toFixed(2)} s.`,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function subject(report: Report): string {
  const who = implementationOf(report);
  const named = who === undefined ? '' : `${literal(who)} at `;
  return `${named}**POST** ${literal(`${report.baseUrl}/plants`)}, interface ${literal(report.interfaceVersion)}`;
}

function findingBlocks({ cause, repair, rules }: ReportedFinding, at: number, report: Report): string[] {
  const broken = report.rules.filter(({ id }) => rules.includes(id));
  return [
    `### ${at + 1}. ${literal(cause)}`,
    `To mend it: ${literal(repair)}`,
    ...broken.flatMap((rule) => brokenRuleBlocks(rule, at)),
  ];
}

function brokenRuleBlocks(rule: ReportedRule, at: number): string[] {
  const { id, title, level, source } = rule;
  const failures = rule.failures.filter(({ finding }) => finding === at);
  const shown = failures.slice(0, SHOWN_FAILURES);
  const rest = furtherTitles(failures.slice(SHOWN_FAILURES), NAMED_FAILURES);
  const known = expectationOf(rule);
  return [
    `**${literal(id)}** (${level}; interface: ${literal(placeOf(source))}): ${literal(title)}${known === undefined ? '' : ` *${literal(known)}*`}`,
    table(
      ['sent', 'expected', 'got'],
      ['---', '---', '---'],
      shown.map(({ title, expected, actual }) => [title, expected, actual].map(literal)),
    ),
    ...shown.flatMap(againBlocks),
    ...(rest === '' ? [] : [`And so with ${literal(rest)}.`]),
  ];
}

function againBlocks({ again, curl }: ReportedFailure): string[] {
  if (again === 'now-and-then') return [`${capitalised(NOW_AND_THEN)}.`];
  return curl.length === 0 ? [] : [codeBlock('sh', curl)];
}

function prismBlocks({ prism }: Report): string[] {
  if (prism === undefined) return [];
  const { exchanges, requestErrors, responseErrors, differences } = prism;
  return [
    '## Prism',
    `Prism was shown ${counted(exchanges, 'exchange')}; it objects to ${requestErrors} of the requests and ${responseErrors} of the responses.`,
    differences.length === 0
      ? 'It and the rules differ nowhere.'
      : differences
          .map(({ objects, exchanges: { length }, rules, why }) => {
            const times = counted(length, 'exchange');
            return objects === 'prism'
              ? `- It alone objects to ${times}: ${literal(why)}`
              : `- It lets ${times} through that break ${literal(rules.join(', '))}: ${literal(why)}`;
          })
          .join('\n'),
  ];
}

function profileBlocks({ profile: { behaviours } }: Report): string[] {
  if (behaviours.length === 0) return [];
  const rows = behaviours.map(({ rule, sentence }) => [literal(sentence), literal(rule)]);
  return folded(
    `Where the interface is silent: ${counted(behaviours.length, 'behaviour')}`,
    table(['what it does', 'rule'], ['---', '---'], rows),
  );
}

function ruleBlocks({ rules }: Report): string[] {
  return [...rulesByTopic(rules)].flatMap(([topic, ofTopic]) => {
    const kept = ofTopic.filter(({ verdict }) => verdict === 'pass').length;
    const judged = ofTopic.filter(({ verdict }) => verdict !== 'observed').length;
    const rows = ofTopic.map((rule) => [verdictCell(rule), literal(rule.title), literal(rule.id)]);
    return folded(
      judged === 0
        ? `Rules of ${topic}: ${ofTopic.length} observed`
        : `Rules of ${topic}: ${kept} of ${judged} kept`,
      table(['verdict', 'rule', 'id'], ['---', '---', '---'], rows),
    );
  });
}

function verdictCell(rule: ReportedRule): string {
  const said = [rule.reason, expectationOf(rule)].filter((text) => text !== undefined).map(literal);
  return `${signs[rule.verdict]} ${[rule.verdict.replace('-', ' '), ...said].join(': ')}`;
}

/** The blank lines end the HTML, so that what is between is Markdown again. */
function folded(summary: string, content: string): string[] {
  return [`<details><summary>${literal(summary)}</summary>`, content, '</details>'];
}

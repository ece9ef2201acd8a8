import picocolors from 'picocolors';
import { visibleInLine } from '../../conformance/reporting/control-characters.js';
import { headlines, signs } from '../../conformance/reporting/report-wording.js';
import type { ReporterOptions } from '../../reporters/reporter.js';
import type { Violation } from '../../validation/violation.js';
import {
  countsInWords,
  fileInWords,
  type JudgedMessage,
  type MessagesConclusion,
  type MessagesReport,
  type MessageVerdict,
  partInWords,
  placeInWords,
} from '../report.js';

type Colors = ReturnType<typeof picocolors.createColors>;
type Color = 'green' | 'red' | 'yellow' | 'dim';

const VERDICT_COLORS: Readonly<Record<MessageVerdict, Color>> = {
  pass: 'green',
  fail: 'red',
  blocked: 'yellow',
  'not-applicable': 'dim',
};

const CONCLUSION_COLORS: Readonly<Record<MessagesConclusion, Color>> = {
  conforms: 'green',
  'breaks-rules': 'red',
  incomplete: 'yellow',
};

/** Judged messages for people: each with where it stands, and what is wrong with it. */
export function messagesText(
  report: MessagesReport,
  { color = false, quiet = false }: ReporterOptions = {},
): string {
  const colors = picocolors.createColors(color);
  const { bold, dim } = colors;
  const { file, kind, format, interfaceVersion, messages, conclusion, summary } = report;
  const lines = [
    `${bold(`${kind}s`)} in ${visibleInLine(fileInWords(file))} ${dim(`(${format}, interface ${interfaceVersion})`)}`,
    '',
  ];
  const shown = quiet
    ? messages.filter(({ verdict }) => verdict === 'fail' || verdict === 'blocked')
    : messages;
  for (const message of shown) lines.push(...messageLines(message, colors));
  if (shown.length > 0) lines.push('');
  const headline = colors[CONCLUSION_COLORS[conclusion]](headlines[conclusion]);
  lines.push(`${bold(headline)}: ${countsInWords(messages)}`, summary);
  return `${lines.join('\n')}\n`;
}

function messageLines(
  { title, place, verdict, violations, reasons, notes }: JudgedMessage,
  colors: Colors,
): string[] {
  const { dim } = colors;
  const where = placeInWords(place);
  const sign = colors[VERDICT_COLORS[verdict]](signs[verdict]);
  return [
    `  ${sign} ${visibleInLine(title)}${where === '' ? '' : dim(` (${where})`)}`,
    ...violations.flatMap((violation) => violationLines(violation, colors)),
    ...reasons.map((reason) => `      not judged: ${visibleInLine(reason)}`),
    ...notes.map((note) => `      ${dim(`note: ${visibleInLine(note)}`)}`),
  ];
}

function violationLines(violation: Violation, { bold }: Colors): string[] {
  const { message, expected, actual } = violation;
  return [
    `      ${bold(visibleInLine(partInWords(violation)))} ${visibleInLine(message)}`,
    `        expected  ${visibleInLine(expected)}`,
    `        got       ${visibleInLine(actual)}`,
  ];
}

import { logText, visibleInLine } from './escape.js';
import type { ReportedBody, ReportedExchange } from './exchange.js';

/** A row of a check. */
interface SentRow {
  readonly name: string;
  readonly title: string;
  readonly expectation: string;
  readonly parts?: readonly { readonly name: string }[];
}

/** What is longer is cut, in characters. */
const LONGEST = 2_000;

/**
 * What was sent for a row, and what came back, as text. If it was not sent, that of the plain plants before it.
 *
 * @param exchanges those of a report: they hold no secret
 */
export function rowText(exchanges: readonly ReportedExchange[], row: SentRow): string {
  const names = [row, ...(row.parts ?? [])].map(({ name }) => name);
  const shown = exchanges.filter(({ role }) => role !== 'confirmation');
  const own = shown.filter(({ name }) => names.includes(name));
  const texts = (own.length > 0 ? own : shown).map((one) => `${exchangeText(one)}\n`);
  return [`${headingOf(row)}\n`, ...texts].join('\n');
}

/** Which row it is, as a comment of a shell. */
export function headingOf({ name, title, expectation }: SentRow): string {
  return `# ${name}: ${visibleInLine(title)} (${expectation})`;
}

function exchangeText({ request, response, failure, durationMs }: ReportedExchange): string {
  const sent = [`${request.method} ${request.url}`, ...messageLines(request)];
  const received =
    response === undefined
      ? [`no response: ${failure?.message}`]
      : [`${response.status} after ${durationMs} ms`, ...messageLines(response)];
  return [...sent.map((line) => `> ${line}`), '', ...received.map((line) => `< ${line}`)]
    .map((line) => logText(line.trimEnd()))
    .join('\n');
}

function messageLines({ headers, body }: Pick<ReportedExchange['request'], 'headers' | 'body'>): string[] {
  return [...headers.map(([name, value]) => visibleInLine(`${name}: ${value}`)), '', ...bodyLines(body)];
}

function bodyLines({ encoding, text, wholeBytes }: ReportedBody): string[] {
  const isCut = text.length > LONGEST || wholeBytes !== undefined;
  const length = wholeBytes === undefined ? `${text.length} characters` : `${wholeBytes} bytes`;
  return [
    ...(encoding === 'base64' ? ['(not UTF-8, so in base64)'] : []),
    ...text.slice(0, LONGEST).split('\n'),
    ...(isCut ? [`… (${length})`] : []),
  ];
}

import type { FailedRequest } from '../proxy/options.js';
import { jsonText, visibleInLine } from '../report/escape.js';
import type { Redactor } from '../report/redaction.js';
import { styleFor } from '../report/terminal-text.js';
import { counted } from '../report/wording.js';
import { failureText } from '../server/failures/check-failure.js';
import type { ReceivedRequest } from '../server/journal.js';
import { pathOf } from '../spec/operation.js';
import { type JudgedExchange, violationInWords } from '../validation/exchange.js';
import type { OutputStream } from './io.js';

/** The log of `serve`: writes a line for each request. */
export function requestLog(form: 'text' | 'json', output: OutputStream): (received: ReceivedRequest) => void {
  const line = LINES[form];
  return (received) => void output.write(`${line(received)}\n`);
}

/** A line shows a failure as the flag `--fail` takes it. */
const LINES: Readonly<Record<'text' | 'json', (received: ReceivedRequest) => string>> = {
  text({ method, target, status, rejection, failure }) {
    const request = method === '' ? 'unreadable request' : `${method} ${target}`;
    let line = `${request} ${status === 0 ? 'no response' : status}`;
    if (rejection !== undefined) line += ` ${rejection}`;
    if (failure !== undefined) line += ` (failure: ${failureText(failure)})`;
    return visibleInLine(line);
  },
  json: ({ at, method, target, status, rejection, failure }) =>
    jsonText({ event: 'request', at: at.toISOString(), method, target, status, rejection, failure }),
};

/** The line of `proxy` about a request that got no response. */
export function failedLine(
  { request, reason, count }: FailedRequest,
  secrets: Redactor,
  color: boolean,
): string {
  const { yellow } = styleFor(color);
  if (request === undefined)
    return `${yellow('!')} ${visibleInLine(`rejected ${count === 1 ? 'request' : counted(count, 'request')}: ${reason}`)}\n`;
  const { method, target } = request;
  return `${yellow('!')} ${redactedLine(`${method} ${pathOf(target)}: ${reason}`, secrets)}\n`;
}

/** The lines of `proxy` about an exchange: one for each violation, and one for each part that was not judged. */
export function exchangeLines(
  { exchange, violations, notes }: JudgedExchange,
  secrets: Redactor,
  color: boolean,
): string {
  const { red, yellow, dim } = styleFor(color);
  const { request, response } = exchange;
  const title = `${request.method} ${pathOf(request.target)} ${response?.status ?? 'no response'}`;
  const line = (sign: string, text: string): string =>
    `${sign} ${redactedLine(`${title} ${text}`, secrets)}\n`;
  return [
    ...violations.map((violation) =>
      line(violation.severity === 'error' ? red('✗') : yellow('▲'), violationInWords(violation)),
    ),
    ...notes.map((note) => line(dim('–'), note)),
  ].join('');
}

function redactedLine(text: string, secrets: Redactor): string {
  return visibleInLine(secrets.message(text));
}

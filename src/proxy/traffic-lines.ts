import type { Fields } from '../http/fields.js';
import { styleFor } from '../report/color.js';
import { visibleInLine } from '../report/escape.js';
import { pathOf } from '../spec/operation.js';
import { type JudgedExchange, violationInWords } from '../validation/exchange.js';
import type { FailedRequest } from './options.js';
import type { SeenSecrets } from './seen-secrets.js';

/** The line about a request that got no response. */
export function failedLine({ request, reason }: FailedRequest, secrets: SeenSecrets, color: boolean): string {
  const { yellow } = styleFor(color);
  if (request === undefined) return `${yellow('!')} ${visibleInLine(`rejected request: ${reason}`)}\n`;
  const { method, target, headers } = request;
  return `${yellow('!')} ${redactedLine(`${method} ${pathOf(target)}: ${reason}`, headers, secrets)}\n`;
}

/** The lines about an exchange: one for each violation, and one for each part that was not judged. */
export function exchangeLines(
  { exchange, violations, notes }: JudgedExchange,
  secrets: SeenSecrets,
  color: boolean,
): string {
  const { red, dim } = styleFor(color);
  const { request, response } = exchange;
  const title = `${request.method} ${pathOf(request.target)} ${response?.status ?? 'no response'}`;
  const ours = violations.filter(({ judge }) => judge === 'interface');
  // Prism finds the same in other words. Only what it alone finds needs a line.
  const alone = violations.filter(
    ({ judge, side }) => judge === 'prism' && !ours.some((violation) => violation.side === side),
  );
  const line = (sign: string, text: string): string =>
    `${sign} ${redactedLine(`${title} ${text}`, request.headers, secrets)}\n`;
  return [
    ...ours.map((violation) => line(red('✗'), violationInWords(violation))),
    ...alone.map((violation) => line(dim('–'), `Prism: ${violationInWords(violation)}`)),
    ...notes.map((note) => line(dim('–'), note)),
  ].join('');
}

function redactedLine(text: string, headers: Fields, secrets: SeenSecrets): string {
  return visibleInLine(secrets.redactorFor(headers).message(text));
}

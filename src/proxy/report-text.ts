import picocolors from 'picocolors';
import { visibleInLine } from '../conformance/reporting/control-characters.js';
import { counted } from '../conformance/reporting/report-wording.js';
import type { ReporterOptions } from '../reporters/reporter.js';
import type { JudgedExchange, TrafficViolation } from './judged.js';
import type { UnansweredRequest } from './options.js';
import type { Reason } from './reasons.js';
import type { ProxyReport } from './report.js';
import type { ViolationKind } from './tally.js';

const HEADLINES = {
  conforms: ['green', 'conforms'],
  violations: ['red', 'does not conform'],
  'nothing-judged': ['yellow', 'nothing was judged'],
} as const;

/** What passed a proxy, for people. */
export function proxyText(
  report: ProxyReport,
  { color = false, quiet = false }: ReporterOptions = {},
): string {
  const colors = picocolors.createColors(color);
  const { bold, dim } = colors;
  const { kinds, otherKinds, failures, unreadable, conclusion, durationMs } = report;
  const ours = kinds.filter(({ judge }) => judge === 'interface');
  const prisms = kinds.filter(({ judge }) => judge === 'prism');
  const lines = ours.map((kind) => `${bold(times(kind))} ${kindText(kind)}`);
  if (otherKinds > 0) lines.push(`${bold(`${otherKinds} ×`)} of further kinds`);
  if (prisms.length > 0 && !quiet)
    lines.push(
      '',
      bold('Prism objects to'),
      ...prisms.map((kind) => `  ${dim(times(kind))} ${kindText(kind)}`),
    );
  const reasons = (title: string, all: readonly Reason[]): void => {
    if (all.length > 0)
      lines.push(
        ...['', bold(title)],
        ...all.map(({ why, count }) => `  ${dim(`${count} ×`)} ${visibleInLine(why)}`),
      );
  };
  reasons('Without an answer', failures);
  reasons('Could not be read as HTTP', unreadable);
  if (lines[0] === '') lines.shift();
  if (lines.length > 0) lines.push('');
  const [headlineColor, headline] = HEADLINES[conclusion];
  lines.push(
    `${bold(colors[headlineColor](headline))}: ${whatPassed(report)} ${dim(`in ${(durationMs / 1000).toFixed(1)} s`)}`,
    summaryOf(report),
  );
  return `${lines.join('\n')}\n`;
}

/** How many there were, and how many could be judged: without an answer there is the request alone. */
function whatPassed({ exchanges, unanswered, judged, judgedSides }: ProxyReport): string {
  if (unanswered === 0 && judgedSides.response === judged)
    return `${counted(exchanges, 'exchange')} passed, ${judged} judged`;
  const came = `${counted(exchanges, 'request')} came, ${unanswered} got no answer`;
  return `${came}; ${counted(judgedSides.response, 'response')} and ${counted(judgedSides.request, 'request')} judged`;
}

/** A sentence: what counts, and what does not. */
export function summaryOf({ violations, failOn, conclusion }: ProxyReport): string {
  if (conclusion === 'nothing-judged')
    return 'Of what counts, nothing could be judged: no POST …/plants came through, or it had no answer.';
  const said = (side: 'request' | 'response'): string => {
    const counts = failOn === 'both' || failOn === side;
    return `${counted(violations[side], 'violation')} in ${side}s${counts ? '' : ' (not counted)'}`;
  };
  return `${said('response')}, ${said('request')}.`;
}

function times({ count }: ViolationKind): string {
  return `${count} ×`;
}

function kindText({ side, message, pointer }: ViolationKind): string {
  return visibleInLine(`${side}${pointer === '' ? '' : ` ${pointer}`}: ${message}`);
}

/** The line about a request that got no answer. */
export function unansweredLine({ request, why }: UnansweredRequest, color: boolean): string {
  const { yellow } = picocolors.createColors(color);
  const what = request === undefined ? 'a request could not be read' : `${request.method} ${pathOf(request)}`;
  return `${yellow('!')} ${visibleInLine(`${what}: ${why}`)}\n`;
}

function pathOf({ target }: { readonly target: string }): string {
  const [path = ''] = target.split('?');
  return path;
}

/** The lines about one exchange, as it passes; none where all is well. */
export function exchangeLines({ exchange, violations, notes }: JudgedExchange, color: boolean): string {
  const { red, dim } = picocolors.createColors(color);
  const { request, response } = exchange;
  const what = `${request.method} ${pathOf(request)} ${response?.status ?? 'no answer'}`;
  const ours = violations.filter(({ judge }) => judge === 'interface');
  // Prism words it in another way; only where it alone objects is that worth a line.
  const alone = violations.filter(
    ({ judge, side }) => judge === 'prism' && !ours.some((violation) => violation.side === side),
  );
  const text = ({ side, pointer, message, judge }: TrafficViolation): string =>
    `${judge === 'prism' ? 'Prism: ' : ''}${side}${pointer === '' ? '' : ` ${pointer}`}: ${message}`;
  return [
    ...ours.map((violation) => `${red('✗')} ${visibleInLine(`${what} ${text(violation)}`)}\n`),
    ...alone.map((violation) => `${dim('–')} ${visibleInLine(`${what} ${text(violation)}`)}\n`),
    ...notes.map((note) => `${dim('–')} ${visibleInLine(`${what} ${note}`)}\n`),
  ].join('');
}

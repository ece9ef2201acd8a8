import picocolors from 'picocolors';
import { visibleInLine } from '../conformance/reporting/control-characters.js';
import { counted } from '../conformance/reporting/report-wording.js';
import type { ReporterOptions } from '../reporters/reporter.js';
import type { JudgedExchange, TrafficViolation } from './judged.js';
import type { ProxyReport } from './proxy.js';
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
  const { kinds, otherKinds, exchanges, judged, judgedSides, unanswered, conclusion, durationMs } = report;
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
  if (lines.length > 0) lines.push('');
  const [headlineColor, headline] = HEADLINES[conclusion];
  const missing = judged - judgedSides.response;
  const unjudged = missing > 0 ? ` (${missing} without their answers)` : '';
  const silent = unanswered > 0 ? `, ${unanswered} without an answer` : '';
  lines.push(
    `${bold(colors[headlineColor](headline))}: ${counted(exchanges, 'exchange')} passed${silent}, ${judged} judged${unjudged} ${dim(`in ${(durationMs / 1000).toFixed(1)} s`)}`,
    summaryOf(report),
  );
  return `${lines.join('\n')}\n`;
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

/** The lines about one exchange, as it passes; none where all is well. */
export function exchangeLines({ exchange, violations, notes }: JudgedExchange, color: boolean): string {
  const { red, dim } = picocolors.createColors(color);
  const { request, response } = exchange;
  const [path = ''] = request.target.split('?');
  const what = `${request.method} ${path} ${response?.status ?? 'no answer'}`;
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

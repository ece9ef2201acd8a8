import { isBroken, isOutdated, isUnjudged } from '../conclusion.js';
import { logText, visible } from '../escape.js';
import { type Case, casesOf, type Report } from '../frame.js';
import { folded } from '../wording.js';
import { type Problem, problemsOf, unjudgedReasons } from './problems.js';
import {
  adviceLines,
  alsoFailsFor,
  caseInWords,
  countsInWords,
  evidenceText,
  excuseOf,
  failureText,
  findingTitle,
  headlineOf,
} from './wording.js';

/**
 * The report as workflow commands of GitHub Actions: an annotation for each problem (`error`, or `warning` if it is one), for each reason
 * why something could not be judged (`warning`), and for each failure that does not count (`notice`), then one line that sums up. GitHub
 * shows ten annotations of a kind for a step; its log has them all.
 */
export function github(report: Report): string {
  const { kind, subject, conclusion, summary, notes, sections } = report;
  // If nothing could be tested, every case has the same reason, and the summary gives it.
  const annotations =
    conclusion === 'not-testable' ? [command('error', { title: kind }, summary)] : annotationsOf(report);
  const counts = countsInWords(report);
  const lines = [
    ...annotations,
    ...notes.map((note) => command('notice', { title: kind }, note)),
    ...sections.map(({ title, items }) => command('notice', { title }, items.join('\n'))),
    plainLine(`${subject}: ${headlineOf(report)}${counts === '' ? '' : ` (${counts})`}. ${summary}`),
  ];
  return `${lines.join('\n')}\n`;
}

function annotationsOf(report: Report): string[] {
  const { problems } = problemsOf(report);
  // A case with a place has an annotation of its own, which GitHub shows there.
  const together = problems.filter(({ cases }) => cases.every(({ place }) => place?.file === undefined));
  const told = new Set(together.flatMap(({ cases }) => cases));
  return [
    ...together.map(annotationOfProblem),
    ...casesOf(report).flatMap((one) => (told.has(one) || isUnjudged(one) ? [] : annotationOf(one, report))),
    ...unjudgedReasons(report, NAMED).map(({ reason, names }) =>
      command('warning', { title: names }, reason),
    ),
  ];
}

/** How many cases a title names. */
const NAMED = 3;

function annotationOfProblem({ finding, cases, examples, others }: Problem): string {
  const also = alsoFailsFor(others, NAMED);
  const lines = [
    findingTitle(finding),
    ...adviceLines(finding).map(({ label, text }) => `${label}: ${text}`),
    ...cases.map((one) => `${caseInWords(one)}: ${one.fact ?? one.title}`),
    ...examples.map(evidenceText),
    ...(also === '' ? [] : [also]),
  ];
  const title = folded(
    cases.map(({ id }) => id),
    NAMED,
  );
  return command(finding.severity === 'warning' ? 'warning' : 'error', { title }, lines.join('\n'));
}

function annotationOf(one: Case, report: Report): string[] {
  const { id, title, verdict, detail = '', place } = one;
  const excuse = excuseOf(one);
  const properties = {
    ...(place?.file !== undefined && { file: place.file }),
    ...(place?.file !== undefined && place.line !== undefined && { line: String(place.line) }),
    title: id,
  };
  const annotate = (name: Command, lines: readonly string[]): string[] => [
    command(name, properties, lines.join('\n')),
  ];
  const headed = (...lines: readonly string[]): string[] => [...(title === id ? [] : [title]), ...lines];
  if (isOutdated(one)) return annotate('error', headed(excuse ?? ''));
  if (verdict === 'blocked' || verdict === 'error')
    return annotate('notice', headed(`${verdict}: ${detail}`, ...(excuse === undefined ? [] : [excuse])));
  if (!isBroken(one)) return [];
  return excuse === undefined
    ? annotate(verdict === 'fail' ? 'error' : 'warning', [failureText(one, report, 1)])
    : annotate('notice', headed(excuse));
}

type Command = 'error' | 'warning' | 'notice';

/** A workflow command. */
function command(name: Command, properties: Readonly<Record<string, string>>, message: string): string {
  const written = Object.entries(properties).map(([key, value]) => `${key}=${escapedProperty(value)}`);
  return `::${name} ${written.join(',')}::${escapedData(message)}`;
}

function plainLine(text: string): string {
  return logText(text.replace(/\s*[\r\n]+\s*/g, ' '));
}

function escapedData(text: string): string {
  return visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

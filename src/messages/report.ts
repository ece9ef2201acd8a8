import { counted } from '../output/wording.js';
import { reportFrame } from '../report/build.js';
import type { Case, Evidence, Finding, Report } from '../report/frame.js';
import { placeOf, type Violation } from '../validation/violation.js';
import type { MessageFormat, MessageKind, MessagePlace } from './stored-message.js';

/** One judged message. It contains no token. */
export interface JudgedMessage {
  readonly title: string;
  readonly place: MessagePlace;
  /** `blocked`: it is not all there; `not-applicable`: it is about something else, or missing. */
  readonly verdict: 'pass' | 'fail' | 'blocked' | 'not-applicable';
  readonly violations: readonly Violation[];
  /** Why not all of it was judged; sentences. */
  readonly reasons: readonly string[];
  /** What was assumed about it; sentences. */
  readonly notes: readonly string[];
}

/** The report of `validate`: every message of a kind in one file. */
export interface ValidateReport extends Report {
  readonly kind: 'validate';
  /** `-` is standard input. */
  readonly file: string;
  readonly messageKind: MessageKind;
  readonly format: MessageFormat;
  /** In the order of the file, as the cases. */
  readonly messages: readonly JudgedMessage[];
}

/** One for all messages that conform: a file may have a million of them. */
const NO_EVIDENCE: readonly Evidence[] = [];

/** The report on messages. */
export function reportOf(
  messages: readonly JudgedMessage[],
  source: Pick<ValidateReport, 'file' | 'messageKind' | 'format'>,
  startedAt: Date,
): ValidateReport {
  const { file, messageKind, format } = source;
  const findings: Finding[] = [];
  const cases = messages.map((message): Case => {
    const { place, verdict, violations, reasons, notes } = message;
    const id = idOf(message);
    let evidence = NO_EVIDENCE;
    if (violations.length > 0) {
      evidence = violations.map((violation) => {
        const { expected, actual } = violation;
        return { where: placeOf(violation), expected, actual, finding: findings.length };
      });
      findings.push(findingOf(violations, findings.length, id));
    }
    return {
      id,
      title: id,
      verdict,
      ...(reasons.length > 0 && { detail: reasons.join('; ') }),
      place: file === '-' ? place : { file, ...place },
      ...(notes.length > 0 && { notes }),
      evidence,
    };
  });
  return {
    ...reportFrame({
      kind: 'validate',
      subject: `${messageKind}s in ${fileInWords(file)}`,
      startedAt,
      groups: [{ title: fileInWords(file), detail: FORMATS[format], cases }],
      findings,
    }),
    summary: summaryOf(messages, messageKind),
    ...source,
    messages,
  };
}

const FORMATS: Readonly<Record<MessageFormat, string>> = {
  raw: 'raw HTTP',
  har: 'HAR',
  json: 'a JSON body',
};

/** The name of a file in a sentence. */
export function fileInWords(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/** `HTTP/1.1 200 OK (line 5)`: unique, since no two messages begin in one line. */
function idOf({ title, place: { line, pointer } }: JudgedMessage): string {
  const where = line === undefined ? pointer : `line ${line}`;
  return where === undefined ? title : `${title} (${where})`;
}

function findingOf([first, ...others]: readonly Violation[], index: number, id: string): Finding {
  const more = others.length === 0 ? '' : ` (and ${counted(others.length, 'more violation')})`;
  return { id: `finding-${index + 1}`, title: `${first?.message}${more}`, isLikelyCause: false, cases: [id] };
}

function summaryOf(messages: readonly JudgedMessage[], kind: MessageKind): string {
  const count = (wanted: JudgedMessage['verdict']): number =>
    messages.filter(({ verdict }) => verdict === wanted).length;
  const judged = messages.length - count('not-applicable');
  const [failed, blocked] = [count('fail'), count('blocked')];
  if (failed + blocked === 0)
    return judged === 1 ? `The ${kind} conforms.` : `All ${judged} ${kind}s conform.`;
  const some = failed > 0 ? failed : blocked;
  const what = failed > 0 ? `${some === 1 ? 'does' : 'do'} not conform` : 'could not be judged completely';
  return judged === 1 ? `The ${kind} ${what}.` : `${some} of ${judged} ${kind}s ${what}.`;
}

import { reportFrame } from '../../report/build.js';
import type { Case, Counts, Evidence, Finding, Report } from '../../report/frame.js';
import { counted } from '../../report/wording.js';
import { placeOf, type Violation } from '../../validation/violation.js';
import type { MessageFormat, MessageKind, MessagePlace } from './stored-message.js';

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

/** One judged message. It contains no token. */
export interface JudgedMessage {
  readonly title: string;
  readonly place: MessagePlace;
  /** `blocked`: it is not all there, or cannot be read; `not-applicable`: there is no response. */
  readonly verdict: 'pass' | 'fail' | 'blocked' | 'not-applicable';
  readonly violations: readonly Violation[];
  /** Why not all of it was judged; sentences. */
  readonly reasons: readonly string[];
  /** What was assumed about it; sentences. */
  readonly notes: readonly string[];
}

/**
 * The report on messages.
 *
 * @param messages without secrets
 * @param others entries of a HAR that were not judged
 */
export function reportOf(
  messages: readonly JudgedMessage[],
  source: Pick<ValidateReport, 'file' | 'messageKind' | 'format'>,
  others: number,
  startedAt: Date,
): ValidateReport {
  const { file, messageKind, format } = source;
  // Messages with the same mistakes share a finding: a HAR file may have one mistake a hundred times.
  const findings = new Map<
    string,
    { readonly index: number; readonly title: string; readonly cases: string[] }
  >();
  const cases = messages.map((message): Case => {
    const { title, place, verdict, violations, reasons, notes } = message;
    const id = place.pointer === undefined ? title : `${title} (${place.pointer})`;
    const mistakes = violations.map(({ message: mistake }) => mistake).join('\n');
    const finding = findings.get(mistakes) ?? {
      index: findings.size,
      title: titleOf(violations),
      cases: [],
    };
    if (violations.length > 0) findings.set(mistakes, finding);
    finding.cases.push(id);
    const evidence = violations.map((violation): Evidence => {
      const { expected, actual } = violation;
      return { where: placeOf(violation), expected, actual, finding: finding.index };
    });
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
  const frame = reportFrame({
    kind: 'validate',
    subject: `${messageKind}s in ${fileInWords(file)}`,
    startedAt,
    groups: [{ title: fileInWords(file), detail: FORMATS[format], cases }],
    findings: [...findings.values()].map(
      ({ index, ...finding }): Finding => ({ id: `finding-${index + 1}`, ...finding }),
    ),
    // Whoever expects more messages may look for a wrong method or path.
    ...(others > 0 && {
      remarks: [
        `${others === 1 ? '1 other entry of the HAR file was' : `${others} other entries of the HAR file were`} not judged: only POST …/plants is.`,
      ],
    }),
  });
  return { ...frame, summary: summaryOf(frame.counts, messageKind), ...source, messages };
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

function titleOf([first, ...others]: readonly Violation[]): string {
  const more = others.length === 0 ? '' : ` (and ${counted(others.length, 'more violation')})`;
  return `${first?.message}${more}`;
}

function summaryOf({ pass, fail, blocked }: Counts, kind: MessageKind): string {
  const judged = pass + fail + blocked;
  if (fail + blocked === 0) return judged === 1 ? `The ${kind} conforms.` : `All ${judged} ${kind}s conform.`;
  const some = fail > 0 ? fail : blocked;
  const what = fail > 0 ? `${some === 1 ? 'does' : 'do'} not conform` : 'could not be judged completely';
  return judged === 1 ? `The ${kind} ${what}.` : `${some} of ${judged} ${kind}s ${what}.`;
}

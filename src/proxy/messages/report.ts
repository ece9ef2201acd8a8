import { reportFrame } from '../../report/build.js';
import type { Case, Counts, Evidence, Finding, Report } from '../../report/frame.js';
import { counted } from '../../report/wording.js';
import { placeOf, type Violation } from '../../validation/violation.js';
import type { JudgedMessage, Listing } from './listing.js';
import type { MessageFormat, MessageKind } from './stored-message.js';

/** The report of `validate`: every message of a kind in one file. */
export interface ValidateReport extends Report {
  readonly kind: 'validate';
  /** `-` is standard input. */
  readonly file: string;
  readonly messageKind: MessageKind;
  readonly format: MessageFormat;
  /** In the order of the file, as the cases: the first 500 of each kind. `counts` counts all. */
  readonly messages: readonly JudgedMessage[];
}

/**
 * The report on messages.
 *
 * @param messages those that the listing has, without secrets
 * @param others entries of a HAR that were not judged
 */
export function reportOf(
  messages: readonly JudgedMessage[],
  { counts, unlisted }: Pick<Listing, 'counts' | 'unlisted'>,
  source: Pick<ValidateReport, 'file' | 'messageKind' | 'format'>,
  others: number,
  startedAt: Date,
): ValidateReport {
  const { file, messageKind, format } = source;
  const findings: Finding[] = [];
  const cases = messages.map((message): Case => {
    const { place, verdict, violations, reasons, notes } = message;
    const id = idOf(message);
    const evidence = violations.map((violation): Evidence => {
      const { expected, actual } = violation;
      return { where: placeOf(violation), expected, actual, finding: findings.length };
    });
    if (violations.length > 0) findings.push(findingOf(violations, findings.length, id));
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
      groups: [
        { title: fileInWords(file), detail: FORMATS[format], cases, ...(unlisted.length > 0 && { counts }) },
      ],
      findings,
      notes: unlisted.map(({ first, more, isRest }) => {
        const alike = isRest ? `with the verdict ${messages[first]?.verdict}` : `like ${cases[first]?.id}`;
        return `${counted(more, `more ${messageKind}`)} ${alike} ${more === 1 ? 'is' : 'are'} not listed.`;
      }),
      // Whoever expects more messages may look for a wrong method or path.
      ...(others > 0 && {
        remarks: [
          `${others === 1 ? '1 other entry of the HAR file was' : `${others} other entries of the HAR file were`} not judged: only POST …/plants is.`,
        ],
      }),
    }),
    summary: summaryOf(counts, messageKind),
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
  return { id: `finding-${index + 1}`, title: `${first?.message}${more}`, cases: [id] };
}

function summaryOf({ pass, fail, blocked }: Counts, kind: MessageKind): string {
  const judged = pass + fail + blocked;
  if (fail + blocked === 0) return judged === 1 ? `The ${kind} conforms.` : `All ${judged} ${kind}s conform.`;
  const some = fail > 0 ? fail : blocked;
  const what = fail > 0 ? `${some === 1 ? 'does' : 'do'} not conform` : 'could not be judged completely';
  return judged === 1 ? `The ${kind} ${what}.` : `${some} of ${judged} ${kind}s ${what}.`;
}

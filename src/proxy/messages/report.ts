import { reportFrame } from '../../report/build.js';
import type { Case, Counts, Evidence, Finding, Report } from '../../report/frame.js';
import { counted } from '../../report/wording.js';
import { placeOf, type Severity, type Violation } from '../../validation/violation.js';
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
  readonly verdict: 'pass' | 'warn' | 'fail' | 'blocked' | 'not-applicable';
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
  const findings = new Map<string, { readonly index: number; readonly cases: string[] } & Finding>();
  /** The evidence of those violations of a message that have one severity. */
  const evidenceOf = (all: readonly Violation[], severity: Severity, id: string): Evidence[] => {
    const violations = all.filter((one) => one.severity === severity);
    if (violations.length === 0) return [];
    const key = [severity, ...violations.map(({ message }) => message)].join('\n');
    const index = findings.size;
    const finding = findings.get(key) ?? {
      index,
      id: `finding-${index + 1}`,
      title: titleOf(violations),
      ...(severity === 'warning' && { severity }),
      cases: [],
    };
    findings.set(key, finding);
    finding.cases.push(id);
    return violations.map((violation) => {
      const { expected, actual } = violation;
      return { where: placeOf(violation), expected, actual, finding: finding.index };
    });
  };
  const cases = messages.map((message): Case => {
    const { title, place, verdict, violations, reasons, notes } = message;
    const id = place.pointer === undefined ? title : `${title} (${place.pointer})`;
    return {
      id,
      title: id,
      verdict,
      ...(reasons.length > 0 && { detail: reasons.join('; ') }),
      place: file === '-' ? place : { file, ...place },
      ...(notes.length > 0 && { notes }),
      evidence: [...evidenceOf(violations, 'error', id), ...evidenceOf(violations, 'warning', id)],
    };
  });
  const frame = reportFrame({
    kind: 'validate',
    subject: `${messageKind}s in ${fileInWords(file)}`,
    startedAt,
    groups: [{ title: fileInWords(file), detail: FORMATS[format], cases }],
    findings: [...findings.values()].map(({ index: _index, ...finding }) => finding),
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

function summaryOf({ pass, warn, fail, blocked }: Counts, kind: MessageKind): string {
  const judged = pass + warn + fail + blocked;
  const but = warn === 0 ? '' : judged === 1 ? ', with warnings' : `, ${warn} of them with warnings`;
  if (fail + blocked === 0)
    return judged === 1 ? `The ${kind} conforms${but}.` : `All ${judged} ${kind}s conform${but}.`;
  const some = fail > 0 ? fail : blocked;
  const what = fail > 0 ? `${some === 1 ? 'does' : 'do'} not conform` : 'could not be judged completely';
  return judged === 1 ? `The ${kind} ${what}.` : `${some} of ${judged} ${kind}s ${what}.`;
}

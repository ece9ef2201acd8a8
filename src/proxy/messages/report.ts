import { reportFrame } from '../../report/build.js';
import type { Case, Counts, Report } from '../../report/frame.js';
import type { TrafficViolation } from '../../validation/exchange.js';
import { evidenceOf, findingsOf, type ViolationKind, ViolationKinds } from '../violation-kinds.js';
import type { MessageKind } from './stored-message.js';

/** The report of `validate`: every message of a kind in one file. Its cases are the messages, in the order of the file. */
export interface ValidateReport extends Report {
  readonly kind: 'validate';
  /** `-` is standard input. */
  readonly file: string;
  readonly messageKind: MessageKind;
  readonly violationKinds: readonly ViolationKind[];
}

/** One judged message. It contains no token. */
export interface JudgedMessage {
  readonly title: string;
  /** Where it is in a HAR. */
  readonly pointer?: string | undefined;
  /** `blocked`: it is not all there, or cannot be read; `not-applicable`: there is no response. */
  readonly verdict: 'pass' | 'warn' | 'fail' | 'blocked' | 'not-applicable';
  readonly violations: readonly TrafficViolation[];
  /** Why not all of it was judged; sentences. */
  readonly reasons: readonly string[];
}

/** @param messages without secrets */
export function reportOf(
  messages: readonly JudgedMessage[],
  source: Pick<ValidateReport, 'file' | 'messageKind'>,
  startedAt: Date,
): ValidateReport {
  const { file, messageKind } = source;
  const kinds = new ViolationKinds();
  for (const { violations } of messages) for (const violation of violations) kinds.add(violation);
  const violationKinds = kinds.sorted();
  const cases = messages.map(({ title, pointer, verdict, violations, reasons }): Case => {
    const id = pointer === undefined ? title : `${title} (${pointer})`;
    return {
      id,
      title: id,
      verdict,
      ...(reasons.length > 0 && { detail: reasons.join('; ') }),
      place: file === '-' ? {} : { file },
      evidence: violations.map((violation) =>
        evidenceOf(violation, kinds.placeIn(violationKinds, violation)),
      ),
    };
  });
  const frame = reportFrame({
    kind: 'validate',
    subject: `${messageKind}s in ${fileInWords(file)}`,
    startedAt,
    groups: [{ title: fileInWords(file), cases }],
    findings: findingsOf(violationKinds, cases),
  });
  return { ...frame, summary: summaryOf(frame.counts, messageKind), ...source, violationKinds };
}

/** The name of a file in a sentence. */
export function fileInWords(file: string): string {
  return file === '-' ? 'standard input' : file;
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

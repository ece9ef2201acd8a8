import { reportFrame } from '../../report/build.js';
import { countVerdicts } from '../../report/conclusion.js';
import type { Case, Counts, Evidence, Finding, Report, Verdict } from '../../report/frame.js';
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
  // Messages with the same mistakes share a finding: a HAR file may have one mistake a hundred times.
  const findings = new Map<
    string,
    { readonly index: number; readonly title: string; readonly cases: string[] }
  >();
  const cases = messages.map((message): Case => {
    const { place, verdict, violations, reasons, notes } = message;
    const id = idOf(message);
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
  return {
    ...reportFrame({
      kind: 'validate',
      subject: `${messageKind}s in ${fileInWords(file)}`,
      startedAt,
      groups: [
        { title: fileInWords(file), detail: FORMATS[format], cases, ...(unlisted.length > 0 && { counts }) },
      ],
      findings: [...findings.values()].map(
        ({ index, ...finding }): Finding => ({ id: `finding-${index + 1}`, ...finding }),
      ),
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

/** The most messages that are listed of one kind, and the most kinds. The rest is only counted. */
const MOST_ALIKE = 500;
const MOST_KINDS = 10;

/** Messages of one kind: with the same verdict, the same reasons, and violations in the same places. */
interface Alike {
  /** The index of the first in the list. */
  readonly first: number;
  /** How many there are, with those that are not listed. */
  readonly count: number;
  /** Whether it is the rest: messages of many kinds with one verdict. */
  readonly isRest: boolean;
}

/** The messages of a file: some of each kind, and how many there are. A file may have a million of them. */
export class Listing {
  /** At least one with each verdict that occurs. */
  readonly messages: JudgedMessage[] = [];
  readonly counts: Record<Verdict, number> = { ...countVerdicts([]) };
  private readonly byKey = new Map<string, Alike>();

  add(message: JudgedMessage): void {
    const { verdict } = message;
    this.counts[verdict]++;
    const key = keyOf(message);
    const isRest = !this.byKey.has(key) && this.byKey.size >= MOST_KINDS;
    const kind = this.byKey.get(isRest ? verdict : key) ?? { first: this.messages.length, count: 0, isRest };
    this.byKey.set(isRest ? verdict : key, { ...kind, count: kind.count + 1 });
    if (kind.count < MOST_ALIKE) this.messages.push(message);
  }

  /** The kinds of which not all messages are listed, and how many more there are of each. */
  get unlisted(): readonly (Alike & { readonly more: number })[] {
    return [...this.byKey.values()].flatMap((kind) =>
      kind.count > MOST_ALIKE ? [{ ...kind, more: kind.count - MOST_ALIKE }] : [],
    );
  }
}

function keyOf({ verdict, violations, reasons }: JudgedMessage): string {
  const kinds = violations.map(({ part, pointer, keyword }) => `${part} ${keyword} ${pointer}`);
  return [verdict, ...kinds, ...reasons].join('\n');
}

import { createRedactor } from '../output/redaction.js';
import { validateRequest } from '../validation/request.js';
import { type ResponseOptions, validateResponse } from '../validation/response.js';
import { redactedViolation, type Violation } from '../validation/violation.js';
import { type ReadOptions, readMessages } from './read.js';
import { fileInWords, type JudgedMessage, reportOf, type ValidateReport } from './report.js';
import { nothingToJudge, Source } from './source.js';
import { isAbout, type JudgeableMessage, type StoredMessage } from './stored-message.js';

/** What is judged, and how. */
export interface JudgeOptions extends ReadOptions, ResponseOptions {
  /** The file; `-` is standard input. */
  readonly file: string;
}

/**
 * Judges every message of a kind that some bytes contain, one by one.
 *
 * @throws ToolkitError `invalid-message` or `no-message` if there is nothing that can be judged
 */
export function judgeMessages(bytes: Uint8Array, options: JudgeOptions): ValidateReport {
  const { file, kind } = options;
  const startedAt = new Date();
  const source = new Source(fileInWords(file), bytes);
  const { messages: stored, secrets, format } = readMessages(source, options);
  // Messages of one file have few different titles. One string for all of them takes less memory.
  const titles = new Map<string, string>();
  const messages = redacted(
    Array.from(stored, (message) => {
      if (!titles.has(message.title)) titles.set(message.title, message.title);
      return judged({ ...message, title: titles.get(message.title) as string }, options);
    }),
    secrets,
  );
  // Only something that was judged can pass.
  if (messages.every(({ verdict }) => verdict === 'not-applicable')) {
    const reasons = new Set(messages.flatMap((message) => message.reasons));
    throw nothingToJudge(source, `contains no ${kind} to judge: ${[...reasons].join('; ')}`);
  }
  return reportOf(messages, { file, messageKind: kind, format }, startedAt);
}

function judged(stored: StoredMessage, options: ResponseOptions): JudgedMessage {
  const { title, place, message, losses, notes, leftOut, unclear } = stored;
  if (leftOut !== undefined)
    return { title, place, verdict: 'not-applicable', violations: [], reasons: [leftOut], notes };
  if (unclear !== undefined)
    return { title, place, verdict: 'blocked', violations: [], reasons: [unclear], notes };
  const violations = orNone(
    violationsOf(message, options).filter((violation) => !losses.some((loss) => isAbout(loss, violation))),
  );
  const incomplete = losses.length > 0 ? 'blocked' : 'pass';
  const verdict = violations.length > 0 ? 'fail' : incomplete;
  const reasons = orNone(losses.map(({ why }) => why));
  return { title, place, verdict, violations, reasons, notes: orNone(notes) };
}

const NONE: readonly never[] = [];

/** One empty list for all messages: a file may have a million of them. */
function orNone<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? NONE : list;
}

function violationsOf(message: JudgeableMessage, options: ResponseOptions): Violation[] {
  return message.kind === 'request' ? validateRequest(message) : validateResponse(message, options);
}

/** A provider may send the token back, and a client may send it in its body as well. */
function redacted(messages: readonly JudgedMessage[], secrets: readonly string[]): JudgedMessage[] {
  const redactor = createRedactor(secrets.map((value) => ({ value })));
  const titles = new Map<string, string>();
  return messages.map((message) => {
    const title = titles.get(message.title) ?? redactor.message(message.title);
    titles.set(message.title, title);
    const { reasons, violations } = message;
    if (title === message.title && reasons.length + violations.length === 0) return message;
    return {
      ...message,
      title,
      reasons: orNone(reasons.map(redactor.message)),
      violations: orNone(violations.map((violation) => redactedViolation(violation, redactor.message))),
    };
  });
}

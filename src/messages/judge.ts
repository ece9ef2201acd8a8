import { openApiDocument } from '../spec/index.js';
import { validateRequest } from '../validation/request.js';
import { type ResponseOptions, validateResponse } from '../validation/response.js';
import type { Violation } from '../validation/violation.js';
import { type ReadOptions, readMessages } from './read.js';
import {
  concludeMessages,
  fileInWords,
  type JudgedMessage,
  type MessagesReport,
  summaryOf,
} from './report.js';
import { redactorOf } from './secrets.js';
import { nothingToJudge, Source } from './source.js';
import { isAbout, type JudgeableMessage, type StoredMessage } from './stored-message.js';

/** What is judged, and how. */
export interface JudgeOptions extends ReadOptions, ResponseOptions {
  /** The file; `-` is standard input. */
  readonly file: string;
}

/**
 * Judges every message of a kind that some bytes hold, exactly and one by one.
 *
 * @throws ToolkitError `invalid-message` or `no-message` where there is nothing that can be judged
 */
export function judgeMessages(bytes: Uint8Array, options: JudgeOptions): MessagesReport {
  const { file, kind } = options;
  const source = new Source(fileInWords(file), bytes);
  const { messages: stored, secrets, format } = readMessages(source, options);
  const messages = withoutSecrets(
    stored.map((message) => judged(message, options)),
    secrets,
  );
  // A pass has to come from something that was judged.
  if (messages.every(({ verdict }) => verdict === 'not-applicable'))
    throw nothingToJudge(source, `holds no ${kind} to judge: ${reasonsIn(messages)}`);
  return {
    validateVersion: 1,
    interfaceVersion: openApiDocument.info.version,
    ...{ file, kind, format },
    conclusion: concludeMessages(messages),
    summary: summaryOf(messages, kind),
    messages,
  };
}

function judged(stored: StoredMessage, options: ResponseOptions): JudgedMessage {
  const { title, place, message, losses, notes, leftOut, unclear } = stored;
  if (leftOut !== undefined)
    return { title, place, verdict: 'not-applicable', violations: [], reasons: [leftOut], notes };
  if (unclear !== undefined)
    return { title, place, verdict: 'blocked', violations: [], reasons: [unclear], notes };
  const violations = violationsOf(message, options).filter(
    (violation) => !losses.some((loss) => isAbout(loss, violation)),
  );
  const incomplete = losses.length > 0 ? 'blocked' : 'pass';
  const verdict = violations.length > 0 ? 'fail' : incomplete;
  return { title, place, verdict, violations, reasons: losses.map(({ why }) => why), notes };
}

function violationsOf(message: JudgeableMessage, options: ResponseOptions): Violation[] {
  return message.kind === 'request' ? validateRequest(message) : validateResponse(message, options);
}

/** A provider may say the token that it was sent, and a client may send it in its body as well. */
function withoutSecrets(messages: JudgedMessage[], secrets: readonly string[]): JudgedMessage[] {
  const redact = redactorOf(secrets);
  // Only what is written from the message: a token may be a word that a report has of its own.
  return messages.map((message) => ({
    ...message,
    title: redact(message.title),
    reasons: message.reasons.map(redact),
    violations: message.violations.map((violation) => ({
      ...violation,
      pointer: redact(violation.pointer),
      message: redact(violation.message),
      actual: redact(violation.actual),
    })),
  }));
}

function reasonsIn(messages: readonly JudgedMessage[]): string {
  return [...new Set(messages.flatMap(({ reasons }) => reasons))].join('; ');
}

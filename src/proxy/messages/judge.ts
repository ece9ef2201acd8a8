import { createRedactor } from '../../report/redaction.js';
import { judgeResponse } from '../../validation/exchange.js';
import { validateRequest } from '../../validation/request.js';
import type { ResponseOptions } from '../../validation/response.js';
import { redactedViolation } from '../../validation/violation.js';
import { type ReadOptions, readMessages } from './read.js';
import { fileInWords, type JudgedMessage, Listing, reportOf, type ValidateReport } from './report.js';
import { nothingToJudge, Source } from './source.js';
import { isAbout, type StoredMessage } from './stored-message.js';

/** What is judged, and how. */
export interface JudgeOptions extends ReadOptions, ResponseOptions {}

/**
 * Judges every message of a kind that some bytes contain, one by one.
 *
 * @throws ToolkitError `invalid-message` or `no-message` if there is nothing that can be judged
 */
export function judgeMessages(bytes: Uint8Array, options: JudgeOptions): ValidateReport {
  const { file, kind } = options;
  const startedAt = new Date();
  const source = new Source(fileInWords(file), bytes);
  const listing = new Listing();
  const {
    secrets,
    format,
    others = 0,
  } = readMessages(source, options, (message) => listing.add(judged(message, options)));
  const messages = redacted(listing.messages, secrets);
  // Only something that was judged can pass.
  if (messages.every(({ verdict }) => verdict === 'not-applicable')) {
    const reasons = new Set(messages.flatMap((message) => message.reasons));
    throw nothingToJudge(source, `contains no ${kind} to judge: ${[...reasons].join('; ')}`);
  }
  return reportOf(messages, listing, { file, messageKind: kind, format }, others, startedAt);
}

function judged(stored: StoredMessage, options: ResponseOptions): JudgedMessage {
  const { title, place, message, missing, notes, leftOut, unclear, mistake } = stored;
  if (leftOut !== undefined)
    return { title, place, verdict: 'not-applicable', violations: [], reasons: [leftOut], notes };
  if (unclear !== undefined)
    return { title, place, verdict: 'blocked', violations: [], reasons: [unclear], notes };
  const found =
    message.kind === 'request' ? validateRequest(message) : judgeResponse(message, { ...options, mistake });
  const violations = found.filter((violation) => !missing.some((part) => isAbout(part, violation)));
  const incomplete = missing.length > 0 ? 'blocked' : 'pass';
  const verdict = violations.length > 0 ? 'fail' : incomplete;
  return { title, place, verdict, violations, reasons: missing.map(({ why }) => why), notes };
}

/** A provider may send the token back, and a client may send it in its body as well. */
function redacted(messages: readonly JudgedMessage[], secrets: readonly string[]): JudgedMessage[] {
  const redactor = createRedactor(secrets.map((value) => ({ value })));
  return messages.map((message) => ({
    ...message,
    title: redactor.message(message.title),
    reasons: message.reasons.map(redactor.message),
    violations: message.violations.map((violation) => redactedViolation(violation, redactor.message)),
  }));
}

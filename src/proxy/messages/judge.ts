import { isUtf8 } from 'node:buffer';
import { limitInWords, limits } from '../../http/limits.js';
import { Redactor } from '../../report/redaction.js';
import { operation } from '../../spec/operation.js';
import { judgeExchange } from '../../validation/exchange.js';
import type { ResponseOptions } from '../../validation/response.js';
import { redactedViolation } from '../../validation/violation.js';
import { readHar } from './har.js';
import { readRaw } from './raw.js';
import { fileInWords, type JudgedMessage, reportOf, type ValidateReport } from './report.js';
import {
  type BodySchema,
  isAbout,
  type MessageKind,
  type StoredMessage,
  unjudged,
  wholeRequest,
  wholeResponse,
} from './stored-message.js';

/** What is judged, and how. */
export interface JudgeOptions extends ResponseOptions {
  /** The name of the file; `-` is standard input. */
  readonly file: string;
  readonly kind: MessageKind;
  /** Says that the file is a body alone, and names its schema. */
  readonly as?: BodySchema;
}

/**
 * Judges every message of a kind that a file contains: a HAR, one raw message as `curl -i` prints it, or a JSON body.
 *
 * @throws ToolkitError `invalid-message` if there is nothing that can be judged. It is one sentence that says what to do, and
 *   quotes nothing.
 */
export function judgeMessages(bytes: Uint8Array, options: JudgeOptions): ValidateReport {
  const { file, kind } = options;
  const startedAt = new Date();
  const name = fileInWords(file);
  const redactor = new Redactor();
  const messages = Array.from(messagesIn(bytes, name, options), (message) => {
    redactor.see(message.credentials ?? []);
    return redacted(judged(message, options), redactor.message);
  });
  // Only something that was judged can pass.
  if (messages.every(({ verdict }) => verdict === 'not-applicable'))
    throw unjudged(name, `contains no ${kind} to judge: ${messages[0]?.reasons.join()}`);
  return reportOf(messages, { file, messageKind: kind }, startedAt);
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const WHITE_SPACE = Buffer.from(' \t\r\n');
const BEGINNINGS_OF_JSON = Buffer.from('{["');

function messagesIn(
  { buffer, byteOffset, byteLength }: Uint8Array,
  name: string,
  { kind, as }: JudgeOptions,
): Iterable<StoredMessage> {
  const whole = Buffer.from(buffer, byteOffset, byteLength);
  const hasMark = whole.subarray(0, 3).equals(BYTE_ORDER_MARK);
  const bytes = hasMark ? whole.subarray(3) : whole;
  const first = bytes.find((byte) => !WHITE_SPACE.includes(byte));
  if (first === undefined) throw unjudged(name, 'is empty');
  if (as !== undefined) return [bodyAlone(whole, name, as)];
  if (!BEGINNINGS_OF_JSON.includes(first)) return [readRaw(bytes, name, kind)];
  if (!isUtf8(bytes)) throw unjudged(name, 'is JSON, but not in UTF-8');
  return readHar(bytes.toString(), name, kind);
}

const JSON_TYPE = ['content-type', 'application/json'] as const;
const NAMES = { plant: 'a Plant', 'new-plant': 'a NewPlant', error: 'an Error' };

/** A file that is a body and nothing else, byte for byte. Nothing is wrong with the head of its message. */
function bodyAlone(bytes: Buffer, name: string, schema: BodySchema): StoredMessage {
  if (bytes.length > limits.savedBody)
    throw unjudged(name, `is longer than ${limitInWords(limits.savedBody)}`);
  const message =
    schema === 'new-plant'
      ? wholeRequest(operation.method, operation.path, [JSON_TYPE, ['authorization', 'Bearer none']], bytes)
      : wholeResponse(schema === 'plant' ? 200 : 400, [JSON_TYPE], bytes);
  return { title: `the body as ${NAMES[schema]}`, message };
}

function judged(stored: StoredMessage, options: JudgeOptions): JudgedMessage {
  const { title, pointer, message = {}, missing = [], unjudged, mistake } = stored;
  if (unjudged !== undefined)
    return { title, pointer, verdict: unjudged[0], violations: [], reasons: [unjudged[1]] };
  const found = judgeExchange(message, { ...options, mistake });
  const violations = found.violations.filter(
    (violation) => !missing.some((part) => isAbout(part, violation)),
  );
  const reasons = [...missing.map(({ why }) => why), ...found.notes];
  const severities = violations.map(({ severity }) => severity);
  const conforms = severities.includes('warning') ? 'warn' : 'pass';
  const whole = reasons.length > 0 ? 'blocked' : conforms;
  return { title, pointer, verdict: severities.includes('error') ? 'fail' : whole, violations, reasons };
}

/** A provider may send the token back, and a client may send it in its body as well. */
function redacted(message: JudgedMessage, redact: (text: string) => string): JudgedMessage {
  return {
    ...message,
    title: redact(message.title),
    reasons: message.reasons.map(redact),
    violations: message.violations.map((violation) => redactedViolation(violation, redact)),
  };
}

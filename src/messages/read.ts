import { constants } from 'node:buffer';
import { readJson } from '../validation/json.js';
import { JsonNumber } from '../validation/json-number.js';
import { MAX_DEPTH } from '../validation/json-parser.js';
import type { JsonObject, JsonValue } from '../validation/json-value.js';
import { bareBody } from './bare-body.js';
import { harMessages } from './har/entries.js';
import { rawMessages } from './raw/conversation.js';
import { lineAt, startLine } from './raw/head.js';
import { nothingToJudge, type Source, unreadable } from './source.js';
import type { BareBody, MessageFormat, MessageKind, StoredMessages } from './stored-message.js';

/** What is asked for, and what is known of the source. */
export interface ReadOptions {
  readonly kind: MessageKind;
  /** How the messages are stored; without it, their content tells. */
  readonly format?: MessageFormat;
  /** That the source is a body alone, and of which schema. */
  readonly as?: BareBody;
}

/**
 * Reads every message of a kind that a source holds.
 *
 * @returns the messages, at least one, and the format that they were stored in
 * @throws ToolkitError `invalid-message` where something cannot be read, and `no-message` where there is none: in one
 *   sentence that says where, and quotes nothing
 */
export function readMessages(
  source: Source,
  { kind, format, as }: ReadOptions,
): StoredMessages & { readonly format: MessageFormat } {
  refuseLonger(source);
  if (isBlank(source)) throw nothingToJudge(source, 'is empty');
  if (as !== undefined) {
    if (format === undefined) refuseWhole(source);
    return { format: 'json', ...bareBody(source, as) };
  }
  refuseForeign(source);
  if (format === 'har' || (format === undefined && isJson(source)))
    return { format: 'har', ...harMessages(source, kind, harOf(source)) };
  return { format: 'raw', ...rawMessages(source, kind) };
}

/** What is longer than a text of JavaScript can be would break off wherever it becomes one. */
function refuseLonger(source: Source): void {
  const { MAX_STRING_LENGTH: longest } = constants;
  if (source.bytes.length > longest)
    throw nothingToJudge(source, `is longer than ${longest} bytes, which is the most that can be read`);
}

function isBlank({ bytes, start }: Source): boolean {
  return bytes.subarray(start).every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

/** The first line that is not blank, by which a source is told. */
function firstLine(source: Source): string {
  let at = source.start;
  while (isBlankByte(source.bytes[at])) at++;
  return lineAt(source, at).text;
}

function isBlankByte(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);
}

function isJson(source: Source): boolean {
  return /^[{[]/.test(firstLine(source)) || readJson(source.bytes.subarray(source.start)).ok;
}

/** What was meant as a body, and holds more than that. */
function refuseWhole(source: Source): void {
  if (startLine(firstLine(source)) !== undefined)
    throw nothingToJudge(source, 'holds a whole HTTP message, and --as is for a bare body');
  const read = readJson(source.bytes.subarray(source.start));
  if (read.ok && isHar(read.value)) throw nothingToJudge(source, 'is a HAR, and --as is for a bare body');
}

/** Two kinds of text that are near enough to HTTP to be taken for it. */
function refuseForeign(source: Source): void {
  const { bytes } = source;
  const mark = bytes.toString('latin1', 0, 2);
  if (mark === '\u00ff\u00fe' || mark === '\u00fe\u00ff')
    throw unreadable(
      source,
      0,
      'it is UTF-16, as PowerShell writes with ">"; let the tool write the file itself',
    );
  if (/^(?:[*<>] |[{}] \[)/.test(firstLine(source)))
    throw unreadable(source, 0, 'it is what curl -v tells of a message, and not the message: use curl -i');
}

function harOf(source: Source): JsonValue {
  const { bytes, start } = source;
  const read = readJson(bytes.subarray(start));
  if (!read.ok) throw unreadable(source, start + read.offset, notRead(read.message));
  if (isHar(read.value)) return read.value;
  throw nothingToJudge(
    source,
    'is JSON and no HAR, which has /log/entries; of a bare body, say what it is: --as plant, new-plant or error',
  );
}

/** Why a HAR was not read. It may be JSON all the same. */
function notRead(problem: string): string {
  const isDeep = problem.includes(`deeper than ${MAX_DEPTH} levels`);
  return isDeep ? `it is nested too deeply: ${problem}` : `it is not JSON: ${problem}`;
}

function isHar(value: JsonValue): boolean {
  return isObject(value) && isObject(value.log);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
  );
}

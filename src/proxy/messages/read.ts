import { limitInWords, limits } from '../../http/limits.js';
import { readJson } from '../../validation/json.js';
import { isObject, type JsonValue } from '../../validation/json-value.js';
import { filesBeside, readHar } from './har.js';
import { readRaw } from './raw.js';
import { lineAt, startLine } from './raw-head.js';
import { nothingToJudge, type Source, unreadable } from './source.js';
import type {
  BodySchema,
  JudgeableMessage,
  MessageFormat,
  MessageKind,
  StoredMessage,
} from './stored-message.js';

/** What to read, and how. */
export interface ReadOptions {
  /** The file; `-` is standard input. */
  readonly file: string;
  readonly kind: MessageKind;
  /** How the messages are stored. Default: as their content shows. */
  readonly format?: MessageFormat;
  /** Says that the source is a body alone, and names its schema. */
  readonly as?: BodySchema;
}

/** What a source is. */
interface Contents {
  readonly format: MessageFormat;
  /** The secrets in its messages. */
  readonly secrets: readonly string[];
  /** How many entries of a HAR are about other requests, and so were not judged. */
  readonly others?: number;
}

/**
 * Reads every message of a kind that a source contains.
 *
 * @param take is given each message as it is read, at least one; all at once may take much memory
 * @throws ToolkitError `invalid-message` if something cannot be read, `no-message` if there is no message. The error is
 *   one sentence that says where, and quotes nothing.
 */
export function readMessages(
  source: Source,
  { file, kind, format, as }: ReadOptions,
  take: (message: StoredMessage) => void,
): Contents {
  if (source.bytes.subarray(source.start).every(isBlank)) throw nothingToJudge(source, 'is empty');
  if (as !== undefined) {
    if (source.bytes.length > limits.savedBody)
      throw nothingToJudge(source, `is longer than ${limitInWords(limits.savedBody)}`);
    if (format === undefined) rejectWholeMessages(source);
    take(bodyAlone(source, as));
    return { format: 'json', secrets: [] };
  }
  rejectForeign(source);
  if (format === 'har' || (format === undefined && isJson(source)))
    return { format: 'har', ...readHar(source, kind, filesBeside(file), take) };
  return { format: 'raw', secrets: readRaw(source, kind, take) };
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/** So much of a line shows what it is. */
const LONGEST_START = 8_192;

/** The first line that is not blank. It shows the format. */
function firstLine(source: Source): string {
  const { bytes, start } = source;
  let at = start;
  while (at < bytes.length && isBlank(bytes[at] as number)) at++;
  return lineAt(source, at, LONGEST_START).text;
}

function isJson(source: Source): boolean {
  if (/^[{[]/.test(firstLine(source))) return true;
  const { bytes, start } = source;
  return bytes.length <= limits.body && readJson(bytes.subarray(start)).ok;
}

function rejectWholeMessages(source: Source): void {
  if (startLine(firstLine(source)) !== undefined)
    throw nothingToJudge(source, 'contains a whole HTTP message, but --as is for a body alone');
  const read = readJson(source.bytes.subarray(source.start));
  if (read.ok && isHar(read.value))
    throw nothingToJudge(source, 'is a HAR file, but --as is for a body alone');
}

/** What the beginning of other files looks like, and what to do instead. */
const FOREIGN: readonly (readonly [beginning: RegExp, why: string])[] = [
  [
    /^(?:\u00ff\u00fe|\u00fe\u00ff)/,
    'the file is UTF-16, as ">" in PowerShell writes it; let the tool write the file itself (curl -o)',
  ],
  [/^PK[^ -~]/, 'it is a zip file; unzip it, and give the .har file that is in it'],
  [
    /^(?:\d\d:[\d:.]+ )?(?:\[[\dx-]+\] )?(?:[*<>] |[{}] \[|== Info: |=> Send |<= Recv )/,
    'it is the output of curl -v or --trace; use curl -i, which prints the message itself',
  ],
  [
    /^\d+:\d+:\w+;\d+:/,
    'it is a file of mitmproxy; turn it into a HAR file: mitmdump -nr <file> --set hardump=saved.har',
  ],
  [
    /^(?:\[\d\d:[\d:.]+\]|\S+:\d+: (?:client|[A-Z]+ https?:))/,
    'it is the output of mitmdump; let it write a HAR file: mitmdump --set hardump=saved.har',
  ],
];

function rejectForeign(source: Source): void {
  const line = firstLine(source);
  const found = FOREIGN.find(([beginning]) => beginning.test(line));
  if (found !== undefined) throw unreadable(source, 0, found[1]);
}

function isHar(value: JsonValue): boolean {
  return isObject(value) && isObject(value.log);
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** The message around a body alone. Nothing is wrong with its head. */
const HEADS = {
  plant: { kind: 'response', status: 200, headers: JSON_TYPE },
  'new-plant': { kind: 'request', headers: { ...JSON_TYPE, authorization: 'Bearer none' } },
  error: { kind: 'response', status: 400, headers: JSON_TYPE },
} as const satisfies Record<BodySchema, JudgeableMessage>;

const TITLES: Readonly<Record<BodySchema, string>> = {
  plant: 'the body as a Plant',
  error: 'the body as an Error',
  'new-plant': 'the body as a NewPlant',
};

/** The schemas of a body alone. */
export const bodySchemas = Object.keys(HEADS) as BodySchema[];

/** Which kind of message has a body of a schema. */
export function kindOf(schema: BodySchema): MessageKind {
  return HEADS[schema].kind;
}

/** A source that is a body and nothing else, byte for byte. */
function bodyAlone({ bytes }: Source, schema: BodySchema): StoredMessage {
  const message = { ...HEADS[schema], body: bytes };
  return { title: TITLES[schema], place: {}, message, missing: [], notes: [] };
}

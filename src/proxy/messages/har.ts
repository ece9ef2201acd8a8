import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Fields, headerValues, secretsOf } from '../../http/fields.js';
import { limitInWords, limits } from '../../http/limits.js';
import { isOperation } from '../../spec/operation.js';
import { parseBearer } from '../../validation/header-values.js';
import { parseExactly } from '../../validation/json-parser.js';
import { isObject, type JsonObject, type JsonValue, pointerTo } from '../../validation/json-value.js';
import { describe } from '../../validation/violation.js';
import { nothingToJudge, type Source, unreadable } from './source.js';
import {
  codingsIn,
  contentOf,
  type MessageKind,
  type MissingPart,
  type StoredBody,
  type StoredMessage,
  shownUrl,
  storedMistake,
} from './stored-message.js';

/**
 * Reads the requests or the responses of every `POST …/plants` in a HAR. Of other entries, only the method and the URL
 * are read.
 *
 * @param attached reads the files with bodies
 * @param take is given each message as it is read
 * @returns the secrets in them, and how many entries there are of other requests
 * @throws ToolkitError `invalid-message` if it cannot be read, `no-message` if there is no such entry
 */
export function readHar(
  source: Source,
  kind: MessageKind,
  attached: ReadAttached,
  take: (message: StoredMessage) => void,
): { readonly secrets: readonly string[]; readonly others: number } {
  const isSanitized = kind === 'request' && isSanitizedByChrome(source);
  const secrets = new Set<string>();
  let [entries, creations, keepsTokens] = [0, 0, false];
  readLog(source, (entry) => {
    entries++;
    const request = entry.member('request');
    const url = request.member('url').text();
    if (!isOperation(request.member('method').text(), url)) return;
    creations++;
    const fields = anyFields(request);
    for (const secret of secretsOf(fields)) secrets.add(secret);
    take(
      kind === 'response'
        ? responseOf(entry, url, attached, keepsTokens)
        : requestOf(entry, url, attached, isSanitized),
    );
    keepsTokens ||= headerValues(fields, 'authorization').length > 0;
  });
  if (creations === 0) throw nothingToJudge(source, noCreationIn(entries));
  return { secrets: [...secrets], others: entries - creations };
}

function noCreationIn(entries: number): string {
  if (entries === 0) return 'is a HAR file without entries';
  return `is a HAR file with ${entries === 1 ? '1 entry' : `${entries} entries`}, but none is a POST …/plants`;
}

/** The headers that Chrome leaves out of a HAR by default. The HAR does not say so. */
const SENSITIVE = new Set(['authorization', 'cookie', 'set-cookie']);

/** Whether Chrome may have left out headers: its name may come after the entries. */
function isSanitizedByChrome(source: Source): boolean {
  let hasSensitiveFields = false;
  const log = readLog(source, (entry) => {
    hasSensitiveFields ||= ['request', 'response'].some((side) =>
      anyFields(entry.member(side)).some(([name]) => SENSITIVE.has(name.toLowerCase())),
    );
  });
  return isFromChrome(log) && !hasSensitiveFields;
}

function isFromChrome(log: HarNode): boolean {
  try {
    return log.member('creator').member('name').optionalText() === 'WebInspector';
  } catch {
    return false;
  }
}

/** @param isSanitized whether Chrome may have left out headers */
function requestOf(entry: HarNode, url: string, attached: ReadAttached, isSanitized: boolean): StoredMessage {
  const request = entry.member('request');
  const headers = fieldsOf(request);
  const { body, missing } = requestBody(request, headers, attached);
  return {
    title: `POST ${shownUrl(url)}`,
    place: { pointer: request.pointer },
    message: { kind: 'request', method: 'POST', url, headers, body },
    missing: [...missing, ...missingAuthorization(headers, isSanitized)],
    notes: [],
  };
}

/** What tools write instead of a token. */
const PLACEHOLDER = /redact|sanitis|sanitiz|removed|hidden|filtered|scrubbed|\*{3}|…|•|\$[A-Z_]{4}/i;

function missingAuthorization(headers: Fields, isSanitized: boolean): MissingPart[] {
  const values = headerValues(headers, 'authorization');
  const part = (why: string): MissingPart[] => [{ part: 'header', pointer: '/authorization', why }];
  if (isSanitized && values.length === 0)
    return part('Chrome leaves the Authorization header out, unless it exports "with sensitive data"');
  const isReplaced = values.some((value) => PLACEHOLDER.test(value) && !parseBearer(value.trim()).ok);
  return isReplaced ? part('the HAR file has a placeholder for the value of Authorization') : [];
}

/** @param keepsTokens whether there is a token in a request before it */
function responseOf(
  entry: HarNode,
  url: string,
  attached: ReadAttached,
  keepsTokens: boolean,
): StoredMessage {
  const response = entry.member('response');
  const status = response.member('status').number();
  const place = { pointer: response.pointer };
  // Browsers write 0 if the request was aborted, blocked by CORS, or never got a response.
  if (status <= 0) {
    const message = { kind: 'response', status, headers: [] } as const;
    const title = `no response to POST ${shownUrl(url)}`;
    return { title, place, message, missing: [], notes: [], leftOut: 'there is no response' };
  }
  const headers = fieldsOf(response);
  const { body, missing } = responseBody(response, headers, attached);
  const message = { kind: 'response', status, headers, body } as const;
  // Only a success accepts a request. To read it takes time.
  const mistake = status < 300 ? mistakeBefore(entry, attached, keepsTokens) : undefined;
  return { title: `${status} to POST ${shownUrl(url)}`, place, message, missing, notes: [], mistake };
}

/** Why the request of a response must be rejected; nothing if it cannot be read, since only the response is judged. */
function mistakeBefore(
  entry: HarNode,
  attached: ReadAttached,
  keepsTokens: boolean,
): StoredMessage['mistake'] {
  try {
    const request = entry.member('request');
    const headers = fieldsOf(request);
    const { body, missing } = requestBody(request, headers, attached);
    return storedMistake({ headers, body }, missing, keepsTokens);
  } catch {
    return undefined;
  }
}

/** The header fields of a message. Browsers write several fields of one name as lines of one value. */
function fieldsOf(message: HarNode): Fields {
  return message
    .member('headers')
    .elements()
    .flatMap((field) => {
      const name = field.member('name').text();
      const lines = field.member('value').text().split('\n');
      return lines.map((value) => [name, value] as const);
    });
}

/** The header fields of a message; none if they are malformed. */
function anyFields(message: HarNode): Fields {
  try {
    return fieldsOf(message);
  } catch {
    return [];
  }
}

/** The body of a request: `postData`, which is missing if nothing was posted. */
function requestBody(request: HarNode, headers: Fields, attached: ReadAttached): StoredBody {
  const postData = request.member('postData');
  const stored = storedIn(postData, attached);
  // Some tools count the header fields in `bodySize`.
  if (stored !== undefined) return decoded(stored, headers, Number(announcedLength(headers) ?? -1));
  const params = postData.member('params');
  if (params.isThere && params.elements().length > 0)
    return lost('its body is in the HAR file as form fields only');
  const size = request.member('bodySize').size();
  const isChunked = headerValues(headers, 'transfer-encoding').length > 0;
  const isNothingPosted = !postData.isThere || postData.member('text').isThere;
  return !isChunked && isEmpty(size, headers, isNothingPosted) ? EMPTY : lost(NOT_KEPT);
}

/** The body of a response: `content`, of which a browser may have kept only the size. */
function responseBody(response: HarNode, headers: Fields, attached: ReadAttached): StoredBody {
  const content = response.member('content');
  const size = content.member('size').size();
  const stored = storedIn(content, attached);
  if (stored !== undefined) {
    const body = decoded(stored, headers, size);
    return stored.isText && !isUtf8(body, headers) ? lost(DECODED) : body;
  }
  const sent = size < 0 ? response.member('bodySize').size() : size;
  return isEmpty(sent, headers, false) ? EMPTY : lost(NOT_KEPT);
}

const EMPTY: StoredBody = { body: Buffer.alloc(0), missing: [] };
const NOT_KEPT = 'its body is not in the HAR file';
const DECODED = 'its body is in the HAR file as text, decoded from a charset other than UTF-8';

function lost(why: string): StoredBody {
  return { body: EMPTY.body, missing: [{ part: 'body', why }] };
}

/** Whether the bytes of a text are those that were sent: it was decoded by the charset that the header names. */
function isUtf8({ body }: StoredBody, headers: Fields): boolean {
  const [, charset] = /;\s*charset="?([^\s;"]+)/i.exec(headerValues(headers, 'content-type').join()) ?? [];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return true;
  return !/^(?:utf|ucs)/i.test(charset) && body.every((byte) => byte < 0x80);
}

/** The length of an empty body in gzip. */
const GZIPPED_NOTHING = 20;

/**
 * Whether a missing body was empty. Chrome also writes the size 0 for a Blob that was posted, and for a response that no
 * script read, so the header must agree. If the size is -1, only the header shows it.
 */
function isEmpty(size: number, headers: Fields, otherwise: boolean): boolean {
  const length = announcedLength(headers);
  if (length === undefined) return size < 0 ? otherwise : size === 0;
  const isEncoded = codingsIn(headers).length > 0;
  return size <= 0 && Number(length) <= (isEncoded && size === 0 ? GZIPPED_NOTHING : 0);
}

function announcedLength(headers: Fields): string | undefined {
  return headerValues(headers, 'content-length')[0];
}

/** What a HAR has of a body. */
interface Stored {
  /** Its bytes, or why they are not there. */
  readonly kept: Uint8Array | string;
  /** Whether a tool decoded it, and wrote it as a text. */
  readonly isText: boolean;
}

/** The body in `text`, or in the file that `_file` names: Playwright attaches it so. */
function storedIn(holder: HarNode, attached: ReadAttached): Stored | undefined {
  const text = holder.member('text').optionalText() ?? '';
  if (text !== '')
    return isInBase64(holder)
      ? { kept: fromBase64(text, holder), isText: false }
      : { kept: Buffer.from(text), isText: true };
  const file = holder.member('_file').optionalText();
  return file === undefined ? undefined : { kept: attached(file), isText: false };
}

/**
 * A body, decoded whatever Content-Encoding, Content-Length and Transfer-Encoding say. In base64, some tools
 * keep the bytes as they were sent.
 *
 * @param size its length, encoded or not, if known
 */
function decoded({ kept, isText }: Stored, headers: Fields, size: number): StoredBody {
  if (typeof kept === 'string') return lost(kept);
  const codings = codingsIn(headers);
  const content = contentOf(kept, isText ? [] : codings, false);
  if ('lost' in content) return lost(content.lost);
  const longest = Math.max(kept.length, content.body.length) + (codings.length > 0 ? LONGEST_OVERHEAD : 0);
  if (size > longest) return lost(`the HAR file has ${content.body.length} of the ${size} bytes of its body`);
  return { body: content.body, missing: [] };
}

/** An encoded body may be longer by so many bytes; some tools write the size of the encoded body. */
const LONGEST_OVERHEAD = 64;

function isInBase64(holder: HarNode): boolean {
  const encoding = holder.member('encoding').optionalText() ?? '';
  if (/^(?:utf-?8)?$/i.test(encoding)) return false;
  if (encoding.toLowerCase() === 'base64') return true;
  throw holder.member('encoding').unreadable('the only encoding in a HAR is "base64"');
}

/** RFC 4648, section 4. Some encoders add line breaks. */
function fromBase64(text: string, holder: HarNode): Buffer {
  const digits = text.replace(/[\r\n]/g, '');
  // An expression that repeats a group of four overflows the stack after some megabytes.
  if (digits.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(digits.replace(/={1,2}$/, '')))
    throw holder.member('text').unreadable('it is not base64, which its encoding promises');
  return Buffer.from(digits, 'base64');
}

/** Gives the bytes of a file beside a HAR, or a sentence that says why they are not there. */
type ReadAttached = (name: string) => Uint8Array | string;

/** Playwright names a file by the hash of its content. A path might lead to any file of the user. */
const NAME = /^\w[\w.-]{0,99}$/;

/**
 * Reads bodies that Playwright attaches to a HAR as files. All of them together may be as long as a HAR.
 *
 * @param har the HAR file; `-` is standard input, and has no file beside it
 */
export function filesBeside(har: string): ReadAttached {
  let left: number = limits.messages;
  return (name) => {
    if (!NAME.test(name)) return 'its body is in a file that is not beside the HAR file';
    if (har === '-') return `its body is in ${name}; name the HAR file beside it`;
    try {
      const path = join(dirname(har), name);
      const file = lstatSync(path);
      // A link might lead to any file as well.
      if (!file.isFile()) return `its body is in ${name}, which is not a regular file`;
      if (file.size > limits.savedBody)
        return `its body is in ${name}, which is larger than ${limitInWords(limits.savedBody)}`;
      left -= file.size;
      if (left < 0) return `the files with bodies are larger than ${limitInWords(limits.messages)} together`;
      return readFileSync(path);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      return `its body is in ${name}, which ${code === 'ENOENT' ? 'is not beside the HAR file' : 'cannot be read'}`;
    }
  };
}

/** A value in a HAR and its place. Reading it as another type throws an error that names the place. */
class HarNode {
  /**
   * @param above where it is; left out for the document
   * @param key its name or its index there
   */
  constructor(
    private readonly source: Source,
    private readonly value: JsonValue | undefined,
    private readonly above?: { readonly pointer: string },
    private readonly key: string | number = '',
  ) {}

  /** Only made when it is asked for: there are millions of values. */
  get pointer(): string {
    return this.above === undefined ? '' : this.above.pointer + pointerTo([this.key]);
  }

  /** Whether there is a value. Tools write `null` for what they do not know. */
  get isThere(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  /** A member of an object; a missing value has no members. */
  member(name: string): HarNode {
    const object: JsonObject = this.isThere ? this.object() : {};
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    return new HarNode(this.source, value, this, name);
  }

  elements(): HarNode[] {
    if (!Array.isArray(this.value)) throw this.wrong('an array');
    return this.value.map((value, at) => new HarNode(this.source, value, this, at));
  }

  text(): string {
    if (typeof this.value !== 'string') throw this.wrong('a string');
    return this.value;
  }

  number(): number {
    if (typeof this.value !== 'number') throw this.wrong('a number');
    return this.value;
  }

  /** The text, or `undefined` if there is none. */
  optionalText(): string | undefined {
    return this.isThere ? this.text() : undefined;
  }

  /** The number; -1, as in HAR, if it is not known. */
  size(): number {
    return typeof this.value === 'number' ? this.value : -1;
  }

  /** The error for a value that is wrong. */
  unreadable(why: string): Error {
    return unreadable(this.source, this.pointer, why);
  }

  private object(): JsonObject {
    if (!isObject(this.value)) throw this.wrong('an object');
    return this.value;
  }

  private wrong(expected: string): Error {
    // The value itself may be a token.
    const found = typeof this.value === 'string' ? 'a string' : describe(this.value);
    return this.unreadable(this.isThere ? `expected ${expected}, got ${found}` : `${expected} is missing`);
  }
}

/** Values may take 20 times the memory of their text. No entry that a tool wrote has so many. */
const MOST_VALUES = 1_000_000;

const NO_HAR =
  'is JSON but not a HAR file, which has /log/entries; for a body alone, name its schema: --as plant, new-plant or error';

/**
 * Reads a HAR (versions 1.1 and 1.2).
 *
 * @param take is given each entry as it is read
 * @returns its log, without its entries
 * @throws ToolkitError `invalid-message` if it is not JSON, `no-message` if it is not a HAR
 * @public The fuzzer compares what it reads with `JSON.parse`.
 */
export function readLog(source: Source, take: (entry: HarNode) => void): HarNode {
  const { bytes, start } = source;
  const above = { pointer: '/log/entries' };
  const read = parseExactly(bytes.subarray(start), {
    path: ['log', 'entries'],
    mostValues: MOST_VALUES,
    take: (element, index) => take(new HarNode(source, element, above, index)),
  });
  if (!read.ok) throw unreadable(source, start + read.offset, problemIn(read.message));
  if (!isObject(read.value) || !isObject(read.value.log)) throw nothingToJudge(source, NO_HAR);
  // Of duplicate keys, the last one counts. Here the entries of all are taken.
  const twice = read.duplicateKeys.find((key) => key === '/log' || key === '/log/entries');
  if (twice !== undefined) throw unreadable(source, twice, 'it occurs twice');
  const log = new HarNode(source, read.value).member('log');
  log.member('entries').elements();
  return log;
}

/** JSON that nests too deeply or has too many values is JSON. */
function problemIn(message: string): string {
  return message.startsWith('the JSON text ') ? message : `it is not JSON: ${message}`;
}

import { type Fields, withoutOuterSpace } from '../../http/fields.js';
import { type Source, unreadable } from './source.js';

/** The start line and the header fields of a raw message. */
export interface Head {
  readonly start: StartLine;
  readonly fields: Fields;
  /** The byte where it begins, and the byte after its empty line. */
  readonly from: number;
  readonly to: number;
}

/** RFC 9112, sections 3 and 4; for HTTP/2 and HTTP/3 as curl prints them. */
export type StartLine =
  | { readonly kind: 'request'; readonly version: string; readonly method: string; readonly target: string }
  | { readonly kind: 'response'; readonly version: string; readonly status: number; readonly reason: string };

export type RequestLine = Extract<StartLine, { kind: 'request' }>;

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const VERSION = 'HTTP/(?:1\\.[01]|[23](?:\\.0)?)';
/** RFC 9112, section 3.2, and bytes beyond ASCII, which some servers accept. */
const VISIBLE = '[\\x21-\\x7e\\x80-\\xff]';
const TARGET = `(?:\\*|/${VISIBLE}*|[A-Za-z][A-Za-z0-9+.-]*://${VISIBLE}+|${VISIBLE}+:\\d+)`;
const REQUEST_LINE = new RegExp(`^(${TOKEN}) (${TARGET}) (${VERSION})$`);
const STATUS_LINE = new RegExp(`^(${VERSION}) ([1-9]\\d\\d)(?: ([\\t\\x20-\\x7e\\x80-\\xff]*))?$`);
const FIELD_NAME = new RegExp(`^${TOKEN}$`);
const NAME_AND_SPACE = new RegExp(`^${TOKEN}[ \\t]+$`);

/** The characters that no field value contains (RFC 9110, section 5.5). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/;

/** One line of a head, without its end. */
interface Line {
  /** Latin-1: each byte is a character. */
  readonly text: string;
  readonly next: number;
  /** Whether the line has an end. */
  readonly complete: boolean;
}

/**
 * The line that begins at a byte. It ends with CRLF, or with LF alone if an editor changed it.
 *
 * @param longest where a long line is cut, in bytes
 */
export function lineAt(source: Source, from: number, longest = Number.POSITIVE_INFINITY): Line {
  const bytes = source.bytes.subarray(0, from + longest);
  const lineFeed = bytes.indexOf(0x0a, from);
  if (lineFeed === -1) return { text: bytes.toString('latin1', from), next: bytes.length, complete: false };
  const end = lineFeed > from && bytes[lineFeed - 1] === 0x0d ? lineFeed - 1 : lineFeed;
  return { text: bytes.toString('latin1', from, end), next: lineFeed + 1, complete: true };
}

/** Reads a line as a start line; `undefined` if it is none. */
export function startLine(line: string): StartLine | undefined {
  const request = REQUEST_LINE.exec(line);
  if (request !== null) {
    const [, method = '', target = '', version = ''] = request;
    return { kind: 'request', version, method, target };
  }
  const response = STATUS_LINE.exec(line);
  if (response === null) return undefined;
  const [, version = '', status, reason = ''] = response;
  return { kind: 'response', version, status: Number(status), reason };
}

/** The start line at a byte; `undefined` if there is none. */
export function startLineAt(source: Source, from: number): StartLine | undefined {
  return startLine(lineAt(source, from).text);
}

/**
 * Reads the head of a message. Node's parser cannot do it: it does not say where it failed, and it rejects `HTTP/2 200`
 * and lines that end with LF alone.
 *
 * @throws ToolkitError `invalid-message` if there is none
 */
export function readHead(source: Source, from: number): Head {
  const { text, next } = lineAt(source, from);
  const start = startLine(text);
  if (start === undefined)
    throw unreadable(
      source,
      from,
      'a message begins with a line such as "POST /plants HTTP/1.1" or "HTTP/1.1 200 OK"',
    );
  return { start, from, ...readFields(source, next) };
}

/** Reads header or trailer fields, and the empty line after them. */
export function readFields(source: Source, from: number): { readonly fields: Fields; readonly to: number } {
  const fields: [name: string, value: string][] = [];
  let at = from;
  for (;;) {
    const { text, next, complete } = lineAt(source, at);
    if (!complete)
      throw unreadable(source, source.bytes.length, 'it ends before the empty line that ends the header');
    if (text === '') return { fields, to: next };
    const last = fields.at(-1);
    if (CONTROL.test(text)) throw unreadable(source, at, 'the header line contains a control character');
    if (/^[ \t]/.test(text)) {
      if (last === undefined) throw unreadable(source, at, 'the first header line begins with white space');
      // RFC 9112, section 5.2: a value that goes on in the next line.
      const more = withoutOuterSpace(text);
      last[1] += last[1] === '' || more === '' ? more : ` ${more}`;
    } else fields.push(fieldFrom(text, source, at));
    at = next;
  }
}

function fieldFrom(line: string, source: Source, at: number): [name: string, value: string] {
  const colon = line.indexOf(':');
  if (colon === -1) throw unreadable(source, at, 'the header line has no colon');
  const name = line.slice(0, colon);
  if (NAME_AND_SPACE.test(name))
    throw unreadable(source, at, 'there is white space between the header name and its colon');
  if (!FIELD_NAME.test(name)) throw unreadable(source, at, 'the text before the colon is not a header name');
  return [name, withoutOuterSpace(line.slice(colon + 1))];
}

/** Where the next message begins, or where the source ends; `undefined` if something else follows. */
export function nextMessage(source: Source, from: number): number | undefined {
  for (let at = from; ; ) {
    while (isSpace(source.bytes[at])) at++;
    if (at === source.bytes.length || startLineAt(source, at) !== undefined) return at;
    const { text, next } = lineAt(source, at);
    if (!TIMING.test(text)) return undefined;
    at = next;
  }
}

/** The line that HTTPie prints after a response with `--meta`. */
const TIMING = /^Elapsed time: [\d.e-]{1,20}s$/;

function isSpace(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d || byte === 0x20 || byte === 0x09;
}

const NEXT_REQUEST = /^[A-Z]+ \S+ HTTP\/(?:1\.[01]|[23](?:\.0)?)$/;
const NEXT_STATUS = /HTTP\/(?:1\.[01]|[23](?:\.0)?) [1-9]\d\d(?= |$)/;
/** A field name and its colon, or an empty line. */
const HEAD_GOES_ON = /[\w!#$%&'*+.^`|~-]+:|\r?\n/y;

/**
 * Where the first message begins after a body of unknown length, or where the source ends. A status line counts
 * anywhere in a line, if a header line or an empty line follows it: curl appends to a file without a line break. A JSON
 * string cannot contain a line break, so no JSON body is cut here. A request line must begin a line.
 */
export function startOfNext({ bytes, latin1 }: Source, from: number): number {
  // Line by line: one expression for the whole text would try a long line again from each of its bytes.
  let lineFeed: number;
  for (let at = from; ; at = lineFeed + 1) {
    lineFeed = bytes.indexOf(0x0a, at);
    if (lineFeed === -1) return bytes.length;
    const line = latin1.slice(at, bytes[lineFeed - 1] === 0x0d ? lineFeed - 1 : lineFeed);
    if (NEXT_REQUEST.test(line) || TIMING.test(line)) return at;
    HEAD_GOES_ON.lastIndex = lineFeed + 1;
    if (!HEAD_GOES_ON.test(latin1)) continue;
    // A reason phrase cannot contain CR.
    const afterReturn = line.lastIndexOf('\r') + 1;
    const found = line.slice(afterReturn).search(NEXT_STATUS);
    if (found !== -1) return at + afterReturn + found;
  }
}

import type { Fields } from '../../conformance/exchange.js';
import { type Source, unreadable } from '../source.js';

/** The start line and the header fields of a raw message. */
export interface Head {
  readonly start: StartLine;
  readonly fields: Fields;
  /** Where it begins, and where what follows its empty line does. */
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
const REQUEST_LINE = new RegExp(`^(${TOKEN}) (\\S+) (${VERSION})$`);
const STATUS_LINE = new RegExp(`^(${VERSION}) ([1-9]\\d\\d)(?: (.*))?$`);
const FIELD_NAME = new RegExp(`^${TOKEN}$`);
const NAME_AND_SPACE = new RegExp(`^${TOKEN}[ \\t]+$`);

/** What stands in no field value (RFC 9110, section 5.5). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/;

/** One line of a head, without its end. */
interface Line {
  /** Latin-1: each byte is a character. */
  readonly text: string;
  readonly next: number;
  /** Whether it has an end at all. */
  readonly complete: boolean;
}

/** The line that begins at a byte; it ends with CRLF or with LF alone, as what passed through an editor does. */
export function lineAt({ bytes }: Source, from: number): Line {
  const lineFeed = bytes.indexOf(0x0a, from);
  const complete = lineFeed !== -1;
  const end = complete ? lineFeed : bytes.length;
  const withoutReturn = complete && end > from && bytes[end - 1] === 0x0d ? end - 1 : end;
  return {
    text: bytes.toString('latin1', from, withoutReturn),
    next: complete ? end + 1 : end,
    complete,
  };
}

/** Reads a line as a start line; `undefined` where it is none. */
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

/** The start line at a byte; `undefined` where there is none. */
export function startLineAt(source: Source, from: number): StartLine | undefined {
  return startLine(lineAt(source, from).text);
}

/**
 * Reads the head of a message. By hand and not with the parser of Node: that keeps neither where it gave up nor
 * what followed, takes no `HTTP/2 200` and no line that ends with LF, and knows one direction at a time.
 *
 * @throws ToolkitError `invalid-message` where there is none
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
  const { fields, to } = readFields(source, next);
  return { start, fields, from, to };
}

/** Reads header or trailer fields, and the empty line behind them. */
export function readFields(source: Source, from: number): { readonly fields: Fields; readonly to: number } {
  const fields: [name: string, value: string][] = [];
  let at = from;
  for (;;) {
    const { text, next, complete } = lineAt(source, at);
    if (!complete)
      throw unreadable(source, source.bytes.length, 'it ends before the empty line that ends the header');
    if (text === '') return { fields, to: next };
    const last = fields.at(-1);
    if (CONTROL.test(text)) throw unreadable(source, at, 'a control character stands in the header line');
    if (/^[ \t]/.test(text)) {
      if (last === undefined) throw unreadable(source, at, 'white space stands before the first header line');
      // RFC 9112, section 5.2: a value that goes on in the next line.
      last[1] += last[1] === '' ? trimmed(text) : ` ${trimmed(text)}`;
    } else fields.push(fieldFrom(text, source, at));
    at = next;
  }
}

function fieldFrom(line: string, source: Source, at: number): [name: string, value: string] {
  const colon = line.indexOf(':');
  if (colon === -1) throw unreadable(source, at, 'the header line has no colon');
  const name = line.slice(0, colon);
  if (NAME_AND_SPACE.test(name))
    throw unreadable(source, at, 'white space stands between the name of the header and its colon');
  if (!FIELD_NAME.test(name)) throw unreadable(source, at, 'what stands before the colon names no header');
  return [name, trimmed(line.slice(colon + 1))];
}

/** Without spaces and tabs around it; `trim` would take what belongs to the value as well. */
function trimmed(text: string): string {
  return text.replace(/^[ \t]+/, '').replace(/(?<![ \t])[ \t]+$/, '');
}

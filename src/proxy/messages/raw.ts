import { type Fields, headerValues, withoutOuterSpace } from '../../http/fields.js';
import { limitInWords } from '../../http/limits.js';
import { LONGEST_HEAD } from '../../http/route.js';
import {
  isText,
  type MessageKind,
  type StoredMessage,
  shownUrl,
  unjudged,
  wholeRequest,
  wholeResponse,
  withoutCodings,
} from './stored-message.js';

/** The start line and the header fields of a message. */
interface Head {
  readonly start: StartLine;
  readonly fields: Fields;
  /** The byte after its empty line. */
  readonly to: number;
}

/** RFC 9112, sections 3 and 4; for HTTP/2 and HTTP/3 as curl prints them. */
type StartLine =
  | { readonly kind: 'request'; readonly version: string; readonly method: string; readonly target: string }
  | { readonly kind: 'response'; readonly version: string; readonly status: number; readonly reason: string };

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const VERSION = 'HTTP/(?:1\\.[01]|[23](?:\\.0)?)';
/** RFC 9112, section 3.2, and bytes beyond ASCII, which some servers accept. */
const VISIBLE = '[\\x21-\\x7e\\x80-\\xff]';
const TARGET = `(?:\\*|/${VISIBLE}*|[A-Za-z][A-Za-z0-9+.-]*://${VISIBLE}+)`;
const REQUEST_LINE = new RegExp(`^(${TOKEN}) (${TARGET}) (${VERSION})$`);
const STATUS_LINE = new RegExp(`^(${VERSION}) ([1-9]\\d\\d)(?: ([\\t\\x20-\\x7e\\x80-\\xff]*))?$`);
/** No value contains a control character (RFC 9110, section 5.5). */
const FIELD = new RegExp(`^(${TOKEN}):([\\t\\x20-\\x7e\\x80-\\xff]*)$`);

const EMPTY_LINE = /\r?\n\r?\n/;

const NO_MESSAGE =
  'begins neither JSON nor a message, as "HTTP/1.1 200 OK" and "POST /plants HTTP/1.1" do; unpack a zip, and instead of what curl -v or HTTPie print, save what curl -i prints';
/** curl -L prints the head of each redirection, and a proxy may answer CONNECT first. */
const NOT_AS_SENT =
  'is not one message as it was sent: its body has another length than it says, is still in chunks, or begins with another message; use curl -i without -L and --raw';

/**
 * Reads one message: what `curl -i` prints, or a request in the same form. Node's parser cannot do it: it does not say where
 * it failed, and it rejects `HTTP/2 200` and lines that end with LF alone.
 *
 * @param name of the file, for errors
 * @throws ToolkitError `invalid-message` if it cannot be read, or is of the other kind
 */
export function readRaw(bytes: Buffer, name: string, kind: MessageKind): StoredMessage {
  const text = bytes.toString('latin1');
  let head = readHead(text, text.search(/[^\r\n]/), name);
  // Interim responses (RFC 9110, section 15.2) come before the response.
  while (head.start.kind === 'response' && head.start.status < 200) head = readHead(text, head.to, name);
  const { start, fields: credentials } = head;
  if (start.kind !== kind)
    throw unjudged(name, `is a ${start.kind}; save the ${kind}, or give the kind ${start.kind}`);
  const { body, fields } = contentOf(head, bytes.subarray(head.to), name);
  if (start.kind === 'request') {
    const { method, target, version } = start;
    const message = wholeRequest(method, target, fields, body);
    return { title: `${method} ${shownUrl(target)} ${version}`, credentials, message };
  }
  const { version, status, reason } = start;
  const message = wholeResponse(status, fields, body);
  return { title: `${version} ${status} ${reason}`.trimEnd(), credentials, message };
}

/** How much of a body shows what it is. */
const LONGEST_START = 200;

/** Reads a line as a start line; `undefined` if it is none. */
function startLine(line: string): StartLine | undefined {
  const [, method, target = '', requestVersion = ''] = REQUEST_LINE.exec(line) ?? [];
  if (method !== undefined) return { kind: 'request', version: requestVersion, method, target };
  const [, version, status, reason = ''] = STATUS_LINE.exec(line) ?? [];
  return version === undefined ? undefined : { kind: 'response', version, status: Number(status), reason };
}

function readHead(text: string, from: number, name: string): Head {
  // Lines and fields take many times the memory of their text.
  const beginning = text.slice(from, from + LONGEST_HEAD);
  const end = EMPTY_LINE.exec(beginning);
  if (end === null && text.length > from + LONGEST_HEAD)
    throw unjudged(
      name,
      `has a start line and header fields of more than ${limitInWords(LONGEST_HEAD)}, or no empty line after them`,
    );
  const lines = beginning.slice(0, end?.index).split(/\r?\n/);
  const wrong = (at: number, why: string): Error =>
    unjudged(name, `cannot be read: line ${text.slice(0, from).split('\n').length + at} ${why}`);
  const start = startLine(lines[0] ?? '');
  if (start === undefined) throw wrong(0, NO_MESSAGE);
  if (end === null) throw wrong(lines.length - 1, 'ends before the empty line that ends the header');
  const fields = lines.slice(1).map((line, at) => {
    const [, field, value = ''] = FIELD.exec(line) ?? [];
    if (field === undefined)
      throw wrong(at + 1, 'is not a header field, which is a name, a colon and a value');
    return [field, withoutOuterSpace(value)] as const;
  });
  return { start, fields, to: from + end.index + end[0].length };
}

/**
 * The rest of a file is the body. curl joins the chunks of a body, and with `--compressed` it undoes content codings, but it
 * prints the header fields as they came.
 */
function contentOf({ start, fields }: Head, rest: Buffer, name: string) {
  const beginning = rest.toString('latin1', 0, LONGEST_START);
  const isChunked = headerValues(fields, 'transfer-encoding').length > 0;
  const isStillInChunks = isChunked && /^[\da-f]+[ \t]*(?:;[^\n]*)?\r?\n/i.test(beginning);
  const isFollowed = startLine(beginning.split(/\r?\n/, 1)[0] ?? '') !== undefined;
  const [announced] = headerValues(fields, 'content-length');
  const length = announced === undefined || isChunked ? undefined : Number(announced);
  const isExact = length !== undefined && withoutLineEnds(rest, length).length === length;
  const codings = headerValues(fields, 'content-encoding');
  const isDecoded = codings.length > 0 && rest.length > 0 && !isExact && isText(rest);
  const hasBody = start.kind === 'request' || (start.status !== 204 && start.status !== 304);
  const isOtherLength = length !== undefined && !isExact && !isDecoded && hasBody;
  if (isStillInChunks || isFollowed || isOtherLength) throw unjudged(name, NOT_AS_SENT);
  if (isDecoded) return { body: rest, fields: withoutCodings(fields) };
  return { body: length === undefined ? rest : withoutLineEnds(rest, length), fields };
}

/** Without the line ends that an editor or a shell adds after a body of a known length. */
function withoutLineEnds(rest: Buffer, length: number): Buffer {
  return /^[\r\n]*$/.test(rest.toString('latin1', length)) ? rest.subarray(0, length) : rest;
}

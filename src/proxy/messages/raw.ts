import { type Fields, headerValues, withoutOuterSpace } from '../../http/fields.js';
import { shortened } from '../../shortened.js';
import {
  isText,
  type MessageKind,
  nothingToJudge,
  type StoredMessage,
  type StoredMessages,
  shownUrl,
  unreadable,
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

/** curl -L prints the head of each redirection, and a proxy may answer CONNECT first. */
const SEVERAL =
  'another message begins in its body; save each response in a file of its own (curl -i without -L)';

/**
 * Reads one message: what `curl -i` prints, or a request in the same form. Node's parser cannot do it: it does not say where
 * it failed, and it rejects `HTTP/2 200` and lines that end with LF alone.
 *
 * @param name of the file, for errors
 * @throws ToolkitError `invalid-message` if it cannot be read, `no-message` if it is of the other kind
 */
export function readRaw(bytes: Buffer, name: string, kind: MessageKind): StoredMessages {
  rejectForeign(bytes, name);
  const text = bytes.toString('latin1');
  let head = readHead(text, text.search(/[^\r\n]/), name);
  // Interim responses (RFC 9110, section 15.2) come before the response.
  while (head.start.kind === 'response' && head.start.status < 200) head = readHead(text, head.to, name);
  const { start, fields: headers } = head;
  if (start.kind !== kind)
    throw nothingToJudge(name, `is a ${start.kind}; save the ${kind}, or give the kind ${start.kind}`);
  const { body, isDecoded } = bodyAfter(head, bytes.subarray(head.to), name);
  const fields = isDecoded ? withoutCodings(headers) : headers;
  const stored = { place: {}, credentials: headers, notes: isDecoded ? [SAVED_DECODED] : [] };
  const message: StoredMessage =
    start.kind === 'request'
      ? {
          title: `${start.method} ${shownUrl(start.target)} ${start.version}`,
          message: wholeRequest(start.method, start.target, fields, body),
          ...stored,
        }
      : {
          title: `${start.version} ${start.status} ${start.reason}`.trimEnd(),
          message: wholeResponse(start.status, fields, body),
          ...stored,
        };
  return { messages: [message] };
}

/** So much of a file or a body shows what it is. */
const LONGEST_START = 200;

/** What other files begin with, and what to do instead. */
const FOREIGN: readonly (readonly [beginning: RegExp, why: string])[] = [
  [/^PK[^ -~]/, 'it is a zip file; unzip it, and give the .har file that is in it'],
  [
    /^(?:\d\d:[\d:.]+ )?(?:\[[\dx-]+\] )?(?:[*<>] |[{}] \[|== Info: |=> Send |<= Recv )/,
    'it is the output of curl -v or --trace; use curl -i, which prints the message itself',
  ],
  [
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what it looks for
    /^\x1b\[/,
    'it has the colours of a terminal; let the tool write the message as it is (HTTPie: --print=hb --pretty=none)',
  ],
];

function rejectForeign(bytes: Buffer, name: string): void {
  const beginning = bytes.toString('latin1', 0, LONGEST_START).trimStart();
  const found = FOREIGN.find(([pattern]) => pattern.test(beginning));
  if (found !== undefined) throw unreadable(name, found[1]);
}

/** Reads a line as a start line; `undefined` if it is none. */
function startLine(line: string): StartLine | undefined {
  const [, method, target = '', requestVersion = ''] = REQUEST_LINE.exec(line) ?? [];
  if (method !== undefined) return { kind: 'request', version: requestVersion, method, target };
  const [, version, status, reason = ''] = STATUS_LINE.exec(line) ?? [];
  return version === undefined ? undefined : { kind: 'response', version, status: Number(status), reason };
}

function readHead(text: string, from: number, name: string): Head {
  const end = EMPTY_LINE.exec(text.slice(from));
  const lines = text.slice(from, end === null ? undefined : from + end.index).split(/\r?\n/);
  const wrong = (at: number, why: string): Error =>
    unreadable(name, `${why} (line ${text.slice(0, from).split('\n').length + at})`);
  const start = startLine(lines[0] ?? '');
  if (start === undefined)
    throw wrong(
      0,
      'it is not JSON, and a message begins with a line such as "HTTP/1.1 200 OK" or "POST /plants HTTP/1.1"',
    );
  if (end === null) throw wrong(lines.length - 1, 'it ends before the empty line that ends the header');
  const fields = lines.slice(1).map((line, at) => {
    const [, field, value = ''] = FIELD.exec(line) ?? [];
    if (field === undefined)
      throw wrong(at + 1, 'the line is not a header field, which is a name, a colon and a value');
    return [field, withoutOuterSpace(value)] as const;
  });
  return { start, fields, to: from + end.index + end[0].length };
}

interface RawBody {
  readonly body: Uint8Array;
  /** Whether the tool that saved it undid its content codings. */
  readonly isDecoded: boolean;
}

/** `curl --compressed` decodes a body, and prints the header field that names its coding. */
const SAVED_DECODED = 'the tool that saved it undid its Content-Encoding; the body is judged as it was saved';

/**
 * The rest of a file is the body. curl joins the chunks of a body, and with `--compressed` it undoes content codings, but it
 * prints the header fields as they came.
 */
function bodyAfter({ start, fields }: Head, rest: Buffer, name: string): RawBody {
  const beginning = rest.toString('latin1', 0, LONGEST_START);
  if (startLine(beginning.split(/\r?\n/, 1)[0] ?? '') !== undefined) throw unreadable(name, SEVERAL);
  const isChunked = headerValues(fields, 'transfer-encoding').length > 0;
  if (isChunked && /^[\da-f]+[ \t]*(?:;[^\n]*)?\r?\n/i.test(beginning))
    throw unreadable(name, 'its body is still in chunks; save it without curl --raw');
  const codings = headerValues(fields, 'content-encoding');
  const announced = headerValues(fields, 'content-length');
  const length = announced.length === 0 || isChunked ? undefined : Number(announced[0]);
  const isExact = length === undefined ? undefined : withoutLineEnds(rest, length).length === length;
  const isDecoded = codings.length > 0 && rest.length > 0 && isExact !== true && isText(rest);
  const hasBody = start.kind === 'request' || (start.status !== 204 && start.status !== 304);
  if (isExact === false && !isDecoded && hasBody)
    throw unreadable(
      name,
      `its Content-Length is ${shortened(announced[0] ?? '', 30)}, but ${rest.length} bytes follow; save the message as it was sent (HTTPie: --print=hb --pretty=none)`,
    );
  return { body: length === undefined || isDecoded ? rest : withoutLineEnds(rest, length), isDecoded };
}

/** Without the line ends that an editor or a shell adds after a body of a known length. */
function withoutLineEnds(rest: Buffer, length: number): Buffer {
  return /^[\r\n]*$/.test(rest.toString('latin1', length)) ? rest.subarray(0, length) : rest;
}

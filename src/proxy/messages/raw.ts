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
const FIELD_NAME = new RegExp(`^${TOKEN}$`);

/** The characters that no field value contains (RFC 9110, section 5.5). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/;

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
  let head = readHead(
    bytes,
    bytes.findIndex((byte) => byte !== CR && byte !== LF),
    name,
  );
  // Interim responses (RFC 9110, section 15.2) come before the response.
  while (head.start.kind === 'response' && head.start.status < 200) head = readHead(bytes, head.to, name);
  const { start, fields: headers } = head;
  if (start.kind !== kind)
    throw nothingToJudge(name, `is a ${start.kind}; save the ${kind}, or give the kind ${start.kind}`);
  const { body, isDecoded } = bodyAfter(head, bytes, name);
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

const LF = 0x0a;
const CR = 0x0d;

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
  [
    /^(?:\xff\xfe|\xfe\xff)/,
    'it is UTF-16, as ">" of PowerShell writes it; let the tool write the file itself (curl -o)',
  ],
];

function rejectForeign(bytes: Buffer, name: string): void {
  const beginning = bytes.toString('latin1', 0, 200).trimStart();
  const found = FOREIGN.find(([pattern]) => pattern.test(beginning));
  if (found !== undefined) throw unreadable(name, found[1]);
}

/** The line that begins at a byte, as Latin-1, without its end: CRLF, or LF alone if an editor changed it. */
function lineAt(bytes: Buffer, from: number): { readonly text: string; readonly next: number | undefined } {
  const lineFeed = bytes.indexOf(LF, from);
  if (lineFeed === -1) return { text: bytes.toString('latin1', from), next: undefined };
  const end = lineFeed > from && bytes[lineFeed - 1] === CR ? lineFeed - 1 : lineFeed;
  return { text: bytes.toString('latin1', from, end), next: lineFeed + 1 };
}

/** Reads a line as a start line; `undefined` if it is none. */
function startLine(line: string): StartLine | undefined {
  const [, method, target = '', requestVersion = ''] = REQUEST_LINE.exec(line) ?? [];
  if (method !== undefined) return { kind: 'request', version: requestVersion, method, target };
  const [, version, status, reason = ''] = STATUS_LINE.exec(line) ?? [];
  return version === undefined ? undefined : { kind: 'response', version, status: Number(status), reason };
}

function readHead(bytes: Buffer, from: number, name: string): Head {
  const wrong = (at: number, why: string): Error => {
    const line = bytes.toString('latin1', 0, at).split('\n').length;
    return unreadable(name, `${why} (line ${line})`);
  };
  const { text, next } = lineAt(bytes, from);
  const start = startLine(text);
  if (start === undefined)
    throw wrong(
      from,
      'it is not JSON, and a message begins with a line such as "HTTP/1.1 200 OK" or "POST /plants HTTP/1.1"',
    );
  const fields: [name: string, value: string][] = [];
  let at = next ?? bytes.length;
  for (;;) {
    const line = lineAt(bytes, at);
    if (line.next === undefined) throw wrong(at, 'it ends before the empty line that ends the header');
    if (line.text === '') return { start, fields, to: line.next };
    const colon = line.text.indexOf(':');
    const last = fields.at(-1);
    if (CONTROL.test(line.text)) throw wrong(at, 'the header line contains a control character');
    // RFC 9112, section 5.2: a value that goes on in the next line.
    if (/^[ \t]/.test(line.text) && last !== undefined) last[1] += ` ${withoutOuterSpace(line.text)}`;
    else if (colon !== -1 && FIELD_NAME.test(line.text.slice(0, colon)))
      fields.push([line.text.slice(0, colon), withoutOuterSpace(line.text.slice(colon + 1))]);
    else throw wrong(at, 'the line is not a header field, which is a name, a colon and a value');
    at = line.next;
  }
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
function bodyAfter({ start, fields, to }: Head, bytes: Buffer, name: string): RawBody {
  const rest = bytes.subarray(to);
  if (startLine(lineAt(rest, 0).text) !== undefined) throw unreadable(name, SEVERAL);
  const isChunked = headerValues(fields, 'transfer-encoding').length > 0;
  if (isChunked && /^[\da-f]+[ \t]*(?:;[^\n]*)?\r?\n/i.test(rest.toString('latin1', 0, 200)))
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
  return rest.subarray(length).every((byte) => byte === CR || byte === LF) ? rest.subarray(0, length) : rest;
}

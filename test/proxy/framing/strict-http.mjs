// Reads HTTP strictly: what a lenient reader might read in another way is a problem here.

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const START = /^([A-Z-]+) ([\x21-\x7e]+) HTTP\/1\.1$/;
const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [\t\x20-\x7e\x80-\xff]*$/;
const CRLF = '\r\n';

/**
 * @typedef {[name: string, value: string]} Field
 * @typedef {{ method: string, target: string, fields: Field[], body: string, trailers: string }} ReadRequest
 * @typedef {{ status: number, fields: Field[], body: string, trailers: string }} ReadResponse
 */

/**
 * Reads the first request of a text.
 *
 * @param {string} text
 * @returns {{ request: ReadRequest, length: number } | string | undefined} a string says what is wrong; `undefined` if it is not whole
 */
export function readRequest(text) {
  const end = text.indexOf(CRLF + CRLF);
  if (end === -1) return /[^\r]\n|\r[^\n]/.test(text) ? 'a bare CR or LF' : undefined;
  const [start = '', ...lines] = text.slice(0, end).split(CRLF);
  const [, method, target] = START.exec(start) ?? [];
  if (method === undefined || target === undefined) return `the request line ${JSON.stringify(start)}`;
  const fields = readFields(lines);
  if (typeof fields === 'string') return fields;
  const framing = framingOf(fields);
  if (typeof framing === 'string') return framing;
  if (valuesOf(fields, 'host').length !== 1) return `${valuesOf(fields, 'host').length} Host fields`;
  const body = readBody(text, end + 4, framing ?? 0);
  if (body === undefined || typeof body === 'string') return body;
  const { length, ...rest } = body;
  return { request: { method, target, fields, ...rest }, length };
}

/**
 * Reads the first response of a text.
 *
 * @param {string} text
 * @param {boolean} hasBody not in response to HEAD
 * @returns {{ response: ReadResponse, length: number } | string | undefined} a string says what is wrong; `undefined` if it is not whole
 */
function readResponse(text, hasBody = true) {
  const end = text.indexOf(CRLF + CRLF);
  if (end === -1) return undefined;
  const [start = '', ...lines] = text.slice(0, end).split(CRLF);
  const [, status] = STATUS_LINE.exec(start) ?? [];
  if (status === undefined) return `the status line ${JSON.stringify(start)}`;
  const fields = readFields(lines);
  if (typeof fields === 'string') return fields;
  const framing = framingOf(fields);
  if (typeof framing === 'string') return framing;
  const isEmpty = !hasBody || status.startsWith('1') || status === '204' || status === '304';
  if (!isEmpty && framing === undefined) return 'a body to the end of the connection';
  const body = readBody(text, end + 4, isEmpty ? 0 : (framing ?? 0));
  if (body === undefined || typeof body === 'string') return body;
  const { length, ...rest } = body;
  return { response: { status: Number(status), fields, ...rest }, length };
}

/** @type {(fields: Field[], name: string) => string[]} */
const valuesOf = (fields, name) =>
  fields.filter(([field]) => field.toLowerCase() === name).map(([, value]) => value);

/**
 * @param {Field[]} fields
 * @returns {{ isChunked: true } | number | undefined | string} a number is a length; a string says what is wrong
 */
function framingOf(fields) {
  const [lengths, codings] = [valuesOf(fields, 'content-length'), valuesOf(fields, 'transfer-encoding')];
  if (valuesOf(fields, 'connection').some((value) => !/^(?:close|keep-alive)$/.test(value)))
    return 'Connection';
  if (lengths.length + codings.length > 1) return 'more than one framing field';
  const [length, coding] = [lengths[0], codings[0]];
  if (coding !== undefined)
    return coding === 'chunked' ? { isChunked: true } : `Transfer-Encoding: ${coding}`;
  if (length === undefined) return undefined;
  return /^\d{1,15}$/.test(length) ? Number(length) : `Content-Length: ${length}`;
}

/**
 * @param {string} text
 * @param {number} at
 * @param {{ isChunked: true } | number} framing
 */
function readBody(text, at, framing) {
  if (typeof framing === 'object') return readChunks(text, at);
  const length = at + framing;
  return text.length < length ? undefined : { body: text.slice(at, length), trailers: '', length };
}

/**
 * @param {string[]} lines
 * @returns {Field[] | string}
 */
function readFields(lines) {
  /** @type {Field[]} */
  const fields = [];
  for (const line of lines) {
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '')];
    if (colon === -1 || !TOKEN.test(name)) return `the field ${JSON.stringify(line)}`;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for these.
    if (/[\x00-\x08\x0a-\x1f\x7f]/.test(value)) return `a control character in ${JSON.stringify(line)}`;
    fields.push([name, value]);
  }
  return fields;
}

/**
 * @param {string} text
 * @param {number} start
 */
function readChunks(text, start) {
  let at = start;
  let body = '';
  for (;;) {
    const line = text.indexOf(CRLF, at);
    if (line === -1) return undefined;
    const size = text.slice(at, line);
    if (!/^[0-9a-f]{1,12}$/i.test(size)) return `the chunk size ${JSON.stringify(size)}`;
    at = line + 2;
    const length = Number.parseInt(size, 16);
    if (length === 0) break;
    if (text.length < at + length + 2) return undefined;
    if (text.slice(at + length, at + length + 2) !== CRLF) return 'a chunk without CRLF';
    body += text.slice(at, at + length);
    at += length + 2;
  }
  if (text.startsWith(CRLF, at)) return { body, trailers: '', length: at + 2 };
  const end = text.indexOf(CRLF + CRLF, at);
  if (end === -1) return undefined;
  const trailers = text.slice(at, end);
  const fields = readFields(trailers.split(CRLF));
  if (typeof fields === 'string') return `in trailers: ${fields}`;
  const framing = fields.find(([name]) =>
    /^(?:content-length|transfer-encoding|host|connection|trailer)$/i.test(name),
  );
  if (framing !== undefined) return `the trailer ${framing[0]}`;
  return { body, trailers, length: end + 4 };
}

/**
 * The whole responses in what a client received, interim ones too.
 *
 * @param {string} received
 * @param {boolean} hasBody whether the responses may have bodies
 * @throws Error with what is not strict HTTP
 */
export function responsesIn(received, hasBody) {
  const responses = [];
  for (let rest = received; rest !== ''; ) {
    const read = readResponse(rest, hasBody);
    if (typeof read === 'string') throw new Error(`${read}: ${rest}`);
    if (read === undefined) break;
    rest = rest.slice(read.length);
    responses.push(read.response);
  }
  return responses;
}

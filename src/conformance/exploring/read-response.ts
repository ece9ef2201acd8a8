import { withoutOuterSpace } from '../../http/fields.js';
import type { ProviderResponse } from '../exchange.js';

const LONGEST_HEAD = 16 * 1024;
const LONGEST_BODY = 1024 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');
/** Without control characters. Of one that ends with a tab, Node's parser does not read every value. */
const TEXT = '[\\t\\x20-\\x7e\\x80-\\xff]*(?<!\\t)';
const STATUS_LINE = new RegExp(`^HTTP/1\\.([01]) ([2-5]\\d\\d)(?: (${TEXT}))?$`);
const FIELD = new RegExp(`^([!#$%&'*+\\-.^_\`|~\\w]+):(${TEXT})$`);

/** A response in the usual form, and whether its connection can carry the next request. */
export interface UsualResponse {
  readonly response: ProviderResponse;
  readonly isKept: boolean;
}

/**
 * Reads a response in the usual form: a status line, fields, and a body whose length is in Content-Length or whose
 * chunks have no extensions and no trailers (RFC 9112, sections 4 to 7).
 *
 * @returns `unusual` for everything else: the caller then leaves it to Node's own parser
 */
export function readResponse(bytes: Buffer): UsualResponse | 'incomplete' | 'unusual' {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return bytes.length > LONGEST_HEAD ? 'unusual' : 'incomplete';
  const [line = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const [, minor, status, reason = ''] = STATUS_LINE.exec(line) ?? [];
  if (status === undefined || status === '204' || status === '304') return 'unusual';
  const headers: [string, string][] = [];
  let length: string | undefined;
  let coding: string | undefined;
  let connection = minor === '1' ? 'keep-alive' : 'close';
  for (const field of lines) {
    const [, name, written] = FIELD.exec(field) ?? [];
    if (name === undefined || written === undefined) return 'unusual';
    const value = withoutOuterSpace(written);
    headers.push([name, value]);
    const lowerName = name.toLowerCase();
    if (lowerName === 'content-length') {
      if (length !== undefined) return 'unusual';
      length = value;
    } else if (lowerName === 'transfer-encoding') {
      if (coding !== undefined) return 'unusual';
      coding = value.toLowerCase();
    } else if (lowerName === 'connection') connection = value.toLowerCase();
  }
  const body =
    coding === undefined
      ? bodyOfLength(bytes, headEnd + 4, length)
      : coding === 'chunked' && length === undefined
        ? chunkedBody(bytes, headEnd + 4)
        : 'unusual';
  if (typeof body === 'string') return body;
  return {
    response: {
      status: Number(status),
      reason,
      headers,
      body,
      received: body.length,
      complete: true,
      surplus: 0,
    },
    isKept: connection === 'keep-alive',
  };
}

/** The body, if it is all there is. */
function bodyOfLength(
  bytes: Buffer,
  start: number,
  length: string | undefined,
): Buffer | 'incomplete' | 'unusual' {
  if (length === undefined || !/^\d{1,7}$/.test(length) || Number(length) > LONGEST_BODY) return 'unusual';
  const end = start + Number(length);
  if (bytes.length < end) return 'incomplete';
  return bytes.length === end ? bytes.subarray(start, end) : 'unusual';
}

function chunkedBody(bytes: Buffer, start: number): Buffer | 'incomplete' | 'unusual' {
  const chunks: Buffer[] = [];
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return bytes.length - at > 8 ? 'unusual' : 'incomplete';
    const size = bytes.toString('latin1', at, lineEnd);
    if (!/^[0-9a-f]{1,6}$/i.test(size) || bytes.length > LONGEST_BODY) return 'unusual';
    const from = lineEnd + 2;
    const to = from + Number.parseInt(size, 16);
    if (bytes.length < to + 2) return 'incomplete';
    if (bytes.toString('latin1', to, to + 2) !== '\r\n') return 'unusual';
    if (to === from) return bytes.length === to + 2 ? Buffer.concat(chunks) : 'unusual';
    chunks.push(bytes.subarray(from, to));
    at = to + 2;
  }
}

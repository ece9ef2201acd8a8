// @ts-check
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { damaged } from '../../torture/mutate.mjs';
import { jsonText } from './json-text.mjs';
import { one, some, sometimes, upTo } from './pick.mjs';

/** @typedef {import('../run.mjs').Random} Random */

const METHODS = [
  'POST',
  'POST',
  'POST',
  'GET',
  'HEAD',
  'PUT',
  'OPTIONS',
  'DELETE',
  'PATCH',
  'TRACE',
  'M-SEARCH',
];
const TARGETS = [
  '/plants',
  '/plants',
  '/v1/plants?a=b',
  '/',
  '*',
  'http://store/plants',
  '/pl%20ants',
  '/plants#a',
];
const BROKEN_METHODS = ['post', 'BREW', 'P OST', '', 'POST:', '"POST"', 'CONNECT'];
const BROKEN_TARGETS = ['', 'plants', '/pl ants', '/pl\xe4nts', '/plants\t', '/plants\0', '/plants\x7f'];
const STATUSES = [
  '200',
  '200',
  '200',
  '400',
  '400',
  '201',
  '204',
  '304',
  '401',
  '404',
  '500',
  '301',
  '100',
  '103',
  '999',
];
const BROKEN_STATUSES = ['99', '1000', '20', '2x0', '', '-20', '000', '200.0', '２００'];
const REASONS = [' OK', ' OK', ' Bad Request', ' ', '', ' Not \xc3\xa4', ' a\tb'];
const BROKEN_REASONS = ['OK', ' a\rb', ' a\0b', ' \x7f', '\t'];
const VERSIONS = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0'];
const BROKEN_VERSIONS = [
  'HTTP/2',
  'HTTP/2.0',
  'HTTP/3',
  'HTTP/1.2',
  'http/1.1',
  'HTTP/0.9',
  'HTTP/1.',
  'ICY',
  'HTTP/11',
  '',
];
const NAMES = [
  'X-A',
  'x-a',
  'Host',
  'Date',
  'Authorization',
  'Set-Cookie',
  'X_B',
  '!#$%&',
  'Connection',
  'Trailer',
  'Expect',
];
const VALUES = [
  'a',
  '',
  ' a ',
  'a, b',
  'a\tb',
  '\xe4',
  '"a;b"',
  'Bearer secret',
  'close',
  'keep-alive',
  '100-continue',
  'a:b',
];
const FLAWED_FIELDS = [
  ...[
    'X : a',
    ' X: a',
    'X',
    ': a',
    'X\0: a',
    'X: a\0b',
    'X: a\x01b',
    'X: \x7f',
    'X: a\rb',
    'X: a\n b',
    'X: a\r\n b',
    '\xe4: a',
  ],
  ...[
    'Content-Length: +2',
    'Content-Length: 2, 2',
    'Content-Length: 2',
    'Content-Length:',
    'Content-Length: 99999999999999999999',
  ],
  ...[
    'Transfer-Encoding: gzip',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: chunked, chunked',
    'Transfer-Encoding:',
  ],
  ...[
    'transfer-encoding: identity',
    'Upgrade: h2c\r\nConnection: Upgrade',
    'Content-Encoding: gzip',
    'Content-Encoding: x',
  ],
];
const PLANTS = ['{"name":"Aloe"}', '{"name":"Aloe","id":7}', '{"error":"a","message":"b"}', '{}', '', 'null'];
const EXTENSIONS = ['', '', '', '', ';a', ';a=b', ';a="b;c"'];
const BROKEN_EXTENSIONS = [' ', ' ;a', ';a\nb', '\t', '\0', ';\x01', 'g', '\n'];
const CODINGS = {
  gzip: (/** @type {Buffer} */ body) => gzipSync(body, { level: 1 }),
  deflate: (/** @type {Buffer} */ body) => deflateSync(body, { level: 1 }),
  br: (/** @type {Buffer} */ body) => brotliCompressSync(body),
};
const ENDS = ['\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\n'];
const BETWEEN = ['', '', '', '\r\n', '\n\n', ' \r\n', 'Elapsed time: 0.1s\n', 'garbage'];
const PUT = [
  '\r',
  '\n',
  '\r\n',
  '\0',
  ' ',
  '\t',
  ':',
  ';',
  '0\r\n\r\n',
  '\r\n\r\n',
  '2\r\n',
  'HTTP/1.1 200 OK\r\n',
  'GET / HTTP/1.1\r\n',
  '\xff',
];

/**
 * The bytes of one message.
 *
 * @param {Random} random
 * @param {'request' | 'response'} kind
 * @param {number} flaws how often a part is malformed, from 0 to 1
 * @param {string} end of a line
 */
function httpMessage(random, kind, flaws, end = '\r\n') {
  const either = (/** @type {readonly string[]} */ good, /** @type {readonly string[]} */ bad) =>
    one(flaws > 0 && random() < flaws ? bad : good, random);
  const version = either(VERSIONS, BROKEN_VERSIONS);
  const start =
    kind === 'request'
      ? `${either(METHODS, BROKEN_METHODS)} ${either(TARGETS, BROKEN_TARGETS)} ${version}`
      : `${version} ${either(STATUSES, BROKEN_STATUSES)}${either(REASONS, BROKEN_REASONS)}`;
  const text = random() < 0.3 ? jsonText(random, 0.02) : one(PLANTS, random);
  /** @type {Buffer} */
  let body = Buffer.from(text);
  const fields = some(
    3,
    random,
    () =>
      `${one(NAMES, random)}:${sometimes(
        0.1,
        random,
        () => ' ',
        () => '',
      )}${one(VALUES, random)}`,
  );
  if (random() < 0.7) fields.push('Content-Type: application/json');
  if (random() < 0.1) {
    const coding = /** @type {keyof typeof CODINGS} */ (one(Object.keys(CODINGS), random));
    fields.push(`Content-Encoding: ${coding}`);
    // Some tools undo it, and keep the field.
    if (random() < 0.7) body = CODINGS[coding](body);
  }
  const framing = random();
  if (framing < 0.55)
    fields.push(`Content-Length: ${body.length + (random() < flaws ? upTo(4, random) - 2 : 0)}`);
  else if (framing < 0.9) {
    fields.push(
      `${random() < 0.8 ? 'Transfer-Encoding' : 'transfer-encoding'}: ${random() < 0.9 ? 'chunked' : 'CHUNKED'}`,
    );
    if (random() < 0.9) body = chunked(body, random, flaws, end);
  }
  while (random() < flaws) fields.splice(upTo(fields.length, random), 0, one(FLAWED_FIELDS, random));
  return Buffer.concat([Buffer.from([start, ...fields, '', ''].join(end), 'latin1'), body]);
}

/** @type {(body: Buffer, random: Random, flaws: number, end: string) => Buffer} */
function chunked(body, random, flaws, end) {
  const parts = [];
  for (let at = 0; at < body.length; ) {
    const size = 1 + upTo(Math.min(20, body.length - at - 1), random);
    const wrong = random() < flaws * 0.5 ? upTo(2, random) - 1 : 0;
    const digits = Math.max(0, size + wrong).toString(16);
    const extension = one(random() < flaws * 0.5 ? BROKEN_EXTENSIONS : EXTENSIONS, random);
    parts.push(Buffer.from(`${random() < 0.1 ? '0' : ''}${digits}${extension}${end}`, 'latin1'));
    parts.push(body.subarray(at, at + size), Buffer.from(end));
    at += size;
  }
  const trailers =
    random() < 0.1 ? `X-Sum: 7${end}` : random() < flaws * 0.3 ? `${one(FLAWED_FIELDS, random)}${end}` : '';
  parts.push(Buffer.from(`0${end}${trailers}${end}`, 'latin1'));
  return Buffer.concat(parts);
}

/**
 * The bytes of one or several messages, sometimes damaged.
 *
 * @param {Random} random
 * @param {readonly ('request' | 'response')[]} kinds
 */
export function httpBytes(random, kinds) {
  const flaws = one([0, 0, 0.05, 0.2], random);
  const end = one(ENDS, random);
  const parts = [];
  for (let left = random() < 0.6 ? 1 : 1 + upTo(2, random); left > 0; left--) {
    if (parts.length > 0) parts.push(Buffer.from(one(BETWEEN, random)));
    parts.push(httpMessage(random, one(kinds, random), flaws, end));
  }
  /** @type {Buffer} */
  let bytes = Buffer.concat(parts);
  const damage = random();
  if (damage < 0.2) bytes = damaged(bytes, random);
  else if (damage < 0.4) {
    const at = upTo(bytes.length, random);
    const put = Buffer.from(one(PUT, random), 'latin1');
    bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + upTo(1, random))]);
  }
  return bytes;
}

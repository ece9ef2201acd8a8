// Responses whose framing two readers may read in two ways.
import { TRIMS_TABS } from './tricks.mjs';

/**
 * @typedef {object} ResponseTrick
 * @property {string} name
 * @property {string} bytes in Latin-1
 * @property {string} [body] that of the one response that is forwarded; left out if the client gets none, or only the
 *   beginning of one
 * @property {string} [trailers] those that are forwarded
 * @property {string} [method] default POST
 */

const CHUNKED = 'Transfer-Encoding: chunked';
const LENGTH = 'Content-Length: 2';
const CHUNKS = '2\r\n{}\r\n0\r\n\r\n';
const SMUGGLED = 'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nsmuggled';

/** @param {string[]} fields */
const head = (...fields) => ['HTTP/1.1 200 OK', ...fields, '', ''].join('\r\n');
const start = (/** @type {string} */ line) => head(LENGTH).replace('HTTP/1.1 200 OK', line);

/** @type {(name: string, bytes: string, more?: Partial<ResponseTrick>) => ResponseTrick} */
const forwarded = (name, bytes, more) => ({ name, bytes, body: '{}', ...more });
/** @type {(name: string, bytes: string) => ResponseTrick} */
const stopped = (name, bytes) => ({ name, bytes });

const CODINGS = ['gzip', 'gzip, chunked', 'chunked, chunked', 'xchunked', 'chunked;a=1'];
const LENGTHS = ['', '+2', '2, 2', '2 2', '0x2', '9'.repeat(25)];
const FIELDS = ['X: a\rb', 'X: a\nY: b', 'X: a\x00b', 'X : a', 'X', 'X: a\r\n b', ': a'];
const SIZES = ['2 ', '0x2', '+2', '2\n', '', 'f'.repeat(18)];

/** @type {readonly ResponseTrick[]} */
export const RESPONSES = [
  ...['Content-Length', 'content-length, X-A', 'Transfer-Encoding', 'close'].flatMap((names) => [
    forwarded(`Connection: ${names}, with a length`, `${head(`Connection: ${names}`, LENGTH)}{}`),
    forwarded(`Connection: ${names}, with chunks`, head(CHUNKED, `Connection: ${names}`) + CHUNKS),
  ]),
  forwarded('Connection: Content-Length, to HEAD', head('Connection: Content-Length', LENGTH), {
    method: 'HEAD',
    body: '',
  }),
  ...LENGTHS.map((value) => stopped(`Content-Length: ${value}`, `${head(`Content-Length: ${value}`)}{}`)),
  (TRIMS_TABS ? forwarded : stopped)('a length before a tab', `${head(`${LENGTH}\t`)}{}`),
  stopped('two lengths', `${head(LENGTH, 'Content-Length: 3')}{}x`),
  stopped('two equal lengths', `${head(LENGTH, LENGTH)}{}`),
  stopped('a length and chunks', head(LENGTH, CHUNKED) + CHUNKS),
  stopped('chunks and a length', head(CHUNKED, 'Content-Length: 80') + CHUNKS + SMUGGLED),
  ...CODINGS.map((value) =>
    stopped(`Transfer-Encoding: ${value}`, head(`Transfer-Encoding: ${value}`) + CHUNKS),
  ),
  stopped('an empty coding', head('Transfer-Encoding:') + CHUNKS),
  stopped('two codings', head(CHUNKED, CHUNKED) + CHUNKS),
  stopped('chunks in HTTP/1.0', head(CHUNKED).replace('1.1', '1.0') + CHUNKS),
  forwarded('identity', `${head('Transfer-Encoding: identity')}{}`),
  forwarded('no length', `${head()}{}`),
  ...['HTTP/1.2', 'http/1.1', 'ICY', 'HTTP/1.1 '].map((version) =>
    stopped(`the version "${version}"`, `${start(`${version} 200 OK`)}{}`),
  ),
  ...['099', '1000', '20', '-20', '2x0', '101', '199'].map((status) =>
    stopped(`the status ${status}`, `${start(`HTTP/1.1 ${status} OK`)}{}`),
  ),
  ...['a\rb', 'a\nX: 1', 'a\x00b'].map((reason) =>
    stopped(`the reason ${JSON.stringify(reason)}`, `${start(`HTTP/1.1 200 ${reason}`)}{}`),
  ),
  ...FIELDS.map((field) => stopped(`the field ${JSON.stringify(field)}`, `${head(field, LENGTH)}{}`)),
  stopped('lines that end with LF', 'HTTP/1.1 200 OK\nContent-Length: 2\n\n{}'),
  stopped(
    'a switch of protocols',
    `${start('HTTP/1.1 101 Go').replace(LENGTH, 'Connection: Upgrade\r\nUpgrade: h2c')}{}`,
  ),
  ...SIZES.map((size) =>
    stopped(`the chunk size ${JSON.stringify(size)}`, `${head(CHUNKED)}${size}\r\n{}\r\n0\r\n\r\n`),
  ),
  forwarded('a chunk extension', `${head(CHUNKED)}2;a=b\r\n{}\r\n0\r\n\r\n`),
  ...['Content-Length: 5', 'X: a\x01b', 'X: a\nb', 'X'].map((field) =>
    stopped(`the trailer ${JSON.stringify(field)}`, `${head(CHUNKED)}2\r\n{}\r\n0\r\n${field}\r\n\r\n`),
  ),
  ...['Host: a', 'Connection: Content-Length', 'Transfer-Encoding: chunked', 'Trailer: X'].map((field) =>
    forwarded(`the trailer ${field}`, `${head(CHUNKED)}2\r\n{}\r\n0\r\n${field}\r\nX: 1\r\n\r\n`, {
      trailers: 'X: 1',
    }),
  ),
  forwarded('two responses', `${head(LENGTH)}{}${SMUGGLED}`),
  forwarded('two responses to HEAD', head(LENGTH) + SMUGGLED, { method: 'HEAD', body: '' }),
  forwarded('a body of a 204', `${start('HTTP/1.1 204 No')}${SMUGGLED}`, { body: '' }),
  forwarded('chunks of a 304', `${head(CHUNKED).replace('200', '304')}${CHUNKS}`, { body: '' }),
  forwarded('1,000 times 100', `${'HTTP/1.1 100 Go\r\n\r\n'.repeat(1_000)}${head(LENGTH)}{}`),
  forwarded('a 103', `HTTP/1.1 103 Hint\r\nLink: a\r\n\r\n${head(LENGTH)}{}`),
];

// Requests whose framing two readers may read in two ways: one of each class of http-desync-guardian and of the tests of llhttp.

/**
 * @typedef {object} Trick
 * @property {string} name
 * @property {string} bytes in Latin-1
 * @property {string} [body] that of the one request that is forwarded; left out if the request is rejected
 * @property {boolean} [closes] whether the connection ends after the response, so that nothing after it is read
 */

const [MAJOR, MINOR] = String(process.versions.llhttp).split('.').map(Number);
/** Whether Node's parser takes a tab after a length for white space, as RFC 9110, section 5.5 does. Node 20 rejects it. */
export const TRIMS_TABS = MAJOR > 9 || (MAJOR === 9 && MINOR >= 4);

const BODY = '{"name":"Aloe","id":7}';
const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: store\r\n\r\n';
const CHUNKS = '16\r\n{"name":"Aloe","id":7}\r\n0\r\n\r\n';
const CHUNKED = 'Transfer-Encoding: chunked';

/** @param {string[]} fields */
const head = (...fields) => ['POST /plants HTTP/1.1', 'Host: store', ...fields, '', ''].join('\r\n');
const length = (bytes = BODY) => `Content-Length: ${bytes.length}`;
/** @param {string} line */
const starting = (line) => `${line}\r\nHost: store\r\n${length()}\r\n\r\n${BODY}`;

/** @type {(name: string, bytes: string, body?: string) => Trick} */
const forwarded = (name, bytes, body = BODY) => ({ name, bytes, body });
/** The same, and the connection ends after the response. @type {(name: string, bytes: string) => Trick} */
const last = (name, bytes) => ({ name, bytes, body: BODY, closes: true });
/** @type {(name: string, bytes: string) => Trick} */
const rejected = (name, bytes) => ({ name, bytes });

/** @type {readonly Trick[]} */
export const TRICKS = [
  // Fields that say where a body ends.
  ...['Content-Length', 'Transfer-Encoding', 'Host', 'close\t,\tCONTENT-LENGTH'].map((names) =>
    rejected(`Connection: ${names}`, head(`cOnNeCtIoN: ${names}`, length(SMUGGLED)) + SMUGGLED),
  ),
  rejected(
    'two Connection fields',
    head('Connection: close', 'connection: content-length', length(SMUGGLED)) + SMUGGLED,
  ),
  forwarded('Connection names a field of its own', head('Connection: X-Hop', 'X-Hop: 1', length()) + BODY),
  forwarded('Proxy-Connection names a length', head('Proxy-Connection: Content-Length', length()) + BODY),
  forwarded('a length with zeros and spaces', head('CONTENT-LENGTH:  00022 ') + BODY),
  (TRIMS_TABS ? forwarded : rejected)('a length before a tab', head('Content-Length: 22\t') + BODY),
  ...['+22', '22, 22', '0x16', '22.0', '2 2', '', '22\x00', '9'.repeat(400)].map((value) =>
    rejected(`Content-Length: ${value}`, head(`Content-Length: ${value}`) + BODY),
  ),
  rejected('two equal lengths', head(length(), length()) + BODY),
  rejected('two lengths', head('Content-Length: 0', `content-length: ${SMUGGLED.length}`) + SMUGGLED),
  forwarded('a length under another name', head(length(), 'Content_Length: 5', 'X-Content-Length: 6') + BODY),
  rejected('a length and chunks', head(length(CHUNKS), CHUNKED) + CHUNKS),
  rejected('chunks and a length', head(CHUNKED, 'Content-Length: 0') + CHUNKS),
  rejected('a length and identity', head(length(SMUGGLED), 'Transfer-Encoding: identity') + SMUGGLED),
  forwarded('a coding under another name', head(length(), 'Transfer_Encoding: chunked') + BODY),
  forwarded('chunks in upper case', head('TRANSFER-ENCODING: CHUNKED') + CHUNKS),
  ...[
    'chunked, chunked',
    'identity',
    'gzip, chunked',
    'chunked, gzip',
    'xchunked',
    'chunked;q=1',
    '',
    '\x0bchunked',
  ].map((coding) => rejected(`Transfer-Encoding: ${coding}`, head(`Transfer-Encoding: ${coding}`) + CHUNKS)),
  rejected('two equal codings', head(CHUNKED, CHUNKED) + CHUNKS),
  rejected('two codings', head('Transfer-Encoding: cow', 'transfer-encoding: chunked') + CHUNKS),

  // Names of fields, and ends of lines.
  ...[...' \t\x00\x0b\xa0\r\n;('].flatMap((char) => [
    rejected(
      `Transfer-Encoding${JSON.stringify(char)}:`,
      head(length(SMUGGLED), `Transfer-Encoding${char}: chunked`) + SMUGGLED,
    ),
    rejected(
      `${JSON.stringify(char)}Transfer-Encoding:`,
      head(length(SMUGGLED), `${char}Transfer-Encoding: chunked`) + SMUGGLED,
    ),
  ]),
  rejected('a folded coding', head('Transfer-Encoding:', ' chunked') + CHUNKS),
  rejected('a field without a name', head(': chunked', length()) + BODY),
  rejected('a field without a colon', head('Transfer-Encoding', length()) + BODY),
  ...['a\x00b', 'a\x7fb', 'a\rTransfer-Encoding: chunked', 'a\nTransfer-Encoding: chunked'].map((value) =>
    rejected(`the value ${JSON.stringify(value)}`, head(`X-A: ${value}`, length()) + BODY),
  ),
  forwarded('a tab and Latin-1 in a value', head('X-A: a\tb \xe4', length()) + BODY),
  ...['\n\r\n', '\r\n\n', '\n\n', '\r\r\n\r\n'].map((end) =>
    rejected(`a head that ends with ${JSON.stringify(end)}`, head(length()).replace('\r\n\r\n', end) + BODY),
  ),

  // Chunks, trailers and methods.
  ...['2', '2;a="b;c"', '0000000002'].map((size) =>
    forwarded(`the chunk size ${JSON.stringify(size)}`, `${head(CHUNKED)}${size}\r\n{}\r\n0\r\n\r\n`, '{}'),
  ),
  ...['2 ', '0x2', '-2', '2g', '', '2,2', 'f'.repeat(20), '2\x00', '2;a\nb', '2\n', '1', '4'].map((size) =>
    rejected(`the chunk size ${JSON.stringify(size)}`, `${head(CHUNKED)}${size}\r\n{}\r\n0\r\n\r\n`),
  ),
  rejected('a chunk that ends with LF', `${head(CHUNKED)}2\r\n{}\n0\r\n\r\n`),
  rejected('a body that ends with LF', `${head(CHUNKED)}2\r\n{}\r\n0\r\n\n`),
  rejected('an extension of 20,000 bytes', `${head(CHUNKED)}2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
  ...['X-Sum: 7', 'Host: other', 'Connection: Content-Length'].map((field) =>
    forwarded(`the trailer ${field}`, `${head(CHUNKED)}2\r\n{}\r\n0\r\n${field}\r\n\r\n`, '{}'),
  ),
  ...['Content-Length: 5', 'Transfer-Encoding: chunked', 'X-A : 1', 'X-A: 1\nX-B: 2'].map((field) =>
    rejected(`the trailer ${JSON.stringify(field)}`, `${head(CHUNKED)}2\r\n{}\r\n0\r\n${field}\r\n\r\n`),
  ),
  forwarded('empty lines before a request', `\r\n\r\n${head(length())}${BODY}`),
  ...['GET', 'HEAD'].flatMap((method) => [
    forwarded(`${method} with a length`, head(length(SMUGGLED)).replace('POST', method) + SMUGGLED, SMUGGLED),
    forwarded(`${method} with chunks`, head(CHUNKED).replace('POST', method) + CHUNKS),
    forwarded(`${method} without a body`, head().replace('POST', method), ''),
  ]),

  // Targets, versions, and fields about the connection.
  forwarded('an absolute target', starting('POST http://other/plants HTTP/1.1')),
  rejected('two Hosts', head('hOST: other', length()) + BODY),
  rejected(
    'CONNECT with a length',
    `CONNECT other:443 HTTP/1.1\r\nHost: other:443\r\n${length(SMUGGLED)}\r\n\r\n${SMUGGLED}`,
  ),
  last('Upgrade to h2c', head('Connection: Upgrade', 'Upgrade: h2c', length()) + BODY),
  last('Upgrade with chunks', head('Connection: Upgrade', 'Upgrade: websocket', CHUNKED) + CHUNKS),
  forwarded('Upgrade without Connection', head('Upgrade: h2c', length()) + BODY),
  rejected('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00'),
  forwarded('Expect: 100-continue', head('Expect: 100-continue', CHUNKED) + CHUNKS),
  forwarded('another expectation', head('Expect: 200-ok', length()) + BODY),
  rejected(
    'chunks in HTTP/1.0',
    `POST /plants HTTP/1.0\r\nConnection: keep-alive\r\n${CHUNKED}\r\n\r\n${CHUNKS}`,
  ),
  last('HTTP/1.0', `POST /plants HTTP/1.0\r\n${length()}\r\n\r\n${BODY}`),
  last('Connection: close', head('Connection: close', length()) + BODY),
  rejected('HTTP/0.9', 'GET /plants\r\n\r\n'),
  ...[
    'HTTP/2.0',
    'HTTP/1.2',
    'HTTP/1.10',
    'HTTP/01.1',
    'http/1.1',
    'HTTP/1',
    'ICE/1.0',
    'HTTP/1.1 ',
    'HTTP/1.1\x00',
  ].map((version) => rejected(`the version ${JSON.stringify(version)}`, starting(`POST /plants ${version}`))),
  ...['/pl ants', '/plants\t', '/plants\x00', '/pl\nants', '/pl\xe4nts', '', 'plants'].map((target) =>
    rejected(`the target ${JSON.stringify(target)}`, starting(`POST ${target} HTTP/1.1`)),
  ),
  ...['POST\t', 'P OST ', 'post ', 'BREW ', 'POST\x00 ', ' POST '].map((method) =>
    rejected(`the method ${JSON.stringify(method)}`, starting(`${method}/plants HTTP/1.1`)),
  ),
];

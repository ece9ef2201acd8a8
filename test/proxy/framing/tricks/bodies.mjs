import { BODY, CHUNKED, CHUNKS, forwarded, head, length, rejected, SMUGGLED } from '../trick.mjs';

/** Chunks, trailers and methods. @type {readonly import('../trick.mjs').Trick[]} */
export const BODIES = [
  ...['2', '2;a="b;c"', '0000000002'].map((size) =>
    forwarded(`the chunk size ${JSON.stringify(size)}`, `${head(CHUNKED)}${size}\r\n{}\r\n0\r\n\r\n`, '{}'),
  ),
  forwarded('an extension of the last chunk', `${head(CHUNKED)}2\r\n{}\r\n0;a=b\r\n\r\n`, '{}'),
  forwarded('a last chunk of many zeros', `${head(CHUNKED)}2\r\n{}\r\n00000\r\n\r\n`, '{}'),
  forwarded(
    'chunk sizes in both letter cases',
    `${head(CHUNKED)}a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n`,
    '01234567890123456789',
  ),
  ...[...'2 |2; a=b|0x2|-2|2g|| 2|2,2|ffffffffffffffffffff|2\x00|2;a\nb|2\n|2\r'.split('|')].map((size) =>
    rejected(`the chunk size ${JSON.stringify(size)}`, `${head(CHUNKED)}${size}\r\n{}\r\n0\r\n\r\n`),
  ),
  rejected('a chunk that ends with LF', `${head(CHUNKED)}2\r\n{}\n0\r\n\r\n`),
  rejected('a chunk that ends with CR', `${head(CHUNKED)}2\r\n{}\r0\r\n\r\n`),
  rejected('a chunk that ends with two other bytes', `${head(CHUNKED)}2\r\n{}xx0\r\n\r\n`),
  rejected('a chunk that is longer than its size', `${head(CHUNKED)}1\r\n{}\r\n0\r\n\r\n`),
  rejected('a chunk that is shorter than its size', `${head(CHUNKED)}4\r\n{}\r\n0\r\n\r\n`),
  rejected('a chunk size that ends with LF', `${head(CHUNKED)}2\n{}\r\n0\r\n\r\n`),
  rejected('a last chunk that ends with LF', `${head(CHUNKED)}2\r\n{}\r\n0\n\r\n`),
  rejected('a body that ends with LF', `${head(CHUNKED)}2\r\n{}\r\n0\r\n\n`),
  rejected('an extension that hides a request', `${head(CHUNKED)}2;\n{}\r\n0\r\n\r\n${SMUGGLED}`),
  rejected('an extension of 20,000 bytes', `${head(CHUNKED)}2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),

  forwarded('a trailer', `${head(CHUNKED)}2\r\n{}\r\n0\r\nX-Sum: 7\r\n\r\n`, '{}'),
  ...[
    'Host: other',
    'Connection: Content-Length',
    'Trailer: Host',
    'TE: trailers',
    'Upgrade: h2c',
    'Keep-Alive: 5',
  ].map((field) =>
    forwarded(`the trailer ${field}`, `${head(CHUNKED)}2\r\n{}\r\n0\r\n${field}\r\nX-Sum: 7\r\n\r\n`, '{}'),
  ),
  ...[
    ...'Content-Length: 5|Transfer-Encoding: chunked|X-A : 1|X-A: a\x00b|X-A: 1\nX-B: 2|X-A: 1\r\n folded'.split(
      '|',
    ),
  ].map((field) =>
    rejected(`the trailer ${JSON.stringify(field)}`, `${head(CHUNKED)}2\r\n{}\r\n0\r\n${field}\r\n\r\n`),
  ),
  rejected(
    'Trailer announces a length',
    `${head(CHUNKED, 'Trailer: Content-Length')}2\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n`,
  ),

  forwarded('empty lines before a request', `\r\n\r\n${head(length())}${BODY}`),
  ...['GET', 'HEAD'].flatMap((method) => [
    forwarded(`${method} with a length`, head(length(SMUGGLED)).replace('POST', method) + SMUGGLED, SMUGGLED),
    forwarded(`${method} with chunks`, head(CHUNKED).replace('POST', method) + CHUNKS),
    forwarded(`${method} without a body`, head().replace('POST', method), ''),
    rejected(
      `${method} and Connection: Content-Length`,
      head('Connection: Content-Length', length(SMUGGLED)).replace('POST', method) + SMUGGLED,
    ),
  ]),
  ...['POST', 'PUT', 'PATCH'].map((method) =>
    forwarded(`${method} without a body`, head().replace('POST', method), ''),
  ),
];

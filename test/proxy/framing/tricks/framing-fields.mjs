import { BODY, CHUNKED, CHUNKS, forwarded, head, length, rejected, SMUGGLED, TRIMS_TABS } from '../trick.mjs';

const CONNECTION_NAMES = ['Content-Length', 'Transfer-Encoding', 'Host', 'close\t,\tCONTENT-LENGTH'];
const LENGTHS = ['+22', '22, 22', '0x16', '22.0', '2 2', '"22"', '', '22\x00', '9'.repeat(400)];
const CODINGS = [
  ...'chunked, chunked|identity|gzip, chunked|chunked, gzip|xchunked|chunked;q=1||"chunked"'.split('|'),
  '\x0bchunked',
  'chunked\x00',
];

/** Fields that say where a body ends. @type {readonly import('../trick.mjs').Trick[]} */
export const FRAMING_FIELDS = [
  ...CONNECTION_NAMES.flatMap((value) => [
    rejected(
      `Connection: ${value}, with a length`,
      head(`Connection: ${value}`, length(SMUGGLED)) + SMUGGLED,
    ),
    rejected(`Connection: ${value}, after chunks`, head(CHUNKED, `Connection: ${value}`) + CHUNKS),
  ]),
  rejected(
    'two Connection fields',
    head('Connection: close', 'connection: content-length', length(SMUGGLED)) + SMUGGLED,
  ),
  rejected('Connection in another letter case', head('cOnNeCtIoN: tRaNsFeR-eNcOdInG', CHUNKED) + CHUNKS),
  rejected('Connection names what is not there', head('Connection: Transfer-Encoding', length()) + BODY),
  forwarded('Connection names a field of its own', head('Connection: X-Hop', 'X-Hop: 1', length()) + BODY),
  forwarded('Connection names Connection', head('Connection: Connection', length()) + BODY),
  rejected(
    'Proxy-Connection does not matter, but Connection does',
    head('Proxy-Connection: Content-Length', 'Connection: Content-Length', length(SMUGGLED)) + SMUGGLED,
  ),
  forwarded('Proxy-Connection names a length', head('Proxy-Connection: Content-Length', length()) + BODY),
  forwarded('Keep-Alive names a length', head('Keep-Alive: Content-Length', length()) + BODY),

  forwarded('a length', head(length()) + BODY),
  forwarded('a length with zeros before it', head('Content-Length: 00022') + BODY),
  forwarded('a length with spaces around it', head('Content-Length:   22  ') + BODY),
  (TRIMS_TABS ? forwarded : rejected)('a length before a tab', head('Content-Length: 22\t') + BODY),
  forwarded('a length without a space', head('Content-Length:22') + BODY),
  forwarded('a length in upper case', head('CONTENT-LENGTH: 22') + BODY),
  forwarded('a length of 0', head('Content-Length: 0'), ''),
  ...LENGTHS.map((value) => rejected(`Content-Length: ${value}`, head(`Content-Length: ${value}`) + BODY)),
  rejected('two equal lengths', head(length(), length()) + BODY),
  rejected('two lengths', head(length(), 'Content-Length: 0') + BODY),
  rejected('two lengths, the first is 0', head('Content-Length: 0', length(SMUGGLED)) + SMUGGLED),
  rejected(
    'two lengths in two letter cases',
    head('Content-Length: 0', `content-length: ${SMUGGLED.length}`) + SMUGGLED,
  ),
  rejected('three lengths', head(length(), length(), length()) + BODY),
  forwarded('a length under another name', head(length(), 'Content_Length: 5', 'X-Content-Length: 6') + BODY),

  rejected('a length and chunks', head(length(CHUNKS), CHUNKED) + CHUNKS),
  rejected('chunks and a length', head(CHUNKED, length(CHUNKS)) + CHUNKS),
  rejected('chunks and a length of 0', head('Content-Length: 0', CHUNKED) + CHUNKS),
  rejected(
    'a length and chunks that end early',
    `${head(length(`0\r\n\r\n${SMUGGLED}`), CHUNKED)}0\r\n\r\n${SMUGGLED}`,
  ),
  rejected(
    'a length and an unknown coding',
    head(length(SMUGGLED), 'Transfer-Encoding: xchunked') + SMUGGLED,
  ),
  rejected('a length and identity', head(length(SMUGGLED), 'Transfer-Encoding: identity') + SMUGGLED),
  rejected('a length and an empty coding', head(length(SMUGGLED), 'Transfer-Encoding:') + SMUGGLED),
  forwarded(
    'a length and a coding under another name',
    head(length(), 'Transfer_Encoding: chunked', 'X-Transfer-Encoding: chunked') + BODY,
  ),

  forwarded('chunks', head(CHUNKED) + CHUNKS),
  forwarded('chunks in upper case', head('TRANSFER-ENCODING: CHUNKED') + CHUNKS),
  forwarded('chunks with spaces around the coding', head('Transfer-Encoding:   chunked  ') + CHUNKS),
  rejected('a coding before a tab', head('Transfer-Encoding: chunked\t') + CHUNKS),
  forwarded('chunks without a space before the coding', head('Transfer-Encoding:chunked') + CHUNKS),
  ...CODINGS.map((value) =>
    rejected(`Transfer-Encoding: ${value}`, head(`Transfer-Encoding: ${value}`) + CHUNKS),
  ),
  rejected('two equal codings', head(CHUNKED, CHUNKED) + CHUNKS),
  rejected('two codings', head(CHUNKED, 'Transfer-Encoding: identity') + CHUNKS),
  rejected('two codings, chunked last', head('Transfer-Encoding: identity', CHUNKED) + CHUNKS),
  rejected(
    'two codings in two letter cases',
    head('Transfer-Encoding: cow', 'transfer-encoding: chunked') + CHUNKS,
  ),
  rejected('an empty coding and chunked', head('Transfer-Encoding:', CHUNKED) + CHUNKS),
];

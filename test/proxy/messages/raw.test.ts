import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { judge, raw, rawRequest, rawResponse } from './stored.js';

const PLANT = '{"name":"Aloe"}';
const JSON_TYPE = 'Content-Type: application/json';
const CHUNKED = 'Transfer-Encoding: chunked';
const NEW_PLANT = '{"name":"Aloe","id":9223372036854775807}';

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** A raw message, and the keywords of its violations. */
type Row = readonly [what: string, bytes: Uint8Array, keywords?: readonly string[]];

const RESPONSES: readonly Row[] = [
  ['with a length', rawResponse(PLANT)],
  ['with LF at the end of lines', latin1(rawResponse(PLANT).toString('latin1').replaceAll('\r\n', '\n'))],
  ['with a byte-order mark before it', Buffer.concat([Buffer.from('\ufeff'), rawResponse(PLANT)])],
  ['with empty lines before and after it', latin1(`\r\n\n${rawResponse(PLANT)}\n\n`)],
  ['to the end of the file', raw(['HTTP/1.0 200 OK', JSON_TYPE], PLANT)],
  ['over HTTP/2, as curl prints it', raw(['HTTP/2 200 ', 'content-type: application/json'], PLANT)],
  ['over HTTP/3, with no reason', raw(['HTTP/3 200', 'content-type: application/json'], PLANT)],
  [
    'after interim responses',
    latin1(`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\nLink: x\n\n${rawResponse(PLANT)}`),
  ],
  ['in chunks that curl joined', raw(['HTTP/1.1 200 OK', JSON_TYPE, CHUNKED], PLANT)],
  ['encoded twice', rawResponse(brotliCompressSync(gzipSync(PLANT)), '200 OK', 'Content-Encoding: gzip, br')],
  [
    'decoded by curl --compressed',
    raw(['HTTP/1.1 200 OK', JSON_TYPE, 'Content-Encoding: gzip', 'Content-Length: 35'], PLANT),
  ],
  [
    'decoded and joined by curl --compressed',
    raw(['HTTP/1.1 200 OK', JSON_TYPE, 'Content-Encoding: gzip', CHUNKED], PLANT),
  ],
  [
    'with bytes beyond ASCII in a header',
    raw(['HTTP/1.1 200 OK', `${JSON_TYPE}; charset=utf-8`, 'X: \xe4'], '{"name":"Aloë"}'),
  ],
  ['of a 304, with a length', raw(['HTTP/1.1 304 Not Modified', 'Content-Length: 15']), ['status']],
  ['of a status with no meaning', rawResponse(PLANT, '999 Whatever'), ['status']],
  ['with a media type given twice', rawResponse(PLANT, '200 OK', JSON_TYPE), ['media-type']],
  ['without a body, in chunks', raw(['HTTP/1.1 200 OK', JSON_TYPE, CHUNKED]), ['required']],
  ['in gzip, and not JSON', rawResponse(gzipSync('no'), '200 OK', 'Content-Encoding: gzip'), ['json']],
  ['sent as plain text', rawResponse(PLANT, '200 OK', 'Content-Encoding: gzip'), ['content-encoding']],
  ['in malformed UTF-8', rawResponse(latin1('{"name":"\xe4"}')), ['json']],
  [
    'of HTML to the end',
    raw(['HTTP/1.1 502 Bad Gateway', 'Content-Type: text/html'], '<p>HTTP/1.1 200 OK</p>'),
    ['status'],
  ],
];

test.for(RESPONSES)('a response %s', ([, bytes, keywords = []]) => {
  const { conclusion, messages } = judge(bytes);
  expect(messages).toMatchObject([{ keywords, reasons: [] }]);
  expect(conclusion).toBe(keywords.length === 0 ? 'conforms' : 'does-not-conform');
});

test.for<Row>([
  ['with an absolute target', rawRequest(NEW_PLANT, 'POST http://store/base/plants?dry=1 HTTP/1.1')],
  ['with an id past the end of int64', rawRequest('{"name":"Aloe","id":9223372036854775808}'), ['int64']],
  ['with another method', rawRequest(NEW_PLANT, 'put /plants HTTP/1.1'), ['method']],
  ['with another path', rawRequest(NEW_PLANT, 'POST /plant HTTP/1.1'), ['path']],
  [
    'with two tokens',
    rawRequest(NEW_PLANT, 'POST /plants HTTP/1.1', 'Authorization: Bearer another'),
    ['bearer'],
  ],
  [
    'with nothing that the interface requires',
    raw(['GET /plants HTTP/1.1']),
    ['method', 'bearer', 'media-type', 'required'],
  ],
])('a request %s', ([, bytes, keywords = []]) => {
  expect(judge(bytes, 'request').messages).toMatchObject([{ keywords }]);
});

test('a body with an unsupported coding is not judged, and does not pass', () => {
  const bytes = latin1('\x28\xb5\x2f\xfd');
  const { conclusion, messages } = judge(rawResponse(bytes, '200 OK', 'Content-Encoding: zstd'));
  expect(messages).toMatchObject([
    { verdict: 'blocked', keywords: [], reasons: [expect.stringMatching(/"zstd" is not supported/)] },
  ]);
  expect(conclusion).toBe('incomplete');
  // Other violations still count.
  expect(judge(rawResponse(bytes, '302 Found', 'Content-Encoding: zstd')).messages).toMatchObject([
    { verdict: 'fail', keywords: ['status'] },
  ]);
});

test('a header section without end is read up to a limit only', () => {
  const bytes = Buffer.concat([latin1('HTTP/1.1 200 OK\r\n'), Buffer.alloc(30 * 2 ** 20, 'a: b\r\n')]);
  const before = process.memoryUsage().heapUsed;
  expect(() => judge(bytes)).toThrow(/header fields of more than 262144 bytes, or no empty line after them/);
  // A field for each line would take thirty times their length.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(200 * 2 ** 20);
});

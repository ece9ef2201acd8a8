import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { judge, raw, rawRequest, rawResponse } from './stored.js';

const PLANT = '{"name":"Aloe"}';
const JSON_TYPE = 'Content-Type: application/json';
const CHUNKED = 'Transfer-Encoding: chunked';
const NEW_PLANT = '{"name":"Aloe","id":9223372036854775807}';

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

describe('raw responses that conform', () => {
  test.for<readonly [what: string, bytes: Uint8Array]>([
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
    ['in gzip', rawResponse(gzipSync(PLANT), '200 OK', 'Content-Encoding: gzip')],
    [
      'encoded twice',
      rawResponse(brotliCompressSync(gzipSync(PLANT)), '200 OK', 'Content-Encoding: gzip, br'),
    ],
    [
      'decoded by curl --compressed',
      raw(['HTTP/1.1 200 OK', JSON_TYPE, 'Content-Encoding: gzip', 'Content-Length: 35'], PLANT),
    ],
    [
      'decoded and joined by curl --compressed',
      raw(['HTTP/1.1 200 OK', JSON_TYPE, 'Content-Encoding: gzip', CHUNKED], PLANT),
    ],
    [
      'of another charset in the header',
      raw(['HTTP/1.1 200 OK', `${JSON_TYPE}; charset=utf-8`, 'X: \xe4'], '{"name":"Aloë"}'),
    ],
    ['a rejection', rawResponse('{"error":1,"message":"no"}', '401 Unauthorized')],
  ])('%s', ([, bytes]) => {
    const { conclusion, messages } = judge(bytes);
    expect(messages.flatMap(({ violations, reasons }) => [...violations, ...reasons])).toEqual([]);
    expect([conclusion, messages.length]).toEqual(['conforms', 1]);
  });
});

describe('raw messages that do not conform', () => {
  test.for<readonly [what: string, bytes: Uint8Array, keywords: readonly string[]]>([
    [
      'a 304, whose length is that of something else',
      raw(['HTTP/1.1 304 Not Modified', 'Content-Length: 15']),
      ['status'],
    ],
    ['an undocumented status', rawResponse('', '204 No Content'), ['status']],
    ['a status with no meaning', rawResponse(PLANT, '999 Whatever'), ['status']],
    ['another media type', raw(['HTTP/1.1 200 OK', 'Content-Type: text/plain'], PLANT), ['media-type']],
    ['a media type given twice', rawResponse(PLANT, '200 OK', JSON_TYPE), ['media-type']],
    ['no body', rawResponse(''), ['required']],
    ['no body in chunks', raw(['HTTP/1.1 200 OK', JSON_TYPE, CHUNKED]), ['required']],
    ['in gzip, and not JSON', rawResponse(gzipSync('no'), '200 OK', 'Content-Encoding: gzip'), ['json']],
    ['malformed UTF-8', rawResponse(latin1('{"name":"\xe4"}')), ['json']],
    [
      'HTML to the end',
      raw(['HTTP/1.1 502 Bad Gateway', 'Content-Type: text/html'], '<p>HTTP/1.1 200 OK</p>'),
      ['status'],
    ],
  ])('%s', ([, bytes, keywords]) => {
    const { conclusion, messages } = judge(bytes);
    expect(messages.flatMap(({ violations }) => violations.map(({ keyword }) => keyword))).toEqual(keywords);
    expect(conclusion).toBe('does-not-conform');
  });

  test('only documented statuses, on request', () => {
    const rejected = rawResponse('{"error":1,"message":"no"}', '401 Unauthorized');
    const { messages } = judge(rejected, 'response', { statuses: 'documented' });
    expect(messages[0]?.violations.map(({ keyword }) => keyword)).toEqual(['status']);
  });
});

describe('raw requests', () => {
  test.for<readonly [what: string, bytes: Uint8Array, keywords: readonly string[]]>([
    ['a creation', rawRequest(NEW_PLANT), []],
    ['an absolute target', rawRequest(NEW_PLANT, 'POST http://store/base/plants?dry=1 HTTP/1.1'), []],
    ['an id past the end of int64', rawRequest('{"name":"Aloe","id":9223372036854775808}'), ['int64']],
    ['another method', rawRequest(NEW_PLANT, 'put /plants HTTP/1.1'), ['method']],
    ['another path', rawRequest(NEW_PLANT, 'POST /plant HTTP/1.1'), ['path']],
    [
      'two tokens',
      rawRequest(NEW_PLANT, 'POST /plants HTTP/1.1', 'Authorization: Bearer another'),
      ['bearer'],
    ],
    [
      'no token and no type',
      raw(['POST /plants HTTP/2', 'host: store'], NEW_PLANT),
      ['bearer', 'media-type'],
    ],
    [
      'nothing that the interface requires',
      raw(['GET /plants HTTP/1.1']),
      ['method', 'bearer', 'media-type', 'required'],
    ],
  ])('%s', ([, bytes, keywords]) => {
    const { messages } = judge(bytes, 'request');
    expect(messages.flatMap(({ violations }) => violations.map(({ keyword }) => keyword))).toEqual(keywords);
    expect(messages).toHaveLength(1);
  });
});

describe('a body that cannot be decoded', () => {
  test.for<readonly [what: string, bytes: Uint8Array, why: RegExp]>([
    [
      'its coding is not supported',
      rawResponse(latin1('\x28\xb5\x2f\xfd'), '200 OK', 'Content-Encoding: zstd'),
      /"zstd" is not supported/,
    ],
  ])('%s: it is not judged, and does not pass', ([, bytes, why]) => {
    const { conclusion, messages } = judge(bytes);
    expect(messages).toMatchObject([
      { verdict: 'blocked', violations: [], reasons: [expect.stringMatching(why)] },
    ]);
    expect(conclusion).toBe('incomplete');
  });

  test.for<readonly [what: string, bytes: Uint8Array]>([
    ['is cut off', rawResponse(gzipSync(PLANT).subarray(0, 20), '200 OK', 'Content-Encoding: gzip')],
    ['was sent as plain text', rawResponse(PLANT, '200 OK', 'Content-Encoding: gzip')],
    ['was sent as plain text instead of br', rawResponse(PLANT, '200 OK', 'Content-Encoding: br')],
  ])('if it %s: nobody can read it, and it does not conform', ([, bytes]) => {
    expect(judge(bytes).messages).toMatchObject([
      { verdict: 'fail', violations: [{ part: 'body', keyword: 'content-encoding' }] },
    ]);
  });

  test('other violations still count', () => {
    const bytes = rawResponse(latin1('\x28\xb5'), '302 Found', 'Content-Encoding: zstd');
    expect(judge(bytes).messages[0]).toMatchObject({ verdict: 'fail', violations: [{ part: 'status' }] });
  });
});

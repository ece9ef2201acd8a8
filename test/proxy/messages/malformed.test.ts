import { describe, expect, test } from 'vitest';
import type { JudgeOptions } from '../../../src/proxy/messages/judge.js';
import { entry, har, raw, rawRequest, rawResponse, rejection } from './stored.js';

const OK = 'HTTP/1.1 200 OK';
const CHUNKED = [OK, 'Transfer-Encoding: chunked'];
const START = 'a message begins with a line such as "POST /plants HTTP/1.1" or "HTTP/1.1 200 OK"';
const NO_HAR =
  'is JSON but not a HAR file, which has /log/entries; for a body alone, name its schema: --as plant, new-plant or error';

type Row = readonly [what: string, bytes: Buffer | string, sentence: string, options?: Partial<JudgeOptions>];

const withEntry = (parts: Parameters<typeof entry>[0]): Buffer => har([entry(parts)]);

const ROWS: readonly Row[] = [
  ['nothing', '', 'is empty'],
  ['white space', ' \r\n\t\n', 'is empty'],
  ['a byte-order mark', '\ufeff', 'is empty'],
  ['nothing, as a body', '\n', 'is empty', { as: 'plant' }],
  [
    'every byte',
    Buffer.from(Array.from({ length: 257 }, (_, at) => (at + 255) % 256)),
    `cannot be read at line 1 (byte 0): ${START}`,
  ],
  ['prose', '\nDear all', `cannot be read at line 1 (byte 0): ${START}`],
  ['a start line without a version', 'POST /plants\r\n\r\n', `cannot be read at line 1 (byte 0): ${START}`],
  [
    'a start line with two spaces',
    'POST  /plants HTTP/1.1\r\n\r\n',
    `cannot be read at line 1 (byte 0): ${START}`,
  ],
  ...['/pl\0ants', '/plants\x7f', 'plants', '', '}/plants', ':80'].map(
    (target): Row => [
      `the target ${JSON.stringify(target)}`,
      `POST ${target} HTTP/1.1\r\n\r\n`,
      `cannot be read at line 1 (byte 0): ${START}`,
    ],
  ),
  ...['O\0K', 'O\x7fK', 'O\rK'].map(
    (reason): Row => [
      `the reason ${JSON.stringify(reason)}`,
      `HTTP/1.1 200 ${reason}\r\n\r\n{}`,
      `cannot be read at line 1 (byte 0): ${START}`,
    ],
  ),
  ['an unknown version', 'HTTP/1.2 200 OK\r\n\r\n', `cannot be read at line 1 (byte 0): ${START}`],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n', `cannot be read at line 1 (byte 0): ${START}`],
  [
    'a head without its start line',
    'Authorization: Bearer x\r\n\r\n',
    `cannot be read at line 1 (byte 0): ${START}`,
  ],
  ...[
    '* Connected to store\n> POST /plants HTTP/1.1\n',
    '23:07:12.549011 *   Trying 127.0.0.1:5999...\n',
    '== Info:   Trying 127.0.0.1:5999...\n== Info: Connected to 127.0.0.1\n',
    '23:07:12.135730 == Info:   Trying 127.0.0.1:5999...\n',
    '[0-0] == Info:   Trying 127.0.0.1:5999...\n',
    '=> Send header, 154 bytes (0x9a)\n0000: POST /plants HTTP/1.1\n',
    '<= Recv header, 17 bytes (0x11)\n0000: HTTP/1.1 200 OK\n',
  ].map(
    (text): Row => [
      `the output of curl -v or --trace: ${text.slice(0, 20)}`,
      text,
      'cannot be read at line 1 (byte 0): it is the output of curl -v or --trace; use curl -i, which prints the message itself',
    ],
  ),
  [
    'a file of mitmproxy',
    '1985:9:websocket;0:~8:response;381:6:reason;2:OK,11:status_code;3:200#',
    'cannot be read at line 1 (byte 0): it is a file of mitmproxy; turn it into a HAR file: mitmdump -nr <file> --set hardump=saved.har',
  ],
  ...[
    '[23:08:50.100] HTTP(S) proxy listening at *:5998.\n',
    '127.0.0.1:35822: POST http://127.0.0.1:5999/plants\n    << 200 OK 15b\n',
    '127.0.0.1:35822: clientconnect\n',
  ].map(
    (text): Row => [
      `the output of mitmdump: ${text.slice(0, 20)}`,
      text,
      'cannot be read at line 1 (byte 0): it is the output of mitmdump; let it write a HAR file: mitmdump --set hardump=saved.har',
    ],
  ),
  [
    'a zip file',
    'PK\x03\x04\x14\0',
    'cannot be read at line 1 (byte 0): it is a zip file; unzip it, and give the .har file that is in it',
  ],
  [
    'UTF-16',
    Buffer.from(`\ufeff${OK}\n\n`, 'utf16le'),
    'cannot be read at line 1 (byte 0): the file is UTF-16, as ">" in PowerShell writes it; let the tool write the file itself (curl -o)',
  ],
  [
    'a head without an end',
    `${OK}\r\nContent-Type: text/plain\r\n`,
    'cannot be read at line 3 (byte 43): it ends before the empty line that ends the header',
  ],
  [
    'a start line alone',
    OK,
    'cannot be read at line 1 (byte 15): it ends before the empty line that ends the header',
  ],
  [
    'a header line without a colon',
    raw([OK, 'Content-Type']),
    'cannot be read at line 2 (byte 17): the header line has no colon',
  ],
  [
    'white space before a colon',
    raw([OK, 'A: b', 'Content-Type : a']),
    'cannot be read at line 3 (byte 23): there is white space between the header name and its colon',
  ],
  [
    'a header without a name',
    raw([OK, ': a']),
    'cannot be read at line 2 (byte 17): the text before the colon is not a header name',
  ],
  [
    'a header whose name has a space',
    raw([OK, 'Content Type: a']),
    'cannot be read at line 2 (byte 17): the text before the colon is not a header name',
  ],
  [
    'a NUL in a header',
    raw([OK, 'A: b\0']),
    'cannot be read at line 2 (byte 17): the header line contains a control character',
  ],
  [
    'a CR in a header',
    raw([OK, 'A: b\rc']),
    'cannot be read at line 2 (byte 17): the header line contains a control character',
  ],
  [
    'a first header line that begins with white space',
    raw([OK, ' a']),
    'cannot be read at line 2 (byte 17): the first header line begins with white space',
  ],
  [
    'an interim response alone',
    raw(['HTTP/1.1 100 Continue']),
    'cannot be read at line 1 (byte 0): no final response follows the interim response',
  ],
  [
    'a length that is not a number',
    raw([OK, 'Content-Length: 1e3'], '{}'),
    'cannot be read at line 1 (byte 0): its Content-Length is not a number',
  ],
  [
    'a negative length',
    raw([OK, 'Content-Length: -1'], '{}'),
    'cannot be read at line 1 (byte 0): its Content-Length is not a number',
  ],
  [
    'two lengths',
    raw([OK, 'Content-Length: 2', 'Content-Length: 3'], '{}'),
    'cannot be read at line 1 (byte 0): it has two different Content-Length values',
  ],
  [
    'a body cut short',
    rawResponse('{"name":"Aloe"}').subarray(0, -1),
    'cannot be read at line 1 (byte 0): its body is incomplete: its Content-Length is 15, but 14 bytes follow',
  ],
  [
    'a missing body',
    raw([OK, 'Content-Length: 15']),
    'cannot be read at line 1 (byte 0): its body is incomplete: its Content-Length is 15, but no bytes follow',
  ],
  [
    'bytes after a body',
    Buffer.concat([rawResponse('{}'), Buffer.from('\n}')]),
    'cannot be read at line 5 (byte 72): its Content-Length is 2, but 2 more bytes follow, and no message begins there',
  ],
  [
    'one byte after a body',
    Buffer.concat([rawResponse('{}'), Buffer.from('}')]),
    'cannot be read at line 5 (byte 72): its Content-Length is 2, but 1 more byte follows, and no message begins there',
  ],
  [
    'a second message cut short',
    Buffer.concat([rawResponse('{}'), rawResponse('{}').subarray(0, -1)]),
    'cannot be read at line 5 (byte 72): its body is incomplete: its Content-Length is 2, but 1 byte follows',
  ],
  [
    'an unsupported transfer coding',
    raw([OK, 'Transfer-Encoding: gzip, chunked'], '0\r\n\r\n'),
    'cannot be read at line 1 (byte 0): the only supported Transfer-Encoding is "chunked"',
  ],
  [
    'a second chunk without a size',
    raw(CHUNKED, '2\r\n{}\r\nx\r\n'),
    'cannot be read at line 6 (byte 54): a chunk must begin with its size in hexadecimal digits',
  ],
  [
    'a chunk cut short',
    raw(CHUNKED, '10\r\n{}'),
    'cannot be read at line 4 (byte 47): the chunk size is 0x10, but 2 bytes follow',
  ],
  [
    'an endless chunk',
    raw(CHUNKED, 'ffffffffffffffffffff\r\n{}'),
    'cannot be read at line 4 (byte 47): the chunk size is 0xffffffffffff…, but 2 bytes follow',
  ],
  [
    'a chunk that is too long',
    raw(CHUNKED, '1\r\n{}\r\n0\r\n\r\n'),
    'cannot be read at line 5 (byte 51): the chunk does not end where its size says',
  ],
  [
    'a chunk whose size is one too large',
    raw(CHUNKED, '3\r\n{}\r\n0\r\n\r\n'),
    'cannot be read at line 5 (byte 53): the chunk does not end where its size says',
  ],
  [
    'the same with LF at the end of lines',
    raw(CHUNKED, '3\n{}\n0\n\n'),
    'cannot be read at line 6 (byte 52): the chunk does not end where its size says',
  ],
  [
    'a chunk cut off within its line end',
    raw(CHUNKED, '2\r\n{}\r'),
    'cannot be read at line 5 (byte 53): it ends before the last chunk of the body',
  ],
  [
    'chunks without the last',
    raw(CHUNKED, '2\r\n{}\r\n'),
    'cannot be read at line 6 (byte 54): it ends before the last chunk of the body',
  ],
  [
    'a chunk without its end',
    raw(CHUNKED, '2\r\n{}'),
    'cannot be read at line 5 (byte 52): it ends before the last chunk of the body',
  ],
  [
    'trailers without an end',
    raw(CHUNKED, '0\r\nA: b\r\n'),
    'cannot be read at line 6 (byte 56): it ends before the empty line that ends the header',
  ],
  [
    'bytes after chunks',
    raw(CHUNKED, '0\r\n\r\n{}'),
    'cannot be read at line 6 (byte 52): after the last chunk, 2 more bytes follow, and no message begins there',
  ],
  ['a request instead of responses', rawRequest('{}'), 'contains no response, only requests'],
  [
    'a response instead of requests',
    rawResponse('{}'),
    'contains no request, only responses',
    { kind: 'request' },
  ],
  ['a HAR given as raw', har([]), `cannot be read at line 1 (byte 0): ${START}`, { format: 'raw' }],
  [
    'a message given as a HAR',
    rawResponse('{}'),
    'cannot be read at line 1 (byte 0): it is not JSON: expected a JSON value, got "H"',
    { format: 'har' },
  ],
  [
    'a message given as a body',
    rawResponse('{}'),
    'contains a whole HTTP message, but --as is for a body alone',
    { as: 'plant' },
  ],
  ['a HAR given as a body', har([]), 'is a HAR file, but --as is for a body alone', { as: 'plant' }],
  ['a body alone', '{"name":"Aloe"}', NO_HAR],
  ['a body alone that is a string', '"Aloe"', NO_HAR],
  ['an array', '[]', NO_HAR],
  ['a log that is not an object', '{"log":[]}', NO_HAR],
  [
    'a HAR cut short',
    har([]).subarray(0, 30),
    'cannot be read at line 1 (byte 30): it is not JSON: the text ends inside a string',
  ],
  [
    'malformed JSON',
    '{\n "log": {,}\n}',
    'cannot be read at line 2 (byte 11): it is not JSON: expected a key in double quotes, got ","',
  ],
  [
    'malformed JSON after a byte-order mark',
    '\ufeff{x',
    'cannot be read at line 1 (byte 4): it is not JSON: expected a key in double quotes, got "x"',
  ],
  [
    'a HAR in Latin-1',
    Buffer.from('{"log":{"a":"\xe4"}}', 'latin1'),
    'cannot be read at line 1 (byte 13): it is not JSON: the bytes are not well-formed UTF-8',
  ],
  [
    'a HAR that nests too deeply',
    `{"log":${'['.repeat(600)}`,
    'cannot be read at line 1 (byte 506): the JSON text nests deeper than 500 levels',
  ],
  ['a HAR without an array of entries', '{"log":{}}', 'cannot be read at /log/entries: an array is missing'],
  [
    'a HAR whose entries are not an array',
    har({}),
    'cannot be read at /log/entries: expected an array, got an object',
  ],
  ['a HAR without entries', har([]), 'is a HAR file without entries'],
  [
    'a HAR of something else',
    withEntry({ request: { method: 'GET' } }),
    'is a HAR file with 1 entry, but none is a POST …/plants',
  ],
  [
    'a HAR of other things',
    har([entry({ request: { url: 'http://store/' } }), entry({ request: { method: 'PUT' } })]),
    'is a HAR file with 2 entries, but none is a POST …/plants',
  ],
  [
    'an entry that is a number',
    har([entry(), 7]),
    'cannot be read at /log/entries/1: expected an object, got 7',
  ],
  ['an entry that is null', har([null]), 'cannot be read at /log/entries/0/request/url: a string is missing'],
  [
    'an entry without a method',
    withEntry({ request: { method: undefined } }),
    'cannot be read at /log/entries/0/request/method: a string is missing',
  ],
  [
    'a URL that is a number',
    withEntry({ request: { url: 7 } }),
    'cannot be read at /log/entries/0/request/url: expected a string, got 7',
  ],
  [
    'headers that are an object',
    withEntry({ response: { headers: {} } }),
    'cannot be read at /log/entries/0/response/headers: expected an array, got an object',
  ],
  [
    'no headers',
    withEntry({ response: { headers: undefined } }),
    'cannot be read at /log/entries/0/response/headers: an array is missing',
  ],
  [
    'a header without a value',
    withEntry({ response: { headers: [{ name: 'a' }] } }),
    'cannot be read at /log/entries/0/response/headers/0/value: a string is missing',
  ],
  [
    'no status',
    withEntry({ response: { status: undefined } }),
    'cannot be read at /log/entries/0/response/status: a number is missing',
  ],
  [
    'a status that is a string',
    withEntry({ response: { status: '200' } }),
    'cannot be read at /log/entries/0/response/status: expected a number, got a string',
  ],
  [
    'content that is a string',
    withEntry({ response: { content: '{}' } }),
    'cannot be read at /log/entries/0/response/content: expected an object, got a string',
  ],
  [
    'a body that is an object',
    withEntry({ response: { content: { text: {} } } }),
    'cannot be read at /log/entries/0/response/content/text: expected a string, got an object',
  ],
  ...['e30', 'e30==', 'e=30', '====', 'e30=e30=', 'e3-_'].map(
    (text): Row => [
      `malformed base64: ${text}`,
      withEntry({ response: { content: { text, encoding: 'base64' } } }),
      'cannot be read at /log/entries/0/response/content/text: it is not base64, which its encoding promises',
    ],
  ),
  [
    'an unknown encoding',
    withEntry({ response: { content: { text: 'e30=', encoding: 'gzip' } } }),
    'cannot be read at /log/entries/0/response/content/encoding: the only encoding in a HAR is "base64"',
  ],
  [
    'posted data that is a string',
    withEntry({ request: { postData: '{}' } }),
    'cannot be read at /log/entries/0/request/postData: expected an object, got a string',
    { kind: 'request' },
  ],
];

describe('input that cannot be read gives one sentence that says where', () => {
  test.for(ROWS)('%s', ([, bytes, sentence, { kind, ...options } = {}]) => {
    expect(rejection(Buffer.from(bytes as string), kind, options)).toBe(`stored ${sentence}`);
  });

  test('a HAR that nests too deeply in a member that is not read', () => {
    const bytes = har([entry()], { _x: 'deep' })
      .toString()
      .replace('"deep"', '['.repeat(600) + ']'.repeat(600));
    expect(rejection(Buffer.from(bytes))).toMatch(
      /^stored cannot be read at line 1 \(byte \d+\): the JSON text nests deeper than 500 levels$/,
    );
  });

  test.for([
    ['an entry', (many: unknown) => har([entry(), { ...entry(), _x: many }])],
    ['a member that is not read', (many: unknown) => har([entry()], { _x: many })],
  ] as const)('a HAR with a million values in %s', ([, withMany]) => {
    const bytes = withMany('many')
      .toString()
      .replace('"many"', `[0${',0'.repeat(1_000_000)}]`);
    expect(rejection(Buffer.from(bytes))).toMatch(
      /^stored cannot be read at line 1 \(byte \d+\): the JSON text has more than 1000000 values in one part$/,
    );
  });

  test('a body of more than 16 MiB', () => {
    for (const format of [undefined, 'json'] as const)
      expect(
        rejection(Buffer.alloc(2 ** 24 + 1, '1'), 'response', { as: 'plant', ...(format && { format }) }),
      ).toBe('stored is longer than 16 MiB');
  });

  test('has enough rows', () => {
    expect(ROWS.length).toBeGreaterThan(60);
  });

  test('the name of a file cannot move the cursor', () => {
    expect(rejection(Buffer.alloc(0), 'response', { file: 'a\u001b[31m' })).toBe('a\\u001b[31m is empty');
    expect(rejection(Buffer.from('x'), 'response', { file: 'a\u001b[31m' })).toMatch(/^a\\u001b\[31m cannot/);
    expect(rejection(Buffer.alloc(0), 'response', { file: '-' })).toBe('standard input is empty');
  });
});

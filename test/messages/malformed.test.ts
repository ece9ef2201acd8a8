import { constants } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JudgeOptions } from '../../src/messages/judge.js';
import { entry, har, raw, rawRequest, rawResponse, refusal } from './stored.js';

const OK = 'HTTP/1.1 200 OK';
const CHUNKED = [OK, 'Transfer-Encoding: chunked'];
const START = 'a message begins with a line such as "POST /plants HTTP/1.1" or "HTTP/1.1 200 OK"';
const NO_HAR =
  'is JSON and no HAR, which has /log/entries; of a bare body, say what it is: --as plant, new-plant or error';

type Row = readonly [what: string, bytes: Buffer | string, sentence: string, options?: Partial<JudgeOptions>];

const withEntry = (parts: Parameters<typeof entry>[0]): Buffer => har([entry(parts)]);

const ROWS: readonly Row[] = [
  ['nothing', '', 'is empty'],
  ['white space', ' \r\n\t\n', 'is empty'],
  ['a byte-order mark', '\ufeff', 'is empty'],
  ['nothing, as a body', '\n', 'is empty', { as: 'plant' }],
  [
    'random bytes',
    Buffer.concat([Buffer.from([0xff, 0x00]), randomBytes(2000)]),
    `cannot be read at line 1 (byte 0): ${START}`,
  ],
  ['prose', '\nDear all', `cannot be read at line 1 (byte 0): ${START}`],
  ['a start line without a version', 'POST /plants\r\n\r\n', `cannot be read at line 1 (byte 0): ${START}`],
  [
    'a start line with two spaces',
    'POST  /plants HTTP/1.1\r\n\r\n',
    `cannot be read at line 1 (byte 0): ${START}`,
  ],
  ['a version that there is not', 'HTTP/1.2 200 OK\r\n\r\n', `cannot be read at line 1 (byte 0): ${START}`],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n', `cannot be read at line 1 (byte 0): ${START}`],
  [
    'a head without its start line',
    'Authorization: Bearer x\r\n\r\n',
    `cannot be read at line 1 (byte 0): ${START}`,
  ],
  [
    'what curl -v tells',
    '* Connected to store\n> POST /plants HTTP/1.1\n',
    'cannot be read at line 1 (byte 0): it is what curl -v tells of a message, and not the message: use curl -i',
  ],
  [
    'UTF-16',
    Buffer.from(`\ufeff${OK}\n\n`, 'utf16le'),
    'cannot be read at line 1 (byte 0): it is UTF-16, as PowerShell writes with ">"; let the tool write the file itself',
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
    'cannot be read at line 3 (byte 23): white space stands between the name of the header and its colon',
  ],
  [
    'a header without a name',
    raw([OK, ': a']),
    'cannot be read at line 2 (byte 17): what stands before the colon names no header',
  ],
  [
    'a header whose name has a space',
    raw([OK, 'Content Type: a']),
    'cannot be read at line 2 (byte 17): what stands before the colon names no header',
  ],
  [
    'a NUL in a header',
    raw([OK, 'A: b\0']),
    'cannot be read at line 2 (byte 17): a control character stands in the header line',
  ],
  [
    'a CR in a header',
    raw([OK, 'A: b\rc']),
    'cannot be read at line 2 (byte 17): a control character stands in the header line',
  ],
  [
    'a value that goes on from nothing',
    raw([OK, ' a']),
    'cannot be read at line 2 (byte 17): white space stands before the first header line',
  ],
  [
    'an interim response alone',
    raw(['HTTP/1.1 100 Continue']),
    'cannot be read at line 1 (byte 0): an interim response is all there is, and no final one follows',
  ],
  [
    'a length that is none',
    raw([OK, 'Content-Length: 1e3'], '{}'),
    'cannot be read at line 1 (byte 0): its Content-Length is no number of bytes',
  ],
  [
    'a negative length',
    raw([OK, 'Content-Length: -1'], '{}'),
    'cannot be read at line 1 (byte 0): its Content-Length is no number of bytes',
  ],
  [
    'two lengths',
    raw([OK, 'Content-Length: 2', 'Content-Length: 3'], '{}'),
    'cannot be read at line 1 (byte 0): it has two different values of Content-Length',
  ],
  [
    'a body cut short',
    rawResponse('{"name":"Aloe"}').subarray(0, -1),
    'cannot be read at line 1 (byte 0): it is cut short, or was changed: its Content-Length is 15, and 14 bytes follow its header',
  ],
  [
    'a body cut off',
    raw([OK, 'Content-Length: 15']),
    'cannot be read at line 1 (byte 0): it is cut short, or was changed: its Content-Length is 15, and no bytes follow its header',
  ],
  [
    'bytes behind a body',
    Buffer.concat([rawResponse('{}'), Buffer.from('\n}')]),
    'cannot be read at line 5 (byte 72): its Content-Length is 2, and 2 more bytes follow that begin no message',
  ],
  [
    'one byte behind a body',
    Buffer.concat([rawResponse('{}'), Buffer.from('}')]),
    'cannot be read at line 5 (byte 72): its Content-Length is 2, and 1 more byte follows that begins no message',
  ],
  [
    'a second message cut short',
    Buffer.concat([rawResponse('{}'), rawResponse('{}').subarray(0, -1)]),
    'cannot be read at line 5 (byte 72): it is cut short, or was changed: its Content-Length is 2, and 1 byte follows its header',
  ],
  [
    'a transfer coding that is not known',
    raw([OK, 'Transfer-Encoding: gzip, chunked'], '0\r\n\r\n'),
    'cannot be read at line 1 (byte 0): a Transfer-Encoding other than "chunked" is not known here',
  ],
  [
    'a second chunk without a size',
    raw(CHUNKED, '2\r\n{}\r\nx\r\n'),
    'cannot be read at line 6 (byte 54): a chunk begins with its size in hexadecimal digits',
  ],
  [
    'a chunk cut short',
    raw(CHUNKED, '10\r\n{}'),
    'cannot be read at line 4 (byte 47): the chunk has a size of 0x10, and 2 bytes follow',
  ],
  [
    'a chunk without bounds',
    raw(CHUNKED, 'ffffffffffffffffffff\r\n{}'),
    'cannot be read at line 4 (byte 47): the chunk has a size of 0xffffffffffff…, and 2 bytes follow',
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
    'bytes behind chunks',
    raw(CHUNKED, '0\r\n\r\n{}'),
    'cannot be read at line 6 (byte 52): its last chunk has come, and 2 more bytes follow that begin no message',
  ],
  ['a request where responses are asked for', rawRequest('{}'), 'holds no response, only a request'],
  [
    'a response where requests are asked for',
    rawResponse('{}'),
    'holds no request, only what answers one',
    { kind: 'request' },
  ],
  ['a HAR that is called raw', har([]), `cannot be read at line 1 (byte 0): ${START}`, { format: 'raw' }],
  [
    'a message that is called a HAR',
    rawResponse('{}'),
    'cannot be read at line 1 (byte 0): it is not JSON: expected a JSON value, got "H"',
    { format: 'har' },
  ],
  [
    'a message that is called a body',
    rawResponse('{}'),
    'holds a whole HTTP message, and --as is for a bare body',
    { as: 'plant' },
  ],
  ['a HAR that is called a body', har([]), 'is a HAR, and --as is for a bare body', { as: 'plant' }],
  ['a bare body', '{"name":"Aloe"}', NO_HAR],
  ['a bare body that is a text', '"Aloe"', NO_HAR],
  ['a list', '[]', NO_HAR],
  ['a log that is no object', '{"log":[]}', NO_HAR],
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
    'malformed JSON behind a mark',
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
    'cannot be read at line 1 (byte 506): it is nested too deeply: the JSON text nests deeper than 500 levels',
  ],
  ['a HAR without a list of entries', '{"log":{}}', 'cannot be read at /log/entries: a list is missing'],
  [
    'a HAR whose entries are no list',
    har({}),
    'cannot be read at /log/entries: a HAR has a list there, not an object',
  ],
  ['a HAR without entries', har([]), 'is a HAR without entries'],
  [
    'a HAR of something else',
    withEntry({ request: { method: 'GET' } }),
    'is a HAR of 1 entry, and none is a POST …/plants',
  ],
  [
    'a HAR of other things',
    har([entry({ request: { url: 'http://store/' } }), entry({ request: { method: 'PUT' } })]),
    'is a HAR of 2 entries, and none is a POST …/plants',
  ],
  [
    'an entry that is none',
    har([entry(), 7]),
    'cannot be read at /log/entries/1: a HAR has an object there, not 7',
  ],
  [
    'an entry that is nothing',
    har([null]),
    'cannot be read at /log/entries/0/request/url: a text is missing',
  ],
  [
    'an entry without a method',
    withEntry({ request: { method: undefined } }),
    'cannot be read at /log/entries/0/request/method: a text is missing',
  ],
  [
    'a URL that is a number',
    withEntry({ request: { url: 7 } }),
    'cannot be read at /log/entries/0/request/url: a HAR has a text there, not 7',
  ],
  [
    'headers that are an object',
    withEntry({ response: { headers: {} } }),
    'cannot be read at /log/entries/0/response/headers: a HAR has a list there, not an object',
  ],
  [
    'no headers',
    withEntry({ response: { headers: undefined } }),
    'cannot be read at /log/entries/0/response/headers: a list is missing',
  ],
  [
    'a header without a value',
    withEntry({ response: { headers: [{ name: 'a' }] } }),
    'cannot be read at /log/entries/0/response/headers/0/value: a text is missing',
  ],
  [
    'no status',
    withEntry({ response: { status: undefined } }),
    'cannot be read at /log/entries/0/response/status: a number is missing',
  ],
  [
    'a status that is a text',
    withEntry({ response: { status: '200' } }),
    'cannot be read at /log/entries/0/response/status: a HAR has a number there, not a text',
  ],
  [
    'content that is a text',
    withEntry({ response: { content: '{}' } }),
    'cannot be read at /log/entries/0/response/content: a HAR has an object there, not a text',
  ],
  [
    'a body that is an object',
    withEntry({ response: { content: { text: {} } } }),
    'cannot be read at /log/entries/0/response/content/text: a HAR has a text there, not an object',
  ],
  ...['e30', 'e30==', 'e=30', '====', 'e30=e30=', 'e3-_'].map(
    (text): Row => [
      `base64 that is none: ${text}`,
      withEntry({ response: { content: { text, encoding: 'base64' } } }),
      'cannot be read at /log/entries/0/response/content/text: it is not base64, as its encoding says',
    ],
  ),
  [
    'an encoding that there is not',
    withEntry({ response: { content: { text: 'e30=', encoding: 'gzip' } } }),
    'cannot be read at /log/entries/0/response/content/encoding: the only encoding of a text in a HAR is "base64"',
  ],
  [
    'posted data that is a text',
    withEntry({ request: { postData: '{}' } }),
    'cannot be read at /log/entries/0/request/postData: a HAR has an object there, not a text',
    { kind: 'request' },
  ],
];

describe('what cannot be read is told in one sentence that says where', () => {
  test.for(ROWS)('%s', ([, bytes, sentence, { kind, ...options } = {}]) => {
    expect(refusal(Buffer.from(bytes as string), kind, options)).toBe(`stored ${sentence}`);
  });

  test('a HAR nests too deeply in what nobody asks for', () => {
    const bytes = har([entry()], { _x: 'deep' })
      .toString()
      .replace('"deep"', '['.repeat(600) + ']'.repeat(600));
    expect(refusal(Buffer.from(bytes))).toMatch(
      /^stored cannot be read at line 1 \(byte \d+\): it is nested too deeply: the JSON text nests deeper than 500 levels$/,
    );
  });

  test.for<Partial<JudgeOptions>>([
    {},
    ...(['raw', 'har'] as const).map((format) => ({ format })),
    { as: 'plant' },
    { as: 'plant', format: 'json' },
  ])('what is longer than a text can be: %o', (options) => {
    const bytes = Buffer.alloc(constants.MAX_STRING_LENGTH + 1);
    expect(refusal(bytes, 'response', options)).toBe(
      `stored is longer than ${constants.MAX_STRING_LENGTH} bytes, which is the most that can be read`,
    );
  });

  test('in enough ways', () => {
    expect(ROWS.length).toBeGreaterThan(60);
  });

  test('the name of a file moves no cursor', () => {
    expect(refusal(Buffer.alloc(0), 'response', { file: 'a\u001b[31m' })).toBe('a\\u001b[31m is empty');
    expect(refusal(Buffer.from('x'), 'response', { file: 'a\u001b[31m' })).toMatch(/^a\\u001b\[31m cannot/);
    expect(refusal(Buffer.alloc(0), 'response', { file: '-' })).toBe('standard input is empty');
  });
});

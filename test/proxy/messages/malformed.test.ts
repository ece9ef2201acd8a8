import { describe, expect, test } from 'vitest';
import type { JudgeOptions } from '../../../src/proxy/messages/judge.js';
import { entry, har, raw, rawRequest, rawResponse, rejection } from './stored.js';

const OK = 'HTTP/1.1 200 OK';
const START =
  'it is not JSON, and a message begins with a line such as "HTTP/1.1 200 OK" or "POST /plants HTTP/1.1"';
const FIELD = 'the line is not a header field, which is a name, a colon and a value';
const NO_HAR =
  'is JSON but not a HAR file, which has /log/entries; for a body alone, name its schema: --as plant, new-plant or error';
const AS_SENT = 'save the message as it was sent (HTTPie: --print=hb --pretty=none)';

type Row = readonly [what: string, bytes: Buffer | string, sentence: string, options?: Partial<JudgeOptions>];

const ROWS: readonly Row[] = [
  ['nothing', '', 'is empty'],
  ['white space', ' \r\n\t\n', 'is empty'],
  ['a byte-order mark', '\ufeff', 'is empty'],
  ['nothing, as a body', '\n', 'is empty', { as: 'plant' }],
  ['prose', '\nDear all', `cannot be read: ${START} (line 2)`],
  ...['POST /plants', 'POST  /plants HTTP/1.1', 'POST /pl\0ants HTTP/1.1', 'POST plants HTTP/1.1'].map(
    (line): Row => [
      `the start line ${JSON.stringify(line)}`,
      `${line}\r\n\r\n`,
      `cannot be read: ${START} (line 1)`,
    ],
  ),
  ...['HTTP/1.1 200 O\0K', 'HTTP/1.1 200 O\rK', 'HTTP/1.2 200 OK', 'HTTP/1.1 20 OK', 'Authorization: x'].map(
    (line): Row => [
      `the start line ${JSON.stringify(line)}`,
      `${line}\r\n\r\n{}`,
      `cannot be read: ${START} (line 1)`,
    ],
  ),
  ...[
    '* Connected to store\n> POST /plants HTTP/1.1\n',
    '23:07:12.549011 *   Trying 127.0.0.1:5999...\n',
    '== Info:   Trying 127.0.0.1:5999...\n== Info: Connected to 127.0.0.1\n',
    '=> Send header, 154 bytes (0x9a)\n0000: POST /plants HTTP/1.1\n',
  ].map(
    (text): Row => [
      `the output of curl -v or --trace: ${text.slice(0, 20)}`,
      text,
      'cannot be read: it is the output of curl -v or --trace; use curl -i, which prints the message itself',
    ],
  ),
  [
    'the output of HTTPie on a terminal',
    '\u001b[34mHTTP\u001b[39;49;00m/\u001b[34m1.1\u001b[39;49;00m 200 OK\r\n',
    'cannot be read: it has the colours of a terminal; let the tool write the message as it is (HTTPie: --print=hb --pretty=none)',
  ],
  [
    'the output of HTTPie that was formatted',
    `${OK}\nContent-Length: 15\nContent-Type: application/json\n\n{\n    "name": "Aloe"\n}\n\n\n`,
    `cannot be read: its Content-Length is 15, but 25 bytes follow; ${AS_SENT}`,
  ],
  [
    'a zip file',
    'PK\x03\x04\x14\0',
    'cannot be read: it is a zip file; unzip it, and give the .har file that is in it',
  ],
  [
    'a head without an end',
    `${OK}\r\nContent-Type: text/plain\r\n`,
    'cannot be read: it ends before the empty line that ends the header (line 3)',
  ],
  ['an interim response alone', raw(['HTTP/1.1 100 Continue']), `cannot be read: ${START} (line 3)`],
  ...['Content-Type', 'Content-Type : a', ': a', 'Content Type: a', ' a', 'A: b\0', 'A: b\rc'].map(
    (line): Row => [
      `the header line ${JSON.stringify(line)}`,
      raw([OK, line]),
      `cannot be read: ${FIELD} (line 2)`,
    ],
  ),
  ...['1e3x', '-1', ''].map(
    (length): Row => [
      `the length "${length}"`,
      raw([OK, `Content-Length: ${length}`], '{}'),
      `cannot be read: its Content-Length is ${length}, but 2 bytes follow; ${AS_SENT}`,
    ],
  ),
  [
    'a length of 1,000 letters',
    raw([OK, `Content-Length: ${'x'.repeat(1_000)}`], '{}'),
    `cannot be read: its Content-Length is ${'x'.repeat(30)}…, but 2 bytes follow; ${AS_SENT}`,
  ],
  [
    'a body cut short',
    rawResponse('{"name":"Aloe"}').subarray(0, -1),
    `cannot be read: its Content-Length is 15, but 14 bytes follow; ${AS_SENT}`,
  ],
  [
    'bytes after a body',
    Buffer.concat([rawResponse('{}'), Buffer.from('\n}')]),
    `cannot be read: its Content-Length is 2, but 4 bytes follow; ${AS_SENT}`,
  ],
  [
    'a body in chunks',
    raw([OK, 'Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'),
    'cannot be read: its body is still in chunks; save it without curl --raw',
  ],
  [
    'a redirection that curl -L followed',
    Buffer.concat([raw(['HTTP/1.1 307 There', 'Content-Length: 0']), rawResponse('{}')]),
    'cannot be read: another message begins in its body; save each response in a file of its own (curl -i without -L)',
  ],
  [
    'a request instead of a response',
    rawRequest('{}'),
    'is a request; save the response, or give the kind request',
  ],
  [
    'a response instead of a request',
    rawResponse('{}'),
    'is a response; save the request, or give the kind response',
    { kind: 'request' },
  ],
  [
    'a message given as a body',
    rawResponse('{}'),
    'contains a whole HTTP message, but --as is for a body alone',
    { as: 'plant' },
  ],
  ['a body alone', '{"name":"Aloe"}', NO_HAR],
  ['a body alone that is a string', '"Aloe"', NO_HAR],
  ['a body alone that is a number', '7', NO_HAR],
  ['an array', '[]', NO_HAR],
  ['a HAR whose entries are not an array', har({}), NO_HAR],
  [
    'a HAR cut short',
    har([]).subarray(0, 30),
    'cannot be read: it is not JSON: the text ends inside a string, at line 1, column 31',
  ],
  [
    'malformed JSON',
    '{\n "log": {,}\n}',
    'cannot be read: it is not JSON: expected a key in double quotes, got ",", at line 2, column 10',
  ],
  [
    'a HAR in Latin-1',
    Buffer.from('{"log":{"a":"\xe4"}}', 'latin1'),
    'cannot be read: it is JSON, but not in UTF-8',
  ],
  ['a HAR without entries', har([]), 'is a HAR file without entries'],
  [
    'a HAR of something else',
    har([entry({ request: { method: 'GET' } })]),
    'is a HAR file with 1 entry, but none is a POST …/plants',
  ],
  [
    'a HAR of other things',
    har([entry({ request: { url: 'http://store/' } }), entry({ request: { method: 'PUT' } })]),
    'is a HAR file with 2 entries, but none is a POST …/plants',
  ],
  [
    'a HAR of a load test',
    har(Array(20_001).fill(entry())),
    'has more than 20000 entries of POST …/plants; export fewer of them',
  ],
];

describe('a file that cannot be read gives one sentence that says what to do', () => {
  test.for(ROWS)('%s', ([, bytes, sentence, { kind, ...options } = {}]) => {
    expect(rejection(Buffer.from(bytes as string), kind, options)).toBe(`stored ${sentence}`);
  });

  test('a body of more than 16 MiB', () => {
    expect(rejection(Buffer.alloc(2 ** 24 + 1, '1'), 'response', { as: 'plant' })).toBe(
      'stored is longer than 16 MiB',
    );
  });

  test('the name of a file cannot move the cursor', () => {
    expect(rejection(Buffer.alloc(0), 'response', { file: 'a\u001b[31m' })).toBe('a\\u001b[31m is empty');
    expect(rejection(Buffer.from('x'), 'response', { file: 'a\u001b[31m' })).toMatch(/^a\\u001b\[31m cannot/);
    expect(rejection(Buffer.alloc(0), 'response', { file: '-' })).toBe('standard input is empty');
  });
});

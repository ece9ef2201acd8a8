import { describe, expect, test } from 'vitest';
import type { JudgeOptions } from '../../../src/proxy/messages/judge.js';
import { entry, har, raw, rawRequest, rawResponse, rejection } from './stored.js';

const OK = 'HTTP/1.1 200 OK';
const isNo = (line: number) =>
  `cannot be read: line ${line} begins neither JSON nor a message, as "HTTP/1.1 200 OK" and "POST /plants HTTP/1.1" do; unpack a zip, and instead of what curl -v or HTTPie print, save what curl -i prints`;
const FIELD = 'cannot be read: line 2 is not a header field, which is a name, a colon and a value';
const NOT_AS_SENT =
  'is not one message as it was sent: its body has another length than it says, is still in chunks, or begins with another message; use curl -i without -L and --raw';
const NO_HAR =
  'is JSON but not a HAR file, which has /log/entries; for a body alone, name its schema: --as plant, new-plant or error';

type Row = readonly [what: string, bytes: Buffer | string, sentence: string, options?: Partial<JudgeOptions>];

const ROWS: readonly Row[] = [
  ['white space', ' \r\n\t\n', 'is empty'],
  ['a byte-order mark', '\ufeff', 'is empty'],
  ['nothing, as a body', '\n', 'is empty', { as: 'plant' }],
  ['prose', '\nDear all', isNo(2)],
  ...[
    ...['POST /plants', 'POST  /plants HTTP/1.1', 'POST /pl\0ants HTTP/1.1', 'POST plants HTTP/1.1'],
    ...['HTTP/1.1 200 O\0K', 'HTTP/1.1 200 O\rK', 'HTTP/1.2 200 OK', 'HTTP/1.1 20 OK', '> GET / HTTP/1.1'],
  ].map((line): Row => [`the start line ${JSON.stringify(line)}`, `${line}\r\n\r\n{}`, isNo(1)]),
  [
    'a head without an end',
    `${OK}\r\nContent-Type: text/plain\r\n`,
    'cannot be read: line 3 ends before the empty line that ends the header',
  ],
  ['an interim response alone', raw(['HTTP/1.1 100 Continue']), isNo(3)],
  ...['Content-Type', 'Content-Type : a', ': a', 'Content Type: a', ' a', 'A: b\0', 'A: b\rc'].map(
    (line): Row => [`the header line ${JSON.stringify(line)}`, raw([OK, line]), FIELD],
  ),
  ...['1e3x', '-1', ''].map(
    (length): Row => [`the length "${length}"`, raw([OK, `Content-Length: ${length}`], '{}'), NOT_AS_SENT],
  ),
  ['a body cut short', rawResponse('{"name":"Aloe"}').subarray(0, -1), NOT_AS_SENT],
  ['bytes after a body', Buffer.concat([rawResponse('{}'), Buffer.from('\n}')]), NOT_AS_SENT],
  ['a body in chunks', raw([OK, 'Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'), NOT_AS_SENT],
  [
    'a redirection that curl -L followed',
    Buffer.concat([raw(['HTTP/1.1 307 There']), rawResponse('{}')]),
    NOT_AS_SENT,
  ],
  ['a request', rawRequest('{}'), 'is a request; save the response, or give the kind request'],
  [
    'a response',
    rawResponse('{}'),
    'is a response; save the request, or give the kind response',
    { kind: 'request' },
  ],
  ['a body alone', '{"name":"Aloe"}', NO_HAR],
  ['a HAR whose entries are not an array', har({}), NO_HAR],
  [
    'a HAR cut short',
    har([]).subarray(0, 30),
    'is not JSON: the text ends inside a string, at line 1, column 31',
  ],
  ['a HAR in Latin-1', Buffer.from('{"log":{"a":"\xe4"}}', 'latin1'), 'is JSON, but not in UTF-8'],
  [
    'a HAR of other things',
    har([entry({ request: { url: 'http://store/' } }), entry({ request: { method: 'PUT' } })]),
    'is a HAR file without a POST …/plants: 2 other requests',
  ],
  [
    'a HAR of a load test',
    har(Array(20_001).fill(entry())),
    'has more than 20000 entries of POST …/plants; export fewer of them',
  ],
  ['more than 16 MiB', Buffer.alloc(2 ** 24 + 1, '1'), 'is longer than 16 MiB', { as: 'plant' }],
];

describe('a file that cannot be read gives one sentence that says what to do', () => {
  test.for(ROWS)('%s', ([, bytes, sentence, { kind, ...options } = {}]) => {
    expect(rejection(Buffer.from(bytes as string), kind, options)).toBe(`stored ${sentence}`);
  });

  test('the name of a file cannot move the cursor', () => {
    expect(rejection(Buffer.alloc(0), 'response', { file: 'a\u001b[31m' })).toBe('a\\u001b[31m is empty');
    expect(rejection(Buffer.alloc(0), 'response', { file: '-' })).toBe('standard input is empty');
  });
});

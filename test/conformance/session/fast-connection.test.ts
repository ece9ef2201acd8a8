// Goes with src/conformance/session/fast-connection.ts: it tests how that works. Whoever replaces it deletes this file.
import { describe, expect, test } from 'vitest';
import { readResponse } from '../../../src/conformance/session/fast-connection.js';

const LENGTH = 'Content-Length: 2';
const CHUNKED = 'Transfer-Encoding: chunked';

const read = (lines: readonly string[], body: string) =>
  readResponse(Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1'));

describe('a response in the usual form', () => {
  test.each<[string, string[], string, string]>([
    ['a length', ['HTTP/1.1 200 OK', LENGTH], '{}', '{}'],
    ['chunks', ['HTTP/1.1 400 No', CHUNKED], '1\r\n{\r\n1\r\n}\r\n0\r\n\r\n', '{}'],
    ['no reason, and spaces around a value', ['HTTP/1.0 200', 'A:   b \t c  ', LENGTH], '{}', '{}'],
  ])('has %s', (_what, lines, body, expected) => {
    const response = read(lines, body);
    if (typeof response === 'string') throw new Error(response);
    expect(response.response.body.toString()).toBe(expected);
    expect(response.response.headers.find(([name]) => name === 'A')?.[1]).toBe(
      lines.length === 3 ? 'b \t c' : undefined,
    );
  });

  test.each<[string, string[], string]>([
    ['a head that goes on', ['HTTP/1.1 200 OK'], ''],
    ['a body that goes on', ['HTTP/1.1 200 OK', LENGTH], '{'],
    ['chunks that go on', ['HTTP/1.1 200 OK', CHUNKED], '2\r\n{}'],
  ])('is incomplete with %s', (_what, lines, body) => {
    const bytes = `${lines.join('\r\n')}\r\n${body === '' ? '' : `\r\n${body}`}`;
    expect(readResponse(Buffer.from(bytes))).toBe('incomplete');
  });
});

// Node's parser rejects these. Were they read here, nobody would notice that a provider sends them.
test.each<[string, string[], string?]>([
  ['a control character in a value', ['HTTP/1.1 200 OK', 'A: b\0c', LENGTH]],
  ['a DEL in a value', ['HTTP/1.1 200 OK', 'A: b\x7f', LENGTH]],
  ['a bare CR in a value', ['HTTP/1.1 200 OK', 'A: b\rc', LENGTH]],
  ['a control character in the reason', ['HTTP/1.1 200 O\x01K', LENGTH]],
  ['a tab after the length', ['HTTP/1.1 200 OK', `${LENGTH}\t`]],
  ['two lengths', ['HTTP/1.1 200 OK', LENGTH, LENGTH]],
  ['two codings', ['HTTP/1.1 200 OK', 'Transfer-Encoding: gzip', CHUNKED], '2\r\n{}\r\n0\r\n\r\n'],
  ['a length and chunks', ['HTTP/1.1 200 OK', LENGTH, CHUNKED], '2\r\n{}\r\n0\r\n\r\n'],
  ['a space before a colon', ['HTTP/1.1 200 OK', 'A : b', LENGTH]],
  ['more bytes than its length', ['HTTP/1.1 200 OK', LENGTH], '{} '],
  ['a chunk that is longer than its size', ['HTTP/1.1 200 OK', CHUNKED], '1\r\n{}\r\n0\r\n\r\n'],
])('%s is not the usual form', (_what, lines, body = '{}') => {
  expect(read(lines, body)).toBe('unusual');
});

test('a long run of spaces takes no time', { timeout: 60_000 }, () => {
  const start = process.cpuUsage();
  expect(read(['HTTP/1.1 200 OK', `A:${' '.repeat(15_000)}\0`, LENGTH], '{}')).toBe('unusual');
  expect(process.cpuUsage(start).user).toBeLessThan(1_000_000);
});

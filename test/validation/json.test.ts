import { readJson, readJsonText } from 'plant-store-contract/validation';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

// json-properties.test.ts and json-test-suite.test.ts compare with JSON.parse what is read, and what is rejected.

const NOT_FOUND = 'expected a JSON value, got the end of the text';
const BYTE_ORDER_MARK = 'the JSON text begins with a byte-order mark';

test('a view into a larger buffer is read from its own start to its own end', () => {
  const bytes = Buffer.from('xx{"id":9007199254740993}yy');
  const view = new Uint8Array(bytes.buffer, bytes.byteOffset + 2, bytes.length - 4);
  expect(readJson(view)).toMatchObject({ ok: true, value: { id: 9007199254740993n } });
});

describe('what is not JSON is rejected with the offset of the first error', () => {
  test.each([
    ['', 0, NOT_FOUND],
    [' \n\t', 3, NOT_FOUND],
    ['[', 1, NOT_FOUND],
    ['{', 1, 'expected a key in double quotes, got the end of the text'],
    ['[1', 2, 'expected "," or "]", got the end of the text'],
    ['{"a":1', 6, 'expected "," or "}", got the end of the text'],
    ['{"a"', 4, 'expected ":" after a key, got the end of the text'],
    ['{"a":', 5, NOT_FOUND],
    ['"abc', 4, 'the text ends inside a string'],
    ['"\\', 1, 'a string has a malformed escape'],
    ['tru', 0, 'expected a JSON value, got "t"'],
    ["{'id':1}", 1, 'expected a key in double quotes, got "\'"'],
    ['{"a" 1}', 5, 'expected ":" after a key, got "1"'],
    ['{"a":1,}', 7, 'expected a key in double quotes, got "}"'],
    ['[1,]', 3, 'expected a JSON value, got "]"'],
    ['[1 2]', 3, 'expected "," or "]", got "2"'],
    ['{"a":1 "b":2}', 7, 'expected "," or "}", got """'],
    ['{}}', 2, 'expected the end of the text after the JSON value, got "}"'],
    ['"a\tb"', 2, 'expected a character of a string, or its escape, got 0x09'],
    ['"\\x41"', 1, 'a string has a malformed escape'],
    ['"a\\é"', 2, 'a string has a malformed escape'],
    ['[1]\0', 3, 'expected the end of the text after the JSON value, got 0x00'],
    // Offsets count characters, as JavaScript does.
    ['["é",🌱]', 5, 'expected a JSON value, got "🌱"'],
    // White space to Unicode, not to JSON.
    ['\u00a0{}', 0, 'expected a JSON value, got 0xa0'],
    ['[\u2028]', 1, 'expected a JSON value, got 0x2028'],
    // It is allowed inside a string only.
    ['\ufeff{}', 0, BYTE_ORDER_MARK],
    ['["\ufeff",\ufeff]', 5, 'expected a JSON value, got 0xfeff'],
    // Each has two of the three bytes of a byte-order mark in UTF-8.
    ['\uff3f{}', 0, 'expected a JSON value, got "\uff3f"'],
  ])('%j', (text, offset, message) => {
    expect(readJsonText(text)).toStrictEqual({ ok: false, offset, message });
  });

  test('bytes: a byte-order mark, and what is not UTF-8', () => {
    const read = (...bytes: number[]) => readJson(Uint8Array.from(bytes));
    expect(read(0xef, 0xbb, 0xbf)).toStrictEqual({ ok: false, offset: 0, message: BYTE_ORDER_MARK });
    const message = 'the bytes are not well-formed UTF-8';
    expect(read(0x22, 0xe6)).toStrictEqual({ ok: false, offset: 0, message });
    // k6 has no TextDecoder, nor has a test in Jest's jsdom.
    vi.stubGlobal('TextDecoder', undefined);
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(read(0xef, 0xbb, 0xbf)).toStrictEqual({ ok: false, offset: 0, message: BYTE_ORDER_MARK });
    for (const bytes of [[0xe6], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0xbf, 0xbf, 0xbf]])
      expect(read(0x22, ...bytes, 0x22)).toStrictEqual({ ok: false, offset: 0, message });
    expect(readJson(Buffer.from('["é🌱"]'))).toMatchObject({ ok: true, value: ['é🌱'] });
  });
});

describe('keys that occur again in their object are reported as JSON pointers, and the last one counts', () => {
  test.each<[string, unknown, string[]]>([
    ['{"a":{"b":[0,{"c":1,"c":2}]}}', { a: { b: [0, { c: 2 }] } }, ['/a/b/1/c']],
    ['[{"a":1,"a":1},{"a":1,"a":1}]', [{ a: 1 }, { a: 1 }], ['/0/a', '/1/a']],
    ['{"a/b":1,"a/b":2}', { 'a/b': 2 }, ['/a~1b']],
    [String.raw`{"a":1,"\u0061":2}`, { a: 2 }, ['/a']],
    ['{"a":{"x":1,"x":2},"a":{"y":3}}', { a: { y: 3 } }, ['/a/x', '/a']],
    ['{"constructor":1,"constructor":2}', { constructor: 2 }, ['/constructor']],
    ['{"a":{"a":{"a":1}}}', { a: { a: { a: 1 } } }, []],
    // Composed and decomposed é are two keys: RFC 8259, section 8.3, compares code units.
    ['{"é":1,"e\u0301":2}', { é: 1, 'e\u0301': 2 }, []],
  ])('%s', (text, value, duplicateKeys) => {
    expect(readJsonText(text)).toStrictEqual({ ok: true, value, duplicateKeys });
  });

  test('the first 10 are listed', () => {
    const read = readJsonText(`{"${'k'.repeat(100_000)}":{"a":1${',"a":1'.repeat(50_000)}}}`);
    expect(read).toMatchObject({ ok: true, duplicateKeys: { length: 10 } });
  });
});

test('__proto__ is a key like any other', () => {
  const read = readJsonText('{"__proto__":1,"__proto__":{"polluted":true},"constructor":{"prototype":1}}');
  if (!read.ok) throw new Error(read.message);
  const value = read.value as Record<string, unknown>;
  expect([Object.keys(value), read.duplicateKeys]).toEqual([['__proto__', 'constructor'], ['/__proto__']]);
  expect(Object.getOwnPropertyDescriptor(value, '__proto__')).toStrictEqual({
    value: { polluted: true },
    writable: true,
    enumerable: true,
    configurable: true,
  });
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  for (const one of [value, {}]) expect(one).not.toHaveProperty('polluted');
});

describe('nesting', () => {
  const nested = (depth: number, open: string, close: string) =>
    `${open.repeat(depth)}1${close.repeat(depth)}`;
  const tooDeep = 'the JSON text nests deeper than 500 levels';

  test.each([
    ['arrays', '[', ']', 500],
    ['objects', '{"a":', '}', 2500],
  ])('500 levels of %s are read, 501 and 100,000 are not', (_, open, close, offset) => {
    expect(readJsonText(nested(500, open, close))).toMatchObject({ ok: true });
    for (const depth of [501, 100_000])
      expect(readJsonText(nested(depth, open, close))).toStrictEqual({ ok: false, offset, message: tooDeep });
  });

  test('levels side by side do not count', () => {
    expect(readJsonText(`[${'[[]],{"a":{}},'.repeat(1_000)}1]`)).toMatchObject({ ok: true });
  });
});

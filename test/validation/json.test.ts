import { readJson, readJsonText } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';

const NOT_FOUND = 'expected a JSON value, got the end of the text';

describe('values are read as they are', () => {
  test.each<[string, unknown]>([
    ['null', null],
    ['true', true],
    ['false', false],
    ['"Aloe"', 'Aloe'],
    ['""', ''],
    ['[]', []],
    ['{}', {}],
    [' \t\r\n{ "a" : [ 1 , null ] }\n', { a: [1, null] }],
    // The exact parser reads it, because of the big integer.
    [' \t\r\n[ 9007199254740993 ]\r', [9007199254740993n]],
    ['{"":{"":""}}', { '': { '': '' } }],
    ['["日本 ш 🌱 é"]', ['日本 ш 🌱 é']],
    ['{"ключ":"🌱"}', { ключ: '🌱' }],
  ])('%s', (text, value) => {
    expect(readJsonText(text)).toStrictEqual({ ok: true, value, duplicateKeys: [] });
  });

  test('a view into a larger buffer is read from its own start to its own end', () => {
    const bytes = Buffer.from('xx{"id":9007199254740993}yy');
    const view = new Uint8Array(bytes.buffer, bytes.byteOffset + 2, bytes.length - 4);
    expect(readJson(view)).toMatchObject({ ok: true, value: { id: 9007199254740993n } });
    const plain = new Uint8Array(Buffer.from('..["é"]..')).subarray(2, -2);
    expect(readJson(plain)).toMatchObject({ ok: true, value: ['é'] });
  });

  test('the bytes are not changed', () => {
    const bytes = Buffer.from('{"a":1,"a":-0}');
    readJson(bytes);
    expect(bytes.toString()).toBe('{"a":1,"a":-0}');
  });
});

describe('escapes', () => {
  test.each([
    [String.raw`"\" \\ \/ \b \f \n \r \t"`, '" \\ / \b \f \n \r \t'],
    [String.raw`"\u0041\u00e9\u00E9"`, 'Aéé'],
    [String.raw`"\ud83c\udf31"`, '🌱'],
    [String.raw`"\u0000"`, '\0'],
    [String.raw`"\u2028 \u007f"`, '\u2028 \x7f'],
    // Lone surrogates are JSON (RFC 8259, section 8.2) and are not changed.
    [String.raw`"\ud800"`, '\ud800'],
    [String.raw`"\udc00 \ud800x"`, '\udc00 \ud800x'],
    [String.raw`"\udf31\ud83c"`, '\udf31\ud83c'],
    [String.raw`"ends in \\"`, 'ends in \\'],
  ])('%s', (text, value) => {
    expect(readJsonText(text)).toMatchObject({ ok: true, value });
    // -0 takes the way of reading that JSON.parse cannot go.
    expect(readJsonText(`[${text},-0]`)).toMatchObject({ ok: true, value: [value, 0] });
  });

  // If these quotation marks ended the strings, they would hide the text between them.
  test.each([
    [String.raw`["\"",-0,"\""]`, ['"', 0, '"']],
    [String.raw`["\"",9007199254740993,"\""]`, ['"', 9007199254740993n, '"']],
    [String.raw`["\\",-0,"\\"]`, ['\\', 0, '\\']],
  ])('%s has an exact number between two escapes', (text, value) => {
    expect(readJsonText(text)).toStrictEqual({ ok: true, value, duplicateKeys: [] });
  });
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
    ['{"a', 3, 'the text ends inside a string'],
    ['"\\', 1, 'a string has a malformed escape'],
    ['tru', 0, 'expected a JSON value, got "t"'],
    ["{'id':1}", 1, 'expected a key in double quotes, got "\'"'],
    ["['a']", 1, 'expected a JSON value, got "\'"'],
    ['{"a" 1}', 5, 'expected ":" after a key, got "1"'],
    ['{"a":1,}', 7, 'expected a key in double quotes, got "}"'],
    ['[1,]', 3, 'expected a JSON value, got "]"'],
    ['[,1]', 1, 'expected a JSON value, got ","'],
    ['[1 2]', 3, 'expected "," or "]", got "2"'],
    ['{"a":1 "b":2}', 7, 'expected "," or "}", got """'],
    ['{}}', 2, 'expected the end of the text after the JSON value, got "}"'],
    ['{"a":1} x', 8, 'expected the end of the text after the JSON value, got "x"'],
    ['// plant\n{}', 0, 'expected a JSON value, got "/"'],
    ['"a\tb"', 2, 'expected a character of a string, or its escape, got 0x09'],
    ['"a\0b"', 2, 'expected a character of a string, or its escape, got 0x00'],
    ['"\\x41"', 1, 'a string has a malformed escape'],
    ['"a\\é"', 2, 'a string has a malformed escape'],
    ['[1]\0', 3, 'expected the end of the text after the JSON value, got 0x00'],
    // Offsets count characters, as JavaScript does.
    ['["é",]', 5, 'expected a JSON value, got "]"'],
    // White space to Unicode, not to JSON.
    ['\u00a0{}', 0, 'expected a JSON value, got 0xa0'],
    ['[\u2028]', 1, 'expected a JSON value, got 0x2028'],
    // Each has two of the three bytes of a byte-order mark in UTF-8.
    ['\uff3f{}', 0, 'expected a JSON value, got "\uff3f"'],
  ])('%j', (text, offset, message) => {
    expect(readJsonText(text)).toStrictEqual({ ok: false, offset, message });
  });

  test('a byte-order mark before the text is rejected at 0', () => {
    const message = 'the JSON text begins with a byte-order mark';
    expect(readJsonText('\ufeff{}')).toStrictEqual({ ok: false, offset: 0, message });
    expect(readJson(Uint8Array.of(0xef, 0xbb, 0xbf))).toStrictEqual({ ok: false, offset: 0, message });
  });

  test('U+FEFF is allowed inside a string only', () => {
    expect(readJsonText('"\ufeffAloe"')).toMatchObject({ ok: true, value: '\ufeffAloe' });
    expect(readJsonText('["\ufeff",-0]')).toMatchObject({ ok: true, value: ['\ufeff', 0] });
    expect(readJsonText('[\ufeff]')).toMatchObject({ ok: false, offset: 1 });
  });
});

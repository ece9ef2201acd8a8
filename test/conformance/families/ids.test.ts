import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { probeFrom } from '../../../src/conformance/families/draft.js';
import { alikeIds } from '../../../src/conformance/families/ids/alike.js';
import { idsThatMayExist } from '../../../src/conformance/families/ids/boundaries.js';
import { drawIds } from '../../../src/conformance/families/ids/explore.js';
import { idsOutside } from '../../../src/conformance/families/ids/outside.js';
import { newIdInShell } from '../../../src/conformance/families/new-ids.js';
import { freshValues } from '../../../src/conformance/sending/fresh-values.js';
import { drawn, misjudged } from './drawn.js';

/** The ids in the requests of a draft, exactly. Zeros after the point and exponents are worked out. */
function idsOf(draft: (typeof idsOutside)[number]): readonly bigint[] {
  return probeFrom(draft)
    .requests(freshValues('any-token'))
    .map(({ body, plant }) => {
      const text = Buffer.from(body).toString();
      const [, digits = '', exponent = '0'] = /"id":(-?\d+)(?:\.0+)?(?:[eE]\+?(\d+))?\}/.exec(text) ?? [];
      const id = BigInt(digits) * 10n ** BigInt(exponent);
      if (plant !== undefined) expect(BigInt(plant.id)).toBe(id);
      return id;
    });
}

function isInt64(id: bigint): boolean {
  return BigInt.asIntN(64, id) === id;
}

describe('core ids', () => {
  test.each(idsOutside.map((draft) => [draft.name, draft] as const))('%s is outside int64', (_, draft) => {
    expect(idsOf(draft).filter(isInt64)).toEqual([]);
    expect(idsOf(draft)).not.toEqual(idsOf(draft));
  });

  test.each(idsThatMayExist.map((draft) => [draft.name, draft] as const))(
    '%s is within int64',
    (_, draft) => {
      const [request] = probeFrom(draft).requests(freshValues('any-token'));
      expect(idsOf(draft).every((id) => id > 0n && isInt64(id))).toBe(true);
      expect(request?.idMayExist).toBe(true);
    },
  );

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

describe('drawn ids', () => {
  const drafts = drawn(drawIds);

  test('are within int64 unless they must be rejected, and no sequence repeats one but the first', () => {
    for (const draft of drafts) {
      const ids = idsOf(draft);
      expect(ids.every(isInt64)).toBe(draft.expectation !== 'rejected');
      if (ids.length > 1) {
        expect(ids.at(-1)).toBe(ids[0]);
        expect(new Set(ids).size).toBe(ids.length - 1);
      }
    }
  });

  test('get what they expect from the reference server', async () => {
    expect(await misjudged(drafts)).toEqual([]);
  });

  test.each([
    'rounds-ids-to-floats',
    'wraps-ids-to-48-bits',
    'wraps-exponents',
    'trims-zeros-of-ids',
  ] as const)('show the fault %s', async (fault) => {
    expect(await misjudged(drawn(drawIds, 1_500), [fault])).not.toEqual([]);
  });
});

describe('new ids in a shell', () => {
  const id = { fresh: 'id' } as const;

  /** What a shell makes of an expression. */
  function evaluated(expression: string | undefined, before: bigint): string {
    return execFileSync('sh', [
      '-c',
      `id=${before}; echo $((${expression?.replaceAll('RANDOM', '4294967295')}))`,
    ])
      .toString()
      .trim();
  }

  test.each([
    ['an ordinary id', id, undefined, undefined],
    ['the next id', { ...id, plus: '1' }, id, '8'],
    ['the id before', id, { ...id, plus: '1' }, '6'],
    ['a multiple', { ...id, times: '64' }, undefined, String(64n * 2n ** 31n)],
    ['the same base', { ...id, times: '10', plus: '3' }, { ...id, plus: '2' }, '53'],
    ['its base', { ...id, plus: '1' }, { ...id, times: '7' }, '2'],
    ['an id between two bounds', { ...id, between: ['10', '19'] }, undefined, '15'],
    ['another base', { ...id, of: 2, plus: '1' }, id, String(2n ** 31n + 1n)],
  ] as const)('%s', (_, piece, before, expected) => {
    const expression = newIdInShell(piece, before);
    if (expected === undefined) expect(expression).toBeUndefined();
    else expect(evaluated(expression, 7n)).toBe(expected);
  });
});

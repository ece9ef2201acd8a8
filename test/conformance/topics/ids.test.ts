import { describe, expect, test } from 'vitest';
import { freshValues, type Probe } from '../../../src/conformance/probe.js';
import { probeOf } from '../../../src/conformance/row.js';
import { idRows } from '../../../src/conformance/topics/ids/rows.js';
import { TOKEN, textOf } from './drawn.js';

/** The ids in the requests of a probe, exactly. Zeros after the point and exponents are worked out. */
function idsOf(probe: Probe): readonly bigint[] {
  return probe.requests(freshValues(TOKEN)).map((request) => {
    const found = /"id":(-?\d+)(?:\.0+)?(?:[eE]\+?(\d+))?[,}]/.exec(textOf(request));
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
  const probes = idRows.map((row) => probeOf(row));
  const idsNamed = (name: string) => idsOf(probes.find((probe) => probe.name === name) as Probe);

  test.each(probes)('$name is within int64 unless it must be rejected, and is new or may exist', (probe) => {
    expect(idsOf(probe).every(isInt64)).toBe(probe.expectation !== 'rejected');
    const [request] = probe.requests(freshValues(TOKEN));
    if (request?.idMayExist !== true) expect(idsOf(probe)).not.toEqual(idsOf(probe));
  });

  test('that are alike in fewer bits differ in their high bits only', () => {
    const [first = 0n, ...others] = idsNamed('ids/alike-in-fewer-bits');
    expect(others.pop()).toBe(first);
    expect(others.map((id) => id - first)).toEqual([2n ** 31n, 2n ** 48n, 2n ** 62n, -(2n ** 63n)]);
  });

  test('that are alike in digits', () => {
    const [first = 0n, next = 0n, ten, seven, minus, again] = idsNamed('ids/alike-in-digits');
    expect(String(first)).toHaveLength(10);
    expect([ten, seven, minus, again]).toEqual([first * 10n, BigInt(`7${first}`), -first, first]);
    expect(next).toBe(first + 1n);
    expect(Math.fround(Number(next))).toBe(Math.fround(Number(first)));
  });

  test('that are alike as doubles', () => {
    const [first = 0n, next = 0n, again] = idsNamed('ids-alike-as-doubles');
    expect([next, again]).toEqual([first + 1n, first]);
    expect(Number(next)).toBe(Number(first));
  });
});

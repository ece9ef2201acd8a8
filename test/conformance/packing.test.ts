import { probes } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { pack } from '../../src/conformance/packing.js';
import { freshValues, type Probe } from '../../src/conformance/probe.js';
import { stringClasses } from '../../src/conformance/topics/strings/values.js';
import type { Value } from '../../src/conformance/topics/values.js';

const values = freshValues('a-token-of-these-tests');
const packing = pack(probes);
const packed = packing.probes.filter((probe) => packing.loads.has(probe));

function valuesIn(some: readonly Probe[], field: Value['of']): readonly Value[] {
  return some
    .flatMap((probe) => packing.loads.get(probe)?.values ?? [])
    .filter((value) => value.of === field);
}

describe('the packed core', () => {
  test('has 410 requests or fewer, and 40 of them or more carry something', () => {
    const count = packing.probes.reduce((sum, probe) => sum + probe.requests(values).length, 0);
    expect(count).toBeLessThanOrEqual(410);
    expect(packed.length).toBeGreaterThan(40);
  });

  test('sends each value once, and texts of every class of characters in names and in tags', () => {
    const classes = stringClasses.filter(({ joins }) => joins).map(({ name }) => name);
    for (const field of ['name', 'tag'] as const) {
      const names = valuesIn(packed, field).map(({ alone }) => alone.name);
      expect(new Set(names).size).toBe(names.length);
      expect(classes.filter((one) => !names.includes(`strings/${field}-${one}-1`))).toEqual([]);
    }
    const ids = valuesIn(packed, 'id').map(({ alone }) => alone.name);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(50);
  });

  test.each(packed)('$name carries what its parts say, and has their rules', (probe) => {
    const load = packing.loads.get(probe);
    const [request] = probe.requests(values);
    const plant = request?.plant;
    expect(plant).toBeDefined();
    expect(String(JSON.parse(String(Buffer.from(request?.body ?? []))).id)).toBe(String(Number(plant?.id)));
    for (const { of, alone } of load?.values ?? []) {
      for (const rule of alone.rules ?? []) expect(probe.rules).toContain(rule);
      if (of === 'tag') expect(plant?.tag).not.toBe('succulent');
      if (of === 'name') expect(plant?.name).not.toMatch(/^Aloe[a-z]{6}$/);
    }
    for (const rule of [...(load?.carrier?.rules ?? []), ...(load?.fields?.rules ?? [])])
      expect(probe.rules).toContain(rule);
    if (load?.fields !== undefined)
      expect(request?.headers.map(([name]) => name)).toEqual(
        load.fields.requests(values)[0]?.headers.map(([name]) => name),
      );
  });

  test('adds a tag to a plant with unknown fields, unless one of them is like a tag', () => {
    const carriedBy = (name: string): readonly Value['of'][] =>
      packed
        .filter((probe) => probe.name === name)
        .flatMap((probe) => packing.loads.get(probe)?.values.map((value) => value.of) ?? []);
    expect(carriedBy('keys/values')).toContain('tag');
    expect(carriedBy('keys/names-like-tag')).not.toContain('tag');
  });

  test('leaves plain plants, sequences, and what must be rejected as they are', () => {
    for (const { name, phase, expectation } of packed) {
      expect([name, phase]).toEqual([name, 'valid']);
      expect(expectation).not.toBe('rejected');
    }
  });

  test('sends the same values in every run', () => {
    const namesOf = ({ loads }: typeof packing) =>
      [...loads.values()].map((load) => load.values.map(({ alone }) => alone.name));
    expect(namesOf(pack(probes))).toEqual(namesOf(packing));
  });
});

test('if few requests can carry something, each kind of name and tag is sent for itself', () => {
  const some = probes.filter(({ name }) => name.startsWith('name-with-') || name.startsWith('tag-with-'));
  expect(pack(some).probes.map(({ name }) => name)).toEqual(some.map(({ name }) => name));
});

import { catalogue, probes, rules } from 'plant-store-contract/conformance';
import { openApiDocument } from 'plant-store-contract/spec';
import { describe, expect, test } from 'vitest';

/** The headings of the interface document that rules may name, and how many numbered rules stand under each. */
const SECTIONS: Readonly<Record<string, number>> = {
  'What the service does': 0,
  'Resources and their fields': 2,
  Endpoints: 3,
  Authentication: 4,
  Errors: 2,
  Limits: 0,
};

function resolve(pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], openApiDocument);
}

describe('the catalogue of rules', () => {
  test('has an id of its own for every rule', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  });

  test.for([...rules])('$id says where it comes from', ({ id, title, level, why, source }) => {
    expect(id).toMatch(/^(success|auth|request|failure|state|unspecified)\/[a-z0-9-]+$/);
    expect(id.startsWith('unspecified/')).toBe(level === 'unspecified');
    expect(title).toMatch(level === 'unspecified' ? /^[A-Z].*\?$/ : /^["A-Z].*\.$/);
    expect(why).toMatch(/\.$/);
    expect(Object.keys(SECTIONS)).toContain(source.section);
    expect(source.rule ?? 0).toBeLessThanOrEqual(SECTIONS[source.section] ?? 0);
    expect(resolve(source.pointer), source.pointer).toBeDefined();
  });

  test.for([...rules])('$id names probes that exist', ({ judges }) => {
    const names = typeof judges === 'function' ? probes.filter(judges).map(({ name }) => name) : judges;
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !probes.some((probe) => probe.name === name))).toEqual([]);
  });

  test('every probe is judged by a rule, and every control is a valid probe', () => {
    for (const probe of probes) {
      const judged = rules.some(({ judges }) =>
        typeof judges === 'function' ? judges(probe) : judges.includes(probe.name),
      );
      expect(judged, probe.name).toBe(true);
      if (probe.control === undefined) continue;
      const control = probes.find(({ name }) => name === probe.control);
      expect(control?.expectation, probe.name).not.toBe('refused');
      expect(control?.expectation, probe.name).toBeDefined();
    }
  });

  test('every request that is to be refused has a control, or follows one', () => {
    const without = probes.filter(
      ({ expectation, control }) => expectation === 'refused' && control === undefined,
    );
    expect(without).toEqual([]);
  });

  test('probes have names of their own, and say what they send', () => {
    expect(new Set(probes.map(({ name }) => name)).size).toBe(probes.length);
    expect(new Set(probes.map(({ title }) => title)).size).toBe(probes.length);
  });

  test('records at least 20 behaviours that the interface leaves open', () => {
    expect(rules.filter(({ level }) => level === 'unspecified').length).toBeGreaterThanOrEqual(20);
  });

  test('explains how each demand is broken and mended', () => {
    for (const { id, broken = '', mend = '', level } of catalogue()) {
      if (level === 'unspecified') continue;
      expect(broken, id).toMatch(/^.{20,}\.$/);
      expect(mend, id).toMatch(/^.{10,}\.$/);
    }
  });
});

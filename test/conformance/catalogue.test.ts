import { probes, rules } from 'plant-store-contract/conformance';
import { openApiDocument } from 'plant-store-contract/spec';
import { describe, expect, test } from 'vitest';

/** The headings of the interface document that rules may name. */
const SECTIONS = ['Resources and their fields', 'Endpoints', 'Authentication', 'Errors'];

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

  test.for([...rules])('$id says where it comes from', ({ id, title, why, source }) => {
    expect(id).toMatch(/^(success|auth|request|failure|state)\/[a-z0-9-]+$/);
    expect(title).toMatch(/^[A-Z].*\.$/);
    expect(why).toMatch(/\.$/);
    expect(SECTIONS).toContain(source.section);
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
      const control = probes.find(({ name }) => name === probe.control);
      expect(control?.kind ?? 'none', probe.name).toBe(probe.kind === 'invalid' ? 'valid' : 'none');
    }
  });
});

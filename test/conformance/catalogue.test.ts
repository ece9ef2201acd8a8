import { catalogue, probes, rules } from 'plant-store-contract/conformance';
import { openApiDocument } from 'plant-store-contract/spec';
import { describe, expect, test } from 'vitest';
import { concerns } from '../../src/conformance/rule.js';

function resolve(pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], openApiDocument);
}

describe('the catalogue of rules', () => {
  test('gives every rule its own id', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  });

  test.for([...rules])('$id has a source in the interface', ({ id, title, level, why, source }) => {
    expect(id).toMatch(/^(success|auth|request|failure|state|unspecified)\/[a-z0-9-]+$/);
    expect(id.startsWith('unspecified/')).toBe(level === 'unspecified');
    expect(title).toMatch(level === 'unspecified' ? /^[A-Z].*\?$/ : /^["A-Z].*\.$/);
    expect(why).toMatch(/\.$/);
    expect(resolve(source), source).toBeDefined();
  });

  test('every rule judges probes that exist', () => {
    for (const { id, probes: judged } of catalogue()) expect(judged.length, id).toBeGreaterThan(0);
    const named = rules.flatMap(({ dependsOn = [] }) => dependsOn);
    expect(named.filter((name) => !probes.some((probe) => probe.name === name))).toEqual([]);
  });

  test('every probe is judged by a rule, and every control is a valid probe', () => {
    for (const probe of probes) {
      expect(
        rules.some((rule) => concerns(rule, probe)),
        probe.name,
      ).toBe(true);
      if (probe.control === undefined) continue;
      const control = probes.find(({ name }) => name === probe.control);
      expect(control?.expectation, probe.name).not.toBe('rejected');
      expect(control?.expectation, probe.name).toBeDefined();
    }
  });

  test('every request that must be rejected has a control', () => {
    const without = probes.filter(
      ({ expectation, control }) => expectation === 'rejected' && control === undefined,
    );
    expect(without).toEqual([]);
  });

  test('every probe has its own name and title', () => {
    expect(new Set(probes.map(({ name }) => name)).size).toBe(probes.length);
    expect(new Set(probes.map(({ title }) => title)).size).toBe(probes.length);
  });

  test('gives a usual cause and a fix for each demand', () => {
    for (const { id, usualCause = '', fix = '', level } of catalogue()) {
      if (level === 'unspecified') continue;
      expect(usualCause, id).toMatch(/^.{20,}\.$/);
      expect(fix, id).toMatch(/^.{10,}\.$/);
    }
  });
});

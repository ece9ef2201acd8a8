import { probes } from 'plant-store-contract/conformance';
import { validateRequest } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';
import { freshValues } from '../../../src/conformance/probe.js';
import { eachOf } from '../../../src/conformance/row.js';
import { typeRows } from '../../../src/conformance/topics/types/rows.js';
import { bodiesOf, textOf } from './drawn.js';

const token = 'a-token-of-these-tests';
const core = probes.filter(({ name }) => name.startsWith('types/'));
const sent = core.map((probe) => ({ probe, body: bodyOf(probe) }));

function bodyOf(probe: (typeof core)[number]): string {
  return textOf(probe.requests(freshValues(token))[0]);
}

describe('core types', () => {
  test('are JSON, and not a NewPlant', () => {
    for (const { probe, body } of sent) {
      expect(() => JSON.parse(body), body).not.toThrow();
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const violations = validateRequest({ method: 'POST', url: '/plants', headers, body });
      expect(violations, body).not.toEqual([]);
      expect(probe.expectation).toBe('rejected');
    }
  });

  test('have nothing wrong but the value that they are about', () => {
    for (const { probe, body } of sent) {
      const field = /^types\/(name|id|tag)-is-/.exec(probe.name)?.[1];
      if (field === undefined) continue;
      expect(Object.keys(JSON.parse(body)).sort()).toEqual(
        Object.keys({ name: 'Aloe', id: 5, [field]: 'wrong' }).sort(),
      );
    }
  });

  test('have each kind of JSON value, empty and not, in each field', () => {
    for (const field of ['name', 'id', 'tag']) {
      const values = typeRows
        .filter(({ name }) => name.replace('types/', '').startsWith(`${field}-is-`))
        .flatMap(eachOf)
        .map((row) => JSON.parse(bodiesOf(row)[0] ?? '')[field]);
      const kinds = new Set(values.map((value) => kindOf(value)));
      const expected = ['array', 'boolean', 'empty array', 'false', 'null', 'number', 'object'];
      expect([...kinds], field).toEqual(expect.arrayContaining(expected));
      expect([...kinds], field).toContain(field === 'id' ? 'string' : 'zero');
    }
  });
});

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'empty array' : 'array';
  if (value === 0) return 'zero';
  if (value === false) return 'false';
  return value === null ? 'null' : typeof value;
}

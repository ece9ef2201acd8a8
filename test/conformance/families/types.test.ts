import { probes } from 'plant-store-contract/conformance';
import { validateRequest } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';
import { probeFrom } from '../../../src/conformance/families/draft.js';
import { drawTypes } from '../../../src/conformance/families/types/explore.js';
import { freshValues } from '../../../src/conformance/sending/fresh-values.js';
import { bodiesOf, drawn, misjudged } from './drawn.js';
import { foundBy } from './found-by.js';

const token = 'a-token-of-these-tests';
const core = probes.filter(({ name }) => name.startsWith('types/'));
const sent = core.map((probe) => ({ probe, body: bodyOf(probe) }));

function bodyOf(probe: (typeof core)[number]): string {
  return Buffer.from(probe.requests(freshValues(token))[0]?.body ?? []).toString();
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
      const { [field]: wrong, ...others } = JSON.parse(body);
      expect(wrong).toBeDefined();
      const plain = { name: 'Aloe', id: 5 };
      expect(Object.keys({ ...others, [field]: wrong }).sort()).toEqual(
        Object.keys({ ...plain, [field]: wrong }).sort(),
      );
    }
  });

  test('have each kind of JSON value, empty and not, in each field', () => {
    const all = probes.filter(({ name }) => /^(?:types\/)?(?:name|id|tag)-is-/.test(name));
    for (const field of ['name', 'id', 'tag']) {
      const values = all
        .filter(({ name }) => name.replace('types/', '').startsWith(`${field}-is-`))
        .map((probe) => JSON.parse(bodyOf(probe))[field]);
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

describe('only types show that the provider', () => {
  test.for([
    'skips-falsy-tags',
    'skips-falsy-names',
    'reads-empty-array-as-name',
    'joins-name-parts',
    'unwraps-values',
    'reads-extended-json',
    'reads-hexadecimal-ids',
    'reads-arrays-as-plants',
    'reads-pairs-as-plants',
    'decodes-json-twice',
    'unwraps-plants',
  ] as const)('%s', async (fault) => {
    expect((await foundBy(fault)).families).toEqual(['types']);
  });
});

describe('drawn types', () => {
  const drafts = drawn(drawTypes, 1_500);

  test('are JSON, and mostly not a NewPlant', () => {
    for (const draft of drafts) expect(() => JSON.parse(bodiesOf(draft)[0] ?? '')).not.toThrow();
    const rejected = drafts.filter(({ expectation }) => expectation === 'rejected');
    expect(rejected.length).toBeGreaterThan(drafts.length / 2);
    for (const draft of rejected) expect(draft.rules).toHaveLength(1);
  });

  test('are as expected at the reference server', async () => {
    expect(await misjudged(drafts)).toEqual([]);
  });

  test('have the strings that the plant says, if they are plants', () => {
    const sentPlants = drafts.flatMap((draft) => probeFrom(draft).requests(freshValues(token)));
    const plants = sentPlants.filter(({ plant }) => plant !== undefined);
    expect(plants.length).toBeGreaterThan(20);
    for (const { body, plant } of plants) {
      const { name, tag } = JSON.parse(Buffer.from(body).toString());
      expect({ name, tag }).toEqual({ name: plant?.name, tag: plant?.tag });
    }
  });

  test.for([
    'skips-falsy-tags',
    'skips-falsy-names',
    'reads-empty-array-as-name',
    'joins-name-parts',
    'unwraps-values',
    'reads-extended-json',
    'reads-hexadecimal-ids',
    'reads-arrays-as-plants',
    'reads-pairs-as-plants',
    'decodes-json-twice',
    'unwraps-plants',
    'unwraps-arrays',
    'cuts-fractions-off',
    'accepts-null-tag',
  ] as const)('show the fault %s', async (fault) => {
    expect(await misjudged(drafts, [fault])).not.toEqual([]);
  });
});

import * as fc from 'fast-check';
import { invalidNewPlant, newPlant, plantJson } from 'plant-store-contract/arbitraries';
import { createPlantStore } from 'plant-store-contract/server';
import { readJson, validateNewPlant, type WritableJson, writeJson } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';

const runs = { numRuns: 500 };

/** Creates a plant in a reference server, and returns the status. */
async function create(json: string): Promise<number> {
  const { fetch } = createPlantStore({ token: 'secret' });
  const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
  const response = await fetch(
    new Request('http://localhost/plants', { method: 'POST', headers, body: json }),
  );
  return response.status;
}

describe('newPlant', () => {
  test('draws what is valid', async () => {
    await fc.assert(
      fc.asyncProperty(newPlant(), async (plant) => {
        expect(validateNewPlant(plant)).toEqual([]);
        expect(await create(writeJson(plant))).toBe(200);
      }),
      runs,
    );
  });

  test('draws ids of the whole int64, with and without a tag', () => {
    const plants = fc.sample(newPlant(), { numRuns: 2000, seed: 1 });
    const ids = plants.map(({ id }) => BigInt(id));
    expect(ids.some((id) => id < -(2n ** 60n))).toBe(true);
    expect(ids.some((id) => id > 2n ** 60n)).toBe(true);
    expect(ids.some((id) => id === 2n ** 31n || id === 2n ** 32n - 1n)).toBe(true);
    expect(plants.some(({ tag }) => tag === undefined)).toBe(true);
    expect(plants.some(({ tag }) => tag !== undefined)).toBe(true);
    expect(plants.some(({ name }) => /[^ -~]/.test(name))).toBe(true);
  });

  test('plain: draws only what every conforming provider accepts', () => {
    fc.assert(
      fc.property(newPlant({ plain: true }), ({ name, id, tag = 'none' }) => {
        expect(name).toMatch(/^[A-Za-z]{1,30}$/);
        expect(tag).toMatch(/^[a-z]{1,30}$/);
        expect(BigInt(id) > 0n && BigInt(id) < 2n ** 63n).toBe(true);
      }),
      runs,
    );
  });

  test('shrinks to the simplest plant', () => {
    const { counterexample } = fc.check(
      fc.property(newPlant({ plain: true }), () => false),
      { seed: 3 },
    );
    expect(counterexample).toEqual([{ name: 'a', id: 1 }]);
  });
});

describe('invalidNewPlant', () => {
  test('draws what a conforming provider rejects', async () => {
    await fc.assert(
      fc.asyncProperty(invalidNewPlant(), async (value) => {
        expect(validateNewPlant(value)).not.toEqual([]);
        expect(await create(writeJson(value as WritableJson))).toBe(400);
      }),
      runs,
    );
  });

  test('draws missing fields, other types, and ids outside int64', () => {
    const texts = fc
      .sample(invalidNewPlant(), { numRuns: 2000, seed: 1 })
      .map((value) => writeJson(value as WritableJson));
    for (const pattern of [
      /^\{"id":/,
      /^\{"name":"\w+"[^i]*\}$/,
      /"name":null/,
      /"tag":\[/,
      /"id":"/,
      /"id":9223372036854775808/,
      /^\[\{/,
      /^null$/,
    ])
      expect(
        texts.some((text) => pattern.test(text)),
        String(pattern),
      ).toBe(true);
  });
});

describe('plantJson', () => {
  test('draws well-formed JSON of the plant that was given', () => {
    const both = newPlant().chain((plant) =>
      fc.record({ plant: fc.constant(plant), text: plantJson(fc.constant(plant)) }),
    );
    fc.assert(
      fc.property(both, ({ plant, text }) => {
        const read = readJson(Buffer.from(text));
        expect(read).toMatchObject({ ok: true, duplicateKeys: [] });
        expect(read.ok && read.value).toEqual(plant);
        expect(JSON.parse(text)).toMatchObject({ name: plant.name });
      }),
      runs,
    );
  });

  test('spells one plant in many ways', () => {
    const texts = fc.sample(plantJson(fc.constant({ name: 'Aloe', id: 7 })), { numRuns: 200, seed: 1 });
    expect(new Set(texts).size).toBeGreaterThan(100);
    expect(texts.some((text) => /^\s*\{\s*"(i|\\u0069)/.test(text))).toBe(true);
    expect(texts.some((text) => text.includes('\\u0041'))).toBe(true);
  });
});

import { expect } from 'vitest';
import type { Ran } from '../../installed-project.js';

/** Tests of the assertions, after the imports of a runner. */
export const ASSERTIONS = `
import { createPlantStore } from 'plant-store-contract/server';
const headers = { 'content-type': 'application/json' };
const leak = { status: 200, headers, body: Buffer.from('{"name":"Aloe","id":7}') };
test('passes', async () => {
  const { fetch } = createPlantStore();
  const response = await fetch(new Request('http://localhost/plants', { method: 'POST' }));
  await expect(response).toConformToPlantStore();
  await expect(response).toBePlantStoreError();
  await expect(response).not.toBePlant();
  expect(leak).not.toConformToPlantStore();
  expect({ name: 'Aloe' }).toBePlant();
  expect({ name: 'Aloe', id: 7n }).toBeNewPlant();
  await expect(Promise.resolve(response)).resolves.toBePlantStoreError();
  expect({ plant: { name: 'Aloe' } }).toEqual({ plant: expect.toBePlant() });
});
test('fails', () => { expect(leak).toConformToPlantStore(); });
test('fails later', async () => { await expect(Response.json({ name: 7 })).toBePlant(); });
test('fails with not', () => { expect({ name: 'Aloe' }).not.toBePlant(); });
test('fails for undefined', () => { expect(undefined).not.toBePlant(); });
const later = () => ({ plant: Response.json({ name: 7 }) });
test('fails if an asymmetric matcher cannot wait', () => { expect(later()).toEqual({ plant: expect.toBePlant() }); });
test('fails if an asymmetric .not cannot wait', () => { expect(later()).toEqual({ plant: expect.not.toBePlant() }); });
`;

/** All tests of {@link ASSERTIONS} but the first one fail, and say why. */
export function expectAssertions({ tests, code }: Ran): void {
  const wrong = tests.filter(({ title, status }) => status !== (title === 'passes' ? 'passed' : 'failed'));
  expect([tests.length, wrong, code]).toEqual([7, [], 1]);
  const message = (title: string) => tests.find((ran) => ran.title === title)?.message;
  expect(message('fails')).toContain('body /id: a Plant has no field "id"; got 7');
  expect(message('fails later')).toContain('body /name: "name" must be a string; got 7');
  expect(message('fails with not')).toContain('expected anything but a Plant; this is one');
  expect(message('fails for undefined')).toContain('undefined was given');
}

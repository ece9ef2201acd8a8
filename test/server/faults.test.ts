import { createPlantStore, errorCodes, faultNames, loadFaults } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { faults } from '../../src/server/faults/index.js';
import { creation, TOKEN } from './plant-request.js';

// That each fault breaks the rules that it names is tested in test/conformance/rules/faults.test.ts.
describe('the registry', () => {
  test('has the faults of faultNames, in their order', async () => {
    expect(Object.keys(faults)).toEqual([...faultNames]);
    expect((await loadFaults()).map(({ name }) => name)).toEqual([...faultNames]);
  });

  test('has at least 70 faults, each once', () => {
    expect(faultNames.length).toBeGreaterThanOrEqual(70);
    expect(new Set(faultNames).size).toBe(faultNames.length);
  });

  test('names each fault in lower case with hyphens, and describes it in a sentence', async () => {
    for (const { name, title } of await loadFaults()) {
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/);
      expect(title, name).toMatch(/^["A-Z].{10,}\.$/);
    }
  });

  test('lists the rules that each fault breaks, each once', async () => {
    for (const { name, breaks } of await loadFaults()) {
      expect(breaks, name).not.toEqual([]);
      expect(new Set(breaks).size, name).toBe(breaks.length);
      for (const rule of breaks) expect(rule, name).toMatch(/^[a-z]+\/[a-z0-9-]+$/);
    }
  });
});

test('several faults work together', async () => {
  const store = createPlantStore({
    token: TOKEN,
    faults: ['leaks-id', 'answers-201', 'requires-tag', 'answers-500'],
  });
  const send = (body: string) => store.fetch(creation(undefined, { body }));
  const created = await send('{"name":"Aloe","id":7,"tag":"a"}');
  expect([created.status, await created.text()]).toEqual([201, '{"name":"Aloe","tag":"a","id":7}']);
  const rejected = await send('{"name":"Aloe","id":8}');
  expect([rejected.status, await rejected.json()]).toEqual([
    500,
    { error: errorCodes['id-invalid'], message: '"tag" is missing' },
  ]);
});

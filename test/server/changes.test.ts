import { createPlantStore, ToolkitError } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { creation, plant, TOKEN } from './plant-request.js';

function storeWith(options = {}) {
  const store = createPlantStore({ token: TOKEN, ...options });
  const create = async (id: number): Promise<[number, string]> => {
    const response = await store.fetch(creation(undefined, { body: plant(id) }));
    return [response.status, await response.text()];
  };
  return { store, create };
}

test('what cannot be set is rejected, and nothing changes', () => {
  const { store } = storeWith({ faults: ['leaks-id'] });
  expect(() => store.setFaults('leaks-ids' as 'leaks-id')).toThrow('did you mean "leaks-id"?');
  expect(() => store.change({ token: 'other' } as object)).toThrow(ToolkitError);
  expect(() => store.change({ duplicateId: 'all' as 'reject' })).toThrow('"duplicateId" must be');
  expect(store.faults()).toEqual(['leaks-id']);
  expect(store.options()).toMatchObject({ duplicateId: 'reject' });
});

test('reset: everything is as at the start, at once', async () => {
  const { store, create } = storeWith({
    failures: [{ status: 503, times: 1 }],
    faults: ['leaks-id'],
    duplicateId: 'reject-different',
  });
  const options = store.options();
  await create(1);
  store.always({ status: 500 });
  store.setFaults('answers-201');
  store.change({ duplicateId: 'replace', authenticationFailureStatus: 401 });
  await create(1);
  store.reset();
  expect([store.plants(), store.received()]).toEqual([[], []]);
  expect([store.faults(), store.options()]).toEqual([['leaks-id'], options]);
  expect(store.unused()).toEqual([{ status: 503, times: 1 }]);
  expect((await create(1))[0]).toBe(503);
  expect(await create(1)).toEqual([200, '{"name":"Aloe","id":1}']);
});

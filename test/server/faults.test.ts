import {
  createPlantStore,
  errorCodes,
  type Fault,
  faultNames,
  loadFaults,
  type PlantStore,
  Rejection,
} from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { creation, plant, TOKEN } from './plant-request.js';

// That each fault breaks the rules that it names, and no others, is tested in test/conformance/verdicts.
describe('the registry', () => {
  test('has the faults of faultNames, in their order', async () => {
    expect((await loadFaults()).map(({ name }) => name)).toEqual([...faultNames]);
  });

  test('has each fault once', () => {
    expect(new Set(faultNames).size).toBe(faultNames.length);
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
    { error: errorCodes['tag-invalid'], message: '"tag" is missing' },
  ]);
});

describe('a fault of your own', () => {
  const shouting: Fault = {
    name: 'shouts-names',
    title: 'Names come back in capitals.',
    breaks: ['success/name-comes-back'],
    replace: ({ render }) => ({
      render: ({ name, ...plant }, request) => render({ ...plant, name: name.toUpperCase() }, request),
    }),
  };
  const picky: Fault = {
    name: 'refuses-ferns',
    title: 'Ferns are rejected.',
    breaks: ['success/plain-names-are-accepted'],
    replace: ({ create }) => ({
      create: async (plant, request) =>
        plant.name === 'Fern' ? new Rejection('name-invalid', 'no ferns') : await create(plant, request),
    }),
  };
  const respond = async ({ fetch }: PlantStore, id: number, name?: string) => {
    const response = await fetch(creation(undefined, { body: plant(id, name) }));
    return [response.status, await response.text()];
  };

  test('works beside those of the package, in their order, from the start and after a reset', async () => {
    const store = createPlantStore({ token: TOKEN, faults: ['leaks-id', shouting] });
    expect(await respond(store, 7)).toEqual([200, '{"name":"ALOE","id":7}']);
    expect(store.faults()).toEqual(['leaks-id', 'shouts-names']);
    store.setFaults();
    expect(await respond(store, 8)).toEqual([200, '{"name":"Aloe"}']);
    store.reset();
    expect(await respond(store, 7)).toEqual([200, '{"name":"ALOE","id":7}']);
  });

  test('can be set on a running server, and reject a plant', async () => {
    const store = createPlantStore({ token: TOKEN });
    store.setFaults(picky, picky);
    expect(store.faults()).toEqual(['refuses-ferns']);
    expect(await respond(store, 7)).toEqual([200, '{"name":"Aloe"}']);
    expect(await respond(store, 8, 'Fern')).toEqual([400, '{"error":32,"message":"no ferns"}']);
  });

  test.for([{}, null, 7, { ...shouting, breaks: 'all' }, { ...shouting, replace: undefined }])(
    '%o is none',
    (fault) =>
      expect(() => createPlantStore({ token: TOKEN, faults: [fault as Fault] })).toThrow(
        'the option "faults" must be a list of fault names (see plant-store-contract serve --list-faults), or of faults; got',
      ),
  );
});

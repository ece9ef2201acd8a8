import { createPlantClient, type PlantClientOptions, ToolkitError } from 'plant-store-contract/client';
import { createPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';

const RIGHT: PlantClientOptions = { baseUrl: 'http://localhost', token: 'secret' };

describe('an invalid option is rejected at once, and named', () => {
  test.each([
    ['a base URL that is none', { baseUrl: '/plants' }, 'base URL'],
    ['a base URL with a query', { baseUrl: 'http://localhost/?a' }, 'base URL'],
    ['no token', { token: undefined }, '"token"'],
  ])('%s', (_what, wrong, names) => {
    let failure: unknown;
    try {
      createPlantClient({ ...RIGHT, ...wrong } as PlantClientOptions);
    } catch (problem) {
      failure = problem;
    }
    expect(failure).toBeInstanceOf(ToolkitError);
    expect(failure).toMatchObject({ code: 'invalid-option', message: expect.stringContaining(names) });
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('secret');
  });
});

describe('what JSON cannot represent exactly is not sent', () => {
  test.each([
    ['an id that was rounded', { name: 'Aloe', id: 2 ** 53 }, 'the integer 9007199254740992 may have been'],
    ['an id that is not a number', { name: 'Aloe', id: Number.NaN }, 'JSON cannot represent NaN'],
    ['a name that is a function', { name: () => 'Aloe', id: 7 }, 'JSON cannot represent a function'],
    ['no plant', undefined, 'the plant cannot be sent: JSON cannot represent undefined'],
  ])('%s', async (_what, plant, message) => {
    const store = createPlantStore();
    const client = createPlantClient({ ...RIGHT, fetch: store.fetch });
    const failure = await client.createPlant(plant as never).catch((problem: unknown) => problem);
    expect(failure).toMatchObject({ code: 'invalid-option', message: expect.stringContaining(message) });
    expect(store.received()).toEqual([]);
  });

  test.each([
    ['a token that no header can carry', 'very secret\n'],
    ['a token of nothing', ''],
    [
      'a function that fails',
      () => {
        throw new Error('the vault is closed');
      },
    ],
  ])('%s', async (_what, token) => {
    const store = createPlantStore();
    const client = createPlantClient({ ...RIGHT, token, fetch: store.fetch });
    const failure = await client.createPlant({ name: 'Aloe', id: 7 }).catch((problem: unknown) => problem);
    expect(failure).toMatchObject({ code: 'invalid-option', message: expect.stringMatching('token') });
    expect((failure as Error).message).not.toContain('very secret');
    expect(store.received()).toEqual([]);
  });
});

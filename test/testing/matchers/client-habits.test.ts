import { AxiosError, type AxiosResponse } from 'axios';
import * as matchers from 'plant-store-contract/matchers';
import { describe, expect, test } from 'vitest';

expect.extend(matchers);

const JSON_TYPE = { 'content-type': 'application/json' };
const PLANT = '{"name":"Aloë","tag":"a/b"}';

/** Why a matcher cannot judge something, which is the same with `.not`. */
async function problemWith(received: unknown): Promise<string> {
  const [one, other] = [await matchers.toBePlant.call({ isNot: false }, received), { isNot: true }];
  const negated = await matchers.toBePlant.call(other, received);
  expect([one.pass, negated.pass]).toEqual([false, true]);
  expect(negated.message()).toBe(one.message());
  return one.message();
}

describe('a response', () => {
  test('of fetch can be read afterwards, by several matchers', async () => {
    const response = new Response(PLANT, { headers: JSON_TYPE });
    await Promise.all([expect(response).toConformToPlantStore(), expect(response).toBePlant()]);
    await expect(response).not.toBePlantStoreError();
    expect(await response.text()).toBe(PLANT);
  });

  test('without headers cannot be judged', async () => {
    expect(await problemWith({ status: 200, body: PLANT })).toMatch(
      /it has a status and a body, but no headers/,
    );
  });
});

describe('an error', () => {
  test('of a client cannot be judged, but its response can', async () => {
    const response = { status: 400, headers: {}, data: {}, config: {}, statusText: '' } as AxiosResponse;
    const error = new AxiosError('Request failed', 'ERR', undefined, undefined, response);
    expect(await problemWith(error)).toMatch(/it is an error that has a response; pass error\.response/);
  });

  test('in a body may have a status, as that of h3', () => {
    expect({ error: 1, message: 'no', statusCode: 400, data: {} }).toBePlantStoreError();
    expect({ error: true, message: 'no', statusCode: 400, data: {} }).not.toBePlantStoreError();
  });
});

describe('a value', () => {
  test('may be circular', async () => {
    const plant: Record<string, unknown> = { name: 'Aloe', id: 7, parents: [] };
    plant.self = plant;
    plant.parents = [plant, { deep: JSON.parse('['.repeat(1_000) + ']'.repeat(1_000)) }];
    expect(plant).toBeNewPlant();
    expect(plant).not.toBePlant();
    expect(() => expect(plant).toBePlant()).toThrow(/no field "self"/);
  });
});

test.each([['documentd'], [null], [400]])('the option "statuses" must not be %o', (statuses) => {
  const plant = { status: 200, headers: JSON_TYPE, body: PLANT };
  for (const assertion of [expect(plant), expect(plant).not])
    expect(() => assertion.toConformToPlantStore({ statuses } as object)).toThrow(
      /: the option "statuses" must be "any-4xx" or "documented"; got /,
    );
});

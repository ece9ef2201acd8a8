import {
  createPlantStore,
  errorCodes,
  type FaultName,
  faultNames,
  loadFaults,
  startPlantStore,
} from 'plant-store-contract/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { BATTERY_TOKEN, type BatteryOutcome, batteryOutcomes } from './fault-battery.js';

async function collected(url: string): Promise<BatteryOutcome[]> {
  const all: BatteryOutcome[] = [];
  for await (const outcome of batteryOutcomes(url)) all.push(outcome);
  return all;
}

let right: BatteryOutcome[];

beforeAll(async () => {
  await using store = await startPlantStore({ token: BATTERY_TOKEN });
  right = await collected(store.url);
});

describe('the registry', () => {
  test('has the faults of faultNames, in their order', async () => {
    expect((await loadFaults()).map(({ name }) => name)).toEqual([...faultNames]);
  });

  test('has at least 70 faults, each once', () => {
    expect(faultNames.length).toBeGreaterThanOrEqual(70);
    expect(new Set(faultNames).size).toBe(faultNames.length);
  });

  test('names each fault in lower case with hyphens, and says in a sentence what it does', async () => {
    for (const { name, title } of await loadFaults()) {
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)+$/);
      expect(title, name).toMatch(/^["A-Z].{10,}\.$/);
    }
  });

  test('says of each fault which rules it breaks, each once', async () => {
    for (const { name, breaks } of await loadFaults()) {
      expect(breaks, name).not.toEqual([]);
      expect(new Set(breaks).size, name).toBe(breaks.length);
      for (const rule of breaks) expect(rule, name).toMatch(/^[a-z]+\/[a-z0-9-]+$/);
    }
  });
});

describe('the battery', () => {
  test('gets the same from every right store', async () => {
    await using store = await startPlantStore({ token: BATTERY_TOKEN });
    expect(await collected(store.url)).toEqual(right);
  });

  test('gets answers of both kinds, and no fault of transport', () => {
    const statuses = right.flatMap(({ outcomes }) => outcomes.map((each) => JSON.parse(each)[0]));
    expect(new Set(statuses)).toEqual(new Set([200, 400, 404, 405]));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(20);
  });
});

/** The first probe that tells a store from a right one; undefined where none does. */
async function firstDifference(url: string): Promise<string | undefined> {
  let index = 0;
  for await (const { what, outcomes } of batteryOutcomes(url)) {
    if (outcomes.join() !== right[index++]?.outcomes.join()) return what;
  }
  return undefined;
}

describe('a client can see each fault', () => {
  test.each(faultNames)('%s', async (name) => {
    await using store = await startPlantStore({ token: BATTERY_TOKEN, faults: [name] });
    expect(await firstDifference(store.url)).toBeDefined();
  });
});

test('several faults work together', async () => {
  const faults: FaultName[] = [
    'accepts-missing-token',
    'leaks-id',
    'answers-201',
    'requires-tag',
    'answers-500',
  ];
  const store = createPlantStore({ faults });
  const send = (body: string) =>
    store.fetch(
      new Request('http://localhost/plants', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      }),
    );
  const created = await send('{"name":"Aloe","id":7,"tag":"a"}');
  expect([created.status, await created.text()]).toEqual([201, '{"name":"Aloe","tag":"a","id":7}']);
  const refused = await send('{"name":"Aloe","id":8}');
  expect([refused.status, await refused.json()]).toEqual([
    500,
    { error: errorCodes['id-invalid'], message: '"tag" is missing' },
  ]);
});

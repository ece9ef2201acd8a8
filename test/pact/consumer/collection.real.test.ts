import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPlantClient } from 'plant-store-contract/client';
import { type PlantStorePact, plantStorePact } from 'plant-store-contract/pact';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Collection, type RunOutcome } from '../../../src/pact/consumer/collection.js';
import { PactFolder } from './collected.js';

const ALOE = { name: 'Aloe', id: 7 };

const PARTIAL: RunOutcome = { result: 'partial', why: 'not all test files ran' };

/** Makes interactions by their names. */
const making =
  (...descriptions: readonly string[]) =>
  async (pact: PlantStorePact) => {
    for (const description of descriptions) await make(pact, description);
  };

function make(
  pact: PlantStorePact,
  description: string,
  plant: { name: string; id: number | bigint } = ALOE,
) {
  return pact.createsPlantWithoutTag(
    ({ url, token, plant }) => createPlantClient({ baseUrl: url, token }).createPlant(plant),
    { description, plant },
  );
}

const descriptionsOf = ({ pact }: Awaited<ReturnType<PactFolder['run']>>) =>
  pact.interactions.map(({ description }) => description);

describe('a pact after a run of all tests', () => {
  test('has the same bytes for the same interactions in any order', async () => {
    const folder = new PactFolder();
    const first = await folder.run(making('b', 'a', 'ab', 'a b', 'B', 'ä'));
    expect(descriptionsOf(first)).toEqual(['B', 'a', 'a b', 'ab', 'b', 'ä']);
    const second = await folder.run(making('ä', 'B', 'ab', 'a', 'a b', 'b'));
    expect(second.text).toBe(first.text);
    expect(first.text.endsWith('}\n')).toBe(true);
  });

  test('distinguishes interactions with one description by their states', async () => {
    const folder = new PactFolder();
    const run = folder.run(async (pact) => {
      for (const states of [[], ['z'], ['a', 'z'], ['a']])
        await pact.interaction(
          (builder) => {
            for (const state of states) builder.given(state);
            return builder.uponReceiving('a').withRequest('GET', '/').willRespondWith(200);
          },
          ({ url }) => fetch(url),
        );
    });
    expect((await run).pact.interactions.map(({ states }) => states.map(({ name }) => name))).toEqual([
      [],
      ['a'],
      ['a', 'z'],
      ['z'],
    ]);
  });

  test('of another consumer or provider is another file', async () => {
    const folder = new PactFolder();
    const collection = new Collection();
    for (const [consumer, provider] of [
      ['b', 'p'],
      ['a', 'p'],
      ['a', 'q'],
    ] as const)
      await make(plantStorePact({ consumer, provider, dir: folder.dir }), 'a');
    expect(collection.finish({ result: 'complete', why: '' })).toBe('');
    expect(readdirSync(folder.dir).sort()).toEqual(['a-p.json', 'a-q.json', 'b-p.json']);
  });
});

describe('interactions that conflict', () => {
  test('are named, and no pact is changed', async () => {
    const folder = new PactFolder();
    const { text } = await folder.run(making('a'));
    const conflict = folder.run(async (pact) => {
      await make(pact, 'new');
      await make(pact, 'a', { name: 'Aloe', id: 2n ** 63n - 1n });
      await make(pact, 'a', { name: 'Aloe', id: 2n ** 63n - 2n });
      await make(plantStorePact({ consumer: 'another', dir: folder.dir }), 'new');
    });
    await expect(conflict).rejects.toMatchObject({
      code: 'conflicting-interactions',
      message:
        `${folder.dir}/web-plant-store.json: two interactions have the description "a", given "no plant with id", and differ: ` +
        'one has "id": "9223372036854775806", the other "id": "9223372036854775807". Give one of them another description.',
    });
    expect(folder.text()).toBe(text);
    expect(readdirSync(folder.dir)).toEqual(['web-plant-store.json']);
  });
});

describe('a run of some tests', () => {
  test('replaces what it makes, and keeps the rest exactly, unless it fails', async () => {
    const folder = new PactFolder();
    await folder.run(async (pact) => {
      await make(pact, 'b', { name: 'Before', id: 2n ** 63n - 1n });
      await make(pact, 'c', { name: 'Before', id: 1 });
    });
    const run = await folder.run(
      async (pact) => {
        await make(pact, 'c', { name: 'Now', id: 1 });
        await make(pact, 'a', { name: 'Now', id: 1 });
      },
      { outcome: PARTIAL },
    );
    expect(run.said).toMatch(
      /web-plant-store\.json keeps 1 earlier interaction, because not all test files ran: "b"\. To remove outdated ones, delete the file and run all tests\.\n$/,
    );
    expect(run.pact.interactions.map(({ request }) => request.body?.value)).toEqual([
      { name: 'Now', id: 1 },
      { name: 'Before', id: 2n ** 63n - 1n },
      { name: 'Now', id: 1 },
    ]);
    const outcome: RunOutcome = { result: 'failed', why: 'the run failed' };
    const failed = await folder.run(making('d'), { outcome });
    expect(failed.said).toMatch(/web-plant-store\.json is unchanged, because the run failed\n$/);
    expect(failed.text).toBe(run.text);
  });

  test('writes the pact if there is none, and says what it may lack', async () => {
    const folder = new PactFolder();
    const [first, again] = [
      await folder.run(making('a'), { outcome: PARTIAL }),
      await folder.run(making('a'), { outcome: PARTIAL }),
    ];
    expect(first.said).toMatch(
      /web-plant-store\.json is new and has 1 interaction\. It may lack others, because not all test files ran\.\n$/,
    );
    expect(again.said).toBe('');
  });

  test.each([
    ['is not JSON', '{', 'is not a pact: it is not JSON'],
    [
      'is of an older specification',
      '{"consumer":{"name":"a"},"provider":{"name":"b"},"interactions":[]}',
      'specification unknown',
    ],
  ])('rejects a file that %s, and does not change it', async (_what, text, message) => {
    const folder = new PactFolder();
    writeFileSync(join(folder.dir, 'web-plant-store.json'), text);
    await expect(folder.run(making('a'), { outcome: PARTIAL })).rejects.toMatchObject({
      code: 'invalid-pact',
      message: expect.stringContaining(message),
    });
    expect(folder.text()).toBe(text);
    expect(readdirSync(folder.dir)).toEqual(['web-plant-store.json']);
  });
});

describe('without a collection', () => {
  const WORKERS = ['VITEST_POOL_ID', 'JEST_WORKER_ID', 'MOCHA_WORKER_ID', 'NODE_TEST_CONTEXT'];

  /** As in a process of another runner. */
  function stub(env: Readonly<Record<string, string>>): void {
    for (const name of WORKERS) vi.stubEnv(name, env[name]);
  }

  afterEach(() => void vi.unstubAllEnvs());

  test.each<[string, Readonly<Record<string, string>>]>([
    ['a plain process', {}],
    ['a process of node:test, the only one that writes it,', { NODE_TEST_CONTEXT: 'child-v8' }],
  ])('%s adds to the pact, with exact ids', async (_which, env) => {
    stub(env);
    const folder = new PactFolder();
    const pact = plantStorePact({ consumer: 'web', dir: folder.dir });
    await make(pact, 'a', { name: 'Aloe', id: 2n ** 63n - 1n });
    await make(pact, 'b', { name: 'Aloe', id: 2n ** 63n - 2n });
    expect(folder.text().match(/"id": \d+/g)).toEqual([
      '"id": 9223372036854775807',
      '"id": 9223372036854775806',
    ]);
  });

  test.each<[setting: RegExp, Readonly<Record<string, string>>]>([
    [
      /add globalSetup: \['plant-store-contract\/pact\/global-setup'\] to .* Vitest$/,
      { VITEST_POOL_ID: '1' },
    ],
    [/jest --runInBand$/, { JEST_WORKER_ID: '2' }],
    [/mocha --no-parallel$/, { MOCHA_WORKER_ID: '1' }],
  ])('one of several processes is rejected: %s', async (setting, env) => {
    stub(env);
    const folder = new PactFolder();
    await expect(make(plantStorePact({ consumer: 'web', dir: folder.dir }), 'a')).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringMatching(setting),
    });
    expect(readdirSync(folder.dir)).toEqual([]);
  });
});

import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPlantClient } from 'plant-store-contract/client';
import { collectPacts, type PlantStorePact, plantStorePact } from 'plant-store-contract/pact';
import { describe, expect, test, vi } from 'vitest';
import { recordStandardError } from '../../standard-error.js';
import { PactFolder } from './collected.js';

const ALOE = { name: 'Aloe', id: 7 };

const said = recordStandardError();

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
    using folder = new PactFolder();
    const first = await folder.run(making('b', 'a', 'ab', 'a b', 'B', 'ä'));
    expect(descriptionsOf(first)).toEqual(['B', 'a', 'a b', 'ab', 'b', 'ä']);
    const second = await folder.run(making('ä', 'B', 'ab', 'a', 'a b', 'b'));
    expect(second.text).toBe(first.text);
    expect(first.text.endsWith('}\n')).toBe(true);
  });

  test('has no interaction that is no longer made', async () => {
    using folder = new PactFolder();
    await folder.run(making('a', 'b'));
    expect(descriptionsOf(await folder.run(making('b', 'c')))).toEqual(['b', 'c']);
  });

  test('has an interaction once that was made twice', async () => {
    using folder = new PactFolder();
    expect(descriptionsOf(await folder.run(making('a', 'a')))).toEqual(['a']);
  });

  test('distinguishes interactions with one description by their states', async () => {
    using folder = new PactFolder();
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

  test('contains no path of this machine', async () => {
    using folder = new PactFolder();
    const { text } = await folder.run(making('a'));
    expect(text).not.toMatch(/tmp|home|work|node_modules|127\.0\.0\.1/);
  });

  test('of another consumer or provider is another file', async () => {
    using folder = new PactFolder();
    const finish = collectPacts();
    for (const [consumer, provider] of [
      ['b', 'p'],
      ['a', 'p'],
      ['a', 'q'],
    ] as const)
      await make(plantStorePact({ consumer, provider, dir: folder.dir }), 'a');
    expect(finish().map(({ file }) => file)).toEqual(
      ['a-p.json', 'a-q.json', 'b-p.json'].map((name) => join(folder.dir, name)),
    );
    expect(readdirSync(folder.dir).sort()).toEqual(['a-p.json', 'a-q.json', 'b-p.json']);
  });
});

describe('interactions that conflict', () => {
  test('are named, and no pact is changed', async () => {
    using folder = new PactFolder();
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
        `${folder.dir}/web-plant-store.json: two interactions have the description "a" (given "no plant with id") and differ: ` +
        'one has "id": "9223372036854775806", the other "id": "9223372036854775807". Give one of them another description.',
    });
    expect(folder.text()).toBe(text);
    expect(readdirSync(folder.dir)).toEqual(['web-plant-store.json']);
  });
});

describe('a run of some tests', () => {
  test('replaces what it makes, and keeps the rest exactly', async () => {
    using folder = new PactFolder();
    await folder.run(async (pact) => {
      await make(pact, 'b', { name: 'Before', id: 2n ** 63n - 1n });
      await make(pact, 'c', { name: 'Before', id: 1 });
    });
    const run = await folder.run(
      async (pact) => {
        await make(pact, 'c', { name: 'Now', id: 1 });
        await make(pact, 'a', { name: 'Now', id: 1 });
      },
      { outcome: 'partial' },
    );
    expect(run.pacts).toMatchObject([{ written: true, interactions: 3, kept: ['b'] }]);
    expect(run.pact.interactions.map(({ request }) => request.body?.value)).toEqual([
      { name: 'Now', id: 1 },
      { name: 'Before', id: 2n ** 63n - 1n },
      { name: 'Now', id: 1 },
    ]);
  });

  test('writes the pact if there is none, and says what it may lack', async () => {
    using folder = new PactFolder();
    const [first, again] = [
      await folder.run(making('a'), { outcome: 'partial' }),
      await folder.run(making('a'), { outcome: 'partial' }),
    ];
    expect(first.pacts).toMatchObject([{ created: true, interactions: 1 }]);
    expect(again.pacts).toMatchObject([{ created: false, interactions: 1 }]);
    expect(said.text).toMatch(
      /web-plant-store\.json is new and has 1 interaction\. It may lack others, because some tests may not have run\.\n$/,
    );
  });

  test.each([
    ['is not JSON', '{', 'is not a pact: it is not JSON'],
    [
      'is of an older specification',
      '{"consumer":{"name":"a"},"provider":{"name":"b"},"interactions":[]}',
      'specification unknown',
    ],
  ])('rejects a file that %s, and does not change it', async (_what, text, message) => {
    using folder = new PactFolder();
    writeFileSync(join(folder.dir, 'web-plant-store.json'), text);
    await expect(folder.run(making('a'), { outcome: 'partial' })).rejects.toMatchObject({
      code: 'invalid-pact',
      message: expect.stringContaining(message),
    });
    expect(folder.text()).toBe(text);
    expect(readdirSync(folder.dir)).toEqual(['web-plant-store.json']);
  });

  test('waits for another process that writes the same pact, but not forever', async () => {
    using folder = new PactFolder();
    const lock = join(folder.dir, 'web-plant-store.json.lock');
    mkdirSync(lock);
    const waiting = vi.spyOn(Atomics, 'wait').mockReturnValue('timed-out');
    await folder.run(making('a'), { outcome: 'partial' });
    expect(waiting).toHaveBeenCalledTimes(500);
    waiting.mockRestore();
    expect(existsSync(lock)).toBe(false);
  });
});

test('a run that says nothing about itself removes nothing, and says what it keeps', async () => {
  using folder = new PactFolder();
  await folder.run(making('a', 'b'));
  expect(said.text).toBe('');
  const finish = collectPacts();
  await make(plantStorePact({ consumer: 'web', dir: folder.dir }), 'b');
  expect(finish()).toMatchObject([{ interactions: 2, kept: ['a'] }]);
  expect(said.text).toMatch(
    /web-plant-store\.json keeps 1 earlier interaction, because some tests may not have run: "a"\. To remove outdated ones, delete the file and run all tests\.\n$/,
  );
});

describe('a run that failed', () => {
  test('does not change the pact, and reports that', async () => {
    using folder = new PactFolder();
    const { text } = await folder.run(making('a'));
    const run = await folder.run(making('b'), { outcome: 'failed' });
    expect(run.pacts).toEqual([
      {
        file: `${folder.dir}/web-plant-store.json`,
        written: false,
        created: false,
        interactions: 0,
        kept: [],
      },
    ]);
    expect(folder.text()).toBe(text);
    expect(said.text).toMatch(/web-plant-store\.json is unchanged, because the run failed\n$/);
  });

  test('writes no pact if there is none, and reports that', async () => {
    using folder = new PactFolder();
    expect((await folder.run(making('a'), { outcome: 'failed' })).text).toBe('');
    expect(said.text).toMatch(/web-plant-store\.json was not written, because the run failed\n$/);
  });
});

describe('temporary files', () => {
  const parts = () =>
    readdirSync(tmpdir()).filter((name) => name.startsWith(`plant-store-parts-${process.pid}-`));

  test('are removed at the end, however it ends', async () => {
    using folder = new PactFolder();
    await folder.run(making('a'));
    await folder.run(making('a'), { outcome: 'failed' });
    await expect(
      folder.run(async (pact) => {
        await make(pact, 'a');
        await make(pact, 'a', { ...ALOE, id: 8 });
      }),
    ).rejects.toThrow();
    expect(parts()).toEqual([]);
  });

  test('of a nested collection are separate', async () => {
    using outer = new PactFolder();
    using inner = new PactFolder();
    const { text } = await outer.run(async (pact) => {
      await make(pact, 'outer 1');
      await inner.run(making('inner'));
      await make(pact, 'outer 2');
    });
    expect(text).toContain('"outer 1"');
    expect(text).toContain('"outer 2"');
    expect(text).not.toContain('inner');
    expect(inner.text()).toContain('"inner"');
  });

  test('a second call of finish does nothing', () => {
    const finish = collectPacts();
    expect(finish()).toEqual([]);
    expect(finish()).toEqual([]);
  });
});

test('an interaction after the end of its collection is rejected: it would be lost', async () => {
  using folder = new PactFolder();
  const finish = collectPacts();
  const pact = plantStorePact({ consumer: 'web', dir: folder.dir });
  finish();
  await expect(make(pact, 'late')).rejects.toMatchObject({ code: 'invalid-option' });
  expect(readdirSync(folder.dir)).toEqual([]);
});

describe('a worker of a test runner does not collect by itself', () => {
  const names = ['VITEST_POOL_ID', 'VITEST_WORKER_ID', 'JEST_WORKER_ID', 'MOCHA_WORKER_ID'];

  test.each(names)('recognised by %s', (name) => {
    for (const other of names) vi.stubEnv(other, other === name ? '1' : undefined);
    expect(() => plantStorePact({ consumer: 'web' })).toThrow(
      expect.objectContaining({
        code: 'invalid-option',
        message: expect.stringMatching(
          /plant-store-contract\/pact\/global-setup'.*plant-store-contract\/pact\/jest'.*plant-store-contract\/pact\/mocha'/,
        ),
      }),
    );
    vi.unstubAllEnvs();
  });
});

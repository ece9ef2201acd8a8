import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { randomFrom } from '../torture/run.mjs';
import { fuzzInThread } from './in-thread.mjs';
import { READERS } from './readers.mjs';
import { type Finding, type Fuzzed, fuzz, sentenceOf } from './run.mjs';

/** Inputs for each reader here. `npm run fuzz` has more. */
const RUNS: Readonly<Record<keyof typeof READERS, number>> = {
  json: 4_000,
  pact: 400,
  broker: 300,
  codings: 1_000,
};

const sources = new URL('../../../src/', import.meta.url).pathname;
const load = (module: string): Promise<unknown> =>
  import(/* @vite-ignore */ `${sources}${module.replace(/\.js$/, '.ts')}`);

/** Fuzzes here, and counts. */
async function fuzzed(reader: Fuzzed, runs: number, from = 0) {
  const counts = { accepted: 0, rejected: 0, wrong: 0 };
  const findings: Finding[] = [];
  await fuzz(
    reader,
    { seed: 1, from, runs },
    { onEnd: (verdict) => counts[verdict]++, onFinding: (finding) => findings.push(finding) },
  );
  return { counts, findings };
}

describe('every reader withstands', () => {
  test.each(Object.entries(RUNS))('%s', async (name, runs) => {
    const reader = await READERS[name as keyof typeof READERS].prepare(load);
    const { counts, findings } = await fuzzed(reader, runs);
    // A busy machine may be slow. `npm run fuzz` looks at the time.
    expect(findings.filter(({ problem }) => !problem.startsWith('it took'))).toEqual([]);
    // Inputs that are all accepted or all rejected would show nothing.
    expect(Math.min(counts.accepted, counts.rejected)).toBeGreaterThan(runs / 10);
  });

  test('all of them, each with the same inputs in every run', async () => {
    expect(Object.keys(RUNS)).toEqual(Object.keys(READERS));
    for (const { prepare } of Object.values(READERS)) {
      const { input } = await prepare(load);
      expect(input(randomFrom(7))).toEqual(input(randomFrom(7)));
    }
  });
});

describe('a finding', () => {
  const wrongAbout: Fuzzed = {
    input: (random) => Math.floor(random() * 10),
    check(digit: number) {
      if (digit === 3) throw new Error('three');
      return 'accepted';
    },
  };

  test('can be made again by its index alone', async () => {
    const { counts, findings } = await fuzzed(wrongAbout, 100);
    expect([counts.rejected, counts.wrong]).toEqual([0, findings.length]);
    const [first] = findings;
    expect(first).toMatchObject({ problem: expect.stringContaining('three'), input: '3' });
    expect((await fuzzed(wrongAbout, 1, first?.index)).findings).toEqual([
      { ...first, problem: expect.stringContaining('three') },
    ]);
  });

  test('is an error of another class, and a message of two lines', () => {
    const ours = (message: string): Error => Object.assign(new Error(message), { name: 'ToolkitError' });
    expect(sentenceOf(ours('one line'))).toBe('one line');
    expect(() => sentenceOf(ours('two\nlines'))).toThrow('not one line');
    expect(() => sentenceOf(new RangeError('deep'))).toThrow(RangeError);
  });

  test('is a hang, and the inputs after it are read', { timeout: 60_000 }, async () => {
    const source = `
      const check = (index) => {
        if (index === 2) for (;;);
        if (index === 4) throw new Error('four');
        return index % 2 === 0 ? 'accepted' : 'rejected';
      };
      let index = 0;
      export const READERS = { slow: { prepare: async (load) => {
        const { from } = (await import('node:worker_threads')).workerData.range;
        index = from;
        return { input: () => index++, check };
      } } };`;
    const module = `data:text/javascript,${encodeURIComponent(source)}`;
    const result = await fuzzInThread(
      { module, name: 'slow', dist: '' },
      { seed: 1, from: 0, runs: 6 },
      { stuckMs: 3_000 },
    );
    expect(result.findings).toMatchObject([
      { index: 2, problem: 'no end after 3000 ms' },
      { index: 4, problem: expect.stringContaining('four') },
    ]);
    expect([result.accepted, result.rejected]).toEqual([1, 3]);
  });
});

test.each([
  [['--only', 'nonsense'], 'there is no reader "nonsense"'],
  [['--runs', 'many'], '--runs must be a whole number'],
])('%j is a usage error', (args, problem) => {
  const main = new URL('main.mjs', import.meta.url).pathname;
  const { status, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, expect.stringContaining(problem)]);
});

import { describe, expect, test } from 'vitest';
import { READERS } from './readers.mjs';
import { type Fuzzed, fuzz, sentenceOf } from './run.mjs';

/** Inputs for each reader here. `npm run fuzz` has more. */
const RUNS: Readonly<Record<keyof typeof READERS, number>> = {
  json: 2_000,
  files: 200,
  codings: 500,
};

const sources = new URL('../../../src/', import.meta.url).pathname;
const load = (module: string): Promise<unknown> =>
  import(/* @vite-ignore */ `${sources}${module.replace(/\.js$/, '.ts')}`);

test.each(Object.entries(RUNS))('every reader withstands: %s', async (name, runs) => {
  const reader = await READERS[name as keyof typeof READERS].prepare(load);
  const { accepted, rejected, findings } = await fuzz(reader, { seed: 1, from: 0, runs });
  // A busy machine may be slow. `npm run fuzz` looks at the time.
  expect(findings.filter(({ problem }) => !problem.startsWith('it took'))).toEqual([]);
  // Inputs that are all accepted or all rejected would show nothing.
  expect(Math.min(accepted, rejected)).toBeGreaterThan(runs / 10);
});

describe('a finding', () => {
  test('can be made again by its index alone', async () => {
    const wrongAboutThree: Fuzzed = {
      input: (random) => Math.floor(random() * 10),
      check(digit: number) {
        if (digit === 3) throw new Error('three');
        return 'accepted';
      },
    };
    const { wrong, findings } = await fuzz(wrongAboutThree, { seed: 1, from: 0, runs: 100 });
    expect(findings).toHaveLength(wrong);
    const [first] = findings;
    expect(first).toMatchObject({ problem: expect.stringContaining('three'), input: '3' });
    const again = await fuzz(wrongAboutThree, { seed: 1, from: first?.index ?? 0, runs: 1 });
    expect(again.findings).toEqual([{ ...first, problem: expect.stringContaining('three') }]);
  });

  test('is an error of another class, and a message of two lines', () => {
    const ours = (message: string): Error => Object.assign(new Error(message), { name: 'ToolkitError' });
    expect(sentenceOf(ours('one line'))).toBe('one line');
    expect(() => sentenceOf(ours('two\nlines'))).toThrow('not one line');
    expect(() => sentenceOf(new RangeError('deep'))).toThrow(RangeError);
  });
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Draws } from '../../../src/conformance/exploring/draws.js';
import { SeededValues } from '../../../src/conformance/exploring/seeded-values.js';
import type { ProbeDraft } from '../../../src/conformance/families/draft.js';

/** Drafts whose bodies are any strings. */
const anyBody: fc.Arbitrary<ProbeDraft> = fc.string({ maxLength: 40 }).map((body) => ({
  name: 'strings/any',
  title: 'any body',
  expectation: 'open',
  phase: 'valid',
  rules: [],
  requests: [{ body }],
}));

const bodyOf = ({ requests }: ProbeDraft): string => String(requests[0]?.body);

function draw(seed: number, index: number, of: number, count: number): string[] {
  const draws = new Draws(fc, anyBody, seed, { index, of });
  return Array.from({ length: count }, () => {
    const { index: at, draft } = draws.next();
    return `${at} ${bodyOf(draft)}`;
  });
}

describe('draws', () => {
  test('are the same for the same seed, and others for another', () => {
    expect(draw(5, 1, 1, 250)).toEqual(draw(5, 1, 1, 250));
    expect(draw(6, 1, 1, 250)).not.toEqual(draw(5, 1, 1, 250));
  });

  test('of all shards are the draws of the seed, each once', () => {
    const shards = [1, 2, 3].flatMap((index) => draw(5, index, 3, 200));
    const byIndex = (a: string, b: string) => Number.parseInt(a, 10) - Number.parseInt(b, 10);
    expect(shards.sort(byIndex)).toEqual(draw(5, 1, 1, 600));
  });

  test('become as small as they can be while they fail', async () => {
    const draws = new Draws(fc, anyBody, 1, { index: 1, of: 1 });
    const fails = (draft: ProbeDraft) => bodyOf(draft).includes('<');
    let found = draws.next();
    for (let tries = 0; tries < 5000 && !(fails(found.draft) && bodyOf(found.draft).length > 3); tries++)
      found = draws.next();
    expect(bodyOf(found.draft)).toContain('<');
    expect(bodyOf(await draws.shrink(found, async (draft) => fails(draft)))).toBe('<');
  });

  test('stay as they are if nothing smaller fails', async () => {
    const draws = new Draws(fc, anyBody, 3, { index: 2, of: 3 });
    const found = draws.next();
    expect(await draws.shrink(found, async () => false)).toEqual(found.draft);
  });
});

describe('seeded values', () => {
  const made = (seed: number, epoch: number, draws: number): (string | number)[] => {
    const values = new SeededValues('token', seed, epoch);
    return Array.from({ length: draws }, (_, at) => {
      const one = values.of(at);
      return [one.freshId(), one.freshName(), one.freshId(), one.freshName()];
    }).flat();
  };

  test('follow from the seed', () => {
    expect(made(1, 0, 50)).toEqual(made(1, 0, 50));
    expect(made(2, 0, 50)).not.toEqual(made(1, 0, 50));
    expect(made(1, 1, 50)).not.toEqual(made(1, 0, 50));
  });

  test('differ from each other: no two draws have the same id or the same name', () => {
    const all = made(7, 0, 20_000);
    expect(new Set(all).size).toBe(all.length);
    const ids = all.filter((value): value is number => typeof value === 'number');
    expect(ids.every((id) => Number.isInteger(id) && id >= 1 && id < 2 ** 31)).toBe(true);
  });

  test('between two bounds stay between them', () => {
    const { freshIdBetween } = new SeededValues('token', 1, 0).of(0);
    const ids = Array.from({ length: 100 }, () => freshIdBetween(2n ** 62n, 2n ** 62n + 9n));
    expect(ids.every((id) => id >= 2n ** 62n && id <= 2n ** 62n + 9n)).toBe(true);
    expect(new Set(ids).size).toBeGreaterThan(5);
  });
});

// Goes with src/conformance/exploring/draws.ts: it tests how that works. Whoever replaces it deletes this file.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DrawnRequest } from '../../../src/conformance/exploring/carriers.js';
import { drawChunk, drawLoaded } from '../../../src/conformance/exploring/draw-chunk.js';
import { Draws } from '../../../src/conformance/exploring/draws.js';
import { SeededValues } from '../../../src/conformance/exploring/seeded-values.js';
import { type DrawnRow, PLAIN_PLANT } from '../../../src/conformance/row.js';

/** Rows whose bodies are any strings. */
const anyBody: fc.Arbitrary<DrawnRequest> = fc.string({ maxLength: 40 }).map((body) => ({
  row: {
    name: 'strings/any',
    title: 'any body',
    expectation: 'open',
    phase: 'valid',
    rules: [],
    requests: [{ body }],
  },
  parts: [],
}));

const bodyOf = (row: DrawnRow): string => String(row.requests[0]?.body);

const from = { fc, arbitrary: anyBody };

function drawsOf(seed: number): Draws {
  return new Draws(async (chunk) => drawChunk(fc, anyBody, chunk), seed);
}

async function draw(seed: number, count: number): Promise<string[]> {
  const draws = drawsOf(seed);
  // Several workers ask at once.
  const drawn = await Promise.all(Array.from({ length: count }, () => draws.next()));
  return drawn.map(({ index, row }) => `${index} ${bodyOf(row)}`);
}

describe('draws', () => {
  test('are the same for the same seed, and others for another', async () => {
    expect(await draw(5, 250)).toEqual(await draw(5, 250));
    expect(await draw(6, 250)).not.toEqual(await draw(5, 250));
  });

  test('have the numbers from 0, each once', async () => {
    const numbers = (await draw(5, 250)).map((drawn) => Number.parseInt(drawn, 10));
    expect(numbers).toEqual(Array.from({ length: 250 }, (_, at) => at));
  });

  test('become as small as they can be while they fail', async () => {
    const draws = drawsOf(1);
    const fails = (row: DrawnRow) => bodyOf(row).includes('<');
    let found = await draws.next();
    for (let tries = 0; tries < 5000 && !(fails(found.row) && bodyOf(found.row).length > 3); tries++)
      found = await draws.next();
    expect(bodyOf(found.row)).toContain('<');
    const smallest = await draws.shrink(found, found.row, from, async ({ row }) =>
      fails(row) ? row : undefined,
    );
    expect(bodyOf(smallest)).toBe('<');
  });

  test('stay as they are if nothing smaller fails', async () => {
    const draws = drawsOf(3);
    const found = await draws.next();
    expect(await draws.shrink(found, found.row, from, async () => undefined)).toEqual(found.row);
  });
});

describe('a draw of a plain plant', () => {
  const plain: DrawnRow = { name: 'plain/drawn', title: 'a plain plant', requests: [{ body: PLAIN_PLANT }] };
  const drawn = fc.sample(drawLoaded(fc, fc.constant(plain)), { seed: 5, numRuns: 400 });

  test('often carries several values, and then each of them is a part', () => {
    const packed = drawn.filter(({ parts }) => parts.length > 0);
    expect(packed.length).toBeGreaterThan(150);
    for (const { row, parts } of packed) {
      expect(parts[0]).toEqual(plain);
      expect(parts.length).toBeGreaterThan(2);
      for (const { rules = [] } of parts) expect(row.rules).toEqual(expect.arrayContaining([...rules]));
    }
  });

  test('is itself the row of its value if it carries one', () => {
    const alone = drawn.filter(({ row, parts }) => parts.length === 0 && row.name !== plain.name);
    expect(alone.length).toBeGreaterThan(20);
    expect(new Set(alone.map(({ row }) => row.name.split('/')[0]))).toEqual(new Set(['strings', 'ids']));
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

import type { ProbeRequest } from 'plant-store-contract/conformance';
import { validateRequest } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';
import type { DrawnRow } from '../../../src/conformance/row.js';
import {
  drawSequences,
  drawVolume,
  INVALID,
  SPELLINGS,
  sequenceRows,
} from '../../../src/conformance/topics/state/rows.js';
import { drawn, requestsOf, serverWith, textOf } from './drawn.js';

describe('sequences', () => {
  const core = sequenceRows.filter(({ name }) => name.startsWith('sequences/')) as readonly DrawnRow[];
  const rows = [...core, ...drawn(drawSequences)];

  test('have only true duplicates, which the reference server rejects', async () => {
    for (const row of rows) {
      const send = serverWith();
      for (const request of requestsOf(row)) {
        const kind = request.idMayExist ? 'duplicate' : (request.expectation ?? row.expectation);
        const isRejected = kind === 'duplicate' || kind === 'rejected';
        expect([kind, (await send(request)).status]).toEqual([kind, isRejected ? 400 : 200]);
      }
    }
  });

  test('have another name for each duplicate', () => {
    for (const row of rows) {
      const bodies = requestsOf(row)
        .filter(({ expectation }) => expectation !== 'rejected')
        .map(textOf);
      expect(new Set(bodies).size).toBe(bodies.length);
    }
  });

  test('have every kind of step', () => {
    const kinds = new Set(
      rows.flatMap((row) =>
        row.requests.map(({ expectation, idMayExist }) => `${expectation} ${idMayExist}`),
      ),
    );
    expect([...kinds].sort()).toEqual([
      ...['created undefined', 'open true', 'open undefined', 'rejected undefined'],
    ]);
  });
});

describe('plants with few names', () => {
  const bodies = drawn(drawSequences)
    .filter(({ name }) => name === 'sequences/drawn-connection')
    .map((row) => requestsOf(row));

  test('have one name in several spellings, with and without a tag', () => {
    const named = bodies.flat().flatMap(({ plant }) => (plant === undefined ? [] : [plant]));
    const spellings = named.map(({ name }) => name.slice('Aloeabcdef'.length));
    expect([...new Set(spellings)].sort()).toEqual(['', ...SPELLINGS].sort());
    expect(new Set(SPELLINGS.map((word) => word.normalize('NFC').toLowerCase())).size).toBe(1);
    expect(named.some(({ tag }) => tag === undefined)).toBe(true);
    expect(named.some(({ tag }) => tag !== undefined)).toBe(true);
  });

  test('must be accepted only if the name is new and plain', () => {
    for (const requests of bodies) {
      const names = requests.map(({ plant }) => plant?.name.slice(0, 10));
      for (const [at, { expectation, plant }] of requests.entries())
        if (expectation === 'created')
          expect([names.indexOf(names[at]), plant?.name]).toEqual([at, names[at]]);
    }
  });
});

describe('invalid bodies', () => {
  test.each(Object.entries(INVALID))('%s is no NewPlant', (_, { body }) => {
    const row = { name: 'sequences/invalid', title: '', expectation: 'rejected', rules: [] } as const;
    const [request] = requestsOf({ ...row, requests: [{ body }] }) as [ProbeRequest];
    expect(validateRequest(request)).not.toEqual([]);
  });
});

describe('bursts with invalid requests beside valid ones', () => {
  const mixed = drawn(drawVolume).filter(({ name }) => name === 'volume/drawn-invalid-burst');

  test('break every rule that an invalid request may break', () => {
    const expectations = new Set(mixed.flatMap(({ requests }) => requests.map((one) => one.expectation)));
    expect([...expectations].sort()).toEqual(['created', 'rejected']);
    expect(new Set(mixed.flatMap(({ rules = [] }) => rules)).size).toBe(8);
  });

  test('find a variable that all requests share', async () => {
    const wronged = await Promise.all(mixed.map(areValidOnesRejected));
    expect(wronged.filter(Boolean).length).toBeGreaterThan(wronged.length / 4);
  });
});

/** Whether a plant store that keeps in one variable whether a request is wrong rejects valid plants of a burst. */
async function areValidOnesRejected(row: DrawnRow): Promise<boolean> {
  const send = serverWith();
  let isWrong = false;
  const statuses = await Promise.all(
    requestsOf(row).map(async (request, at) => {
      // They arrive one after the other.
      for (let turn = 0; turn < at; turn++) await new Promise(setImmediate);
      const { status } = await send(request);
      isWrong = status === 400;
      // The next requests are judged meanwhile.
      for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
      return `${request.expectation} ${isWrong ? 400 : status}`;
    }),
  );
  return statuses.includes('created 400');
}

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawRows } from '../../../src/conformance/exploring/draw.js';
import { probeLikeDrawn } from '../../../src/conformance/given-row.js';
import { probeOf, type Row, rowOf } from '../../../src/conformance/row.js';
import { probes, rules } from '../../../src/conformance/topics/index.js';
import type { AnyFaultName } from '../faults/index.js';
import { misjudged } from './drawn.js';

const draw = (seed: number, numRuns: number): readonly Row[] => fc.sample(drawRows(fc), { seed, numRuns });

/** Faults of the reference server, one or more for each kind of change: these draws show each. */
const FAULTS = `
  fills-in-from-query ignores-line-comments accepts-any-escape stops-at-nul trims-keys
  formats-messages cuts-names-in-characters drops-tag-equal-to-name composes-tags finds-token-end accepts-any-scheme
  unwraps-values reads-pairs-as-plants unwraps-plants`;

/** Another one if a change of the rows hides a fault from these draws. */
const SEED = 4;

describe('drawn rows', () => {
  const rows = draw(SEED, 2_000);

  test('get what they expect from the reference server', async () => {
    expect(await misjudged(rows)).toBeUndefined();
  });

  test('are many, can be given as JSON, and are the same for the same seed', () => {
    expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBeGreaterThan(1_400);
    expect(draw(SEED, 100)).toEqual(rows.slice(0, 100));
    const names = new Set(probes.map(({ name }) => name));
    const ids = new Set(rules.map(({ id }) => id));
    for (const probe of rows.map(probeOf))
      expect(probeLikeDrawn(JSON.parse(JSON.stringify(rowOf(probe))), names, ids)).toEqual(probe);
  });

  test.each(FAULTS.split(/\s+/).filter(Boolean) as AnyFaultName[])('show the fault %s', async (fault) => {
    const shown = await misjudged(rows, [fault]);
    expect(shown).toBeDefined();
    // It is the fault that changes the outcome.
    expect(await misjudged([shown as Row])).toBeUndefined();
  });
});

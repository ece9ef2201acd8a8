import { describe, expect, test } from 'vitest';
import type { Probe } from '../../../src/conformance/probe.js';
import { type Speed, TimePlan } from '../../../src/conformance/session/pace.js';
import { probe } from '../recorded.js';

const essential = probe({ name: 'plain-plant', phase: 'valid' });
const generated: readonly Probe[] = Array.from({ length: 40 }, (_, at) =>
  probe({ name: `strings/${at}`, phase: 'valid' }),
);
const fast: Speed = { aloneMs: 1, atOnce: 16, perSecond: Number.POSITIVE_INFINITY };

/** Which of 40 generated probes are sent, each with two requests, beside one that is always sent. */
function admitted(leftMs: number, speed: Partial<Speed>): readonly number[] {
  const plan = new TimePlan([essential, ...generated], () => 2);
  const isAdmitted = (one: Probe): boolean => plan.admits(one, leftMs, { ...fast, ...speed });
  expect(isAdmitted(essential)).toBe(true);
  return generated.flatMap((one, at) => (isAdmitted(one) ? [at] : []));
}

describe('generated probes', () => {
  test('are all sent if there is time for them', () => {
    expect(admitted(1_000, {})).toHaveLength(40);
    expect(admitted(8_000, { perSecond: 10 })).toHaveLength(40);
  });

  test('are left out evenly if the provider limits its rate', () => {
    // The time that is left does not run in this test, so more and more of the rest fits into it.
    const sent = admitted(4_000, { perSecond: 10 });
    expect(sent.length).toBeGreaterThan(20);
    expect(sent.length).toBeLessThan(40);
    expect(sent[1]).toBeGreaterThan(1);
  });

  test('are left out if the provider is slow', () => {
    expect(admitted(5_000, { aloneMs: 1_000 })).toHaveLength(40);
    expect(admitted(4_000, { aloneMs: 1_000 }).length).toBeLessThan(40);
    expect(admitted(4_000, { aloneMs: 1_000, atOnce: 2 }).length).toBeLessThan(25);
  });

  test('are all left out if there is no time for the others', () => {
    expect(admitted(0, { perSecond: 10 })).toEqual([]);
  });
});

test('a probe that no family generates is sent even if there is no time', () => {
  const plan = new TimePlan([essential], () => 2);
  expect(plan.admits(essential, -1, fast)).toBe(true);
});

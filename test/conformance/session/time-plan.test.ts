// Goes with src/conformance/session/pace.ts: it tests how that works. Whoever replaces it deletes this file.
import { describe, expect, test } from 'vitest';
import type { Probe } from '../../../src/conformance/probe.js';
import { type Speed, TimePlan } from '../../../src/conformance/session/pace.js';
import { probe } from '../recorded.js';

const probes: readonly Probe[] = Array.from({ length: 40 }, (_, at) =>
  probe({ name: `strings/${at}`, phase: 'valid' }),
);
const fast: Speed = { aloneMs: 1, atOnce: 16, perSecond: Number.POSITIVE_INFINITY, isSideBySide: false };

/** Those of 40 probes that are sent, each with two requests. */
function admitted(leftMs: number, speed: Partial<Speed>): readonly Probe[] {
  const plan = new TimePlan(
    probes,
    () => probes,
    () => 2,
  );
  return probes.filter((one) => plan.admits(one, leftMs, { ...fast, ...speed }));
}

describe('probes', () => {
  test('are all sent if there is time for them', () => {
    expect(admitted(1_000, {})).toHaveLength(40);
    expect(admitted(8_200, { perSecond: 10 })).toHaveLength(40);
  });

  test('that people need least are left out if the provider limits its rate', () => {
    const plan = new TimePlan(
      probes,
      () => probes,
      () => 2,
    );
    const isAdmitted = (one: Probe): boolean => plan.admits(one, 4_000, { ...fast, perSecond: 10 });
    expect(probes.toReversed().filter(isAdmitted).length).toBe(20);
    // What was asked for is not counted any more: the time that is left does not run in this test.
    expect(admitted(4_000, { perSecond: 10 })).toHaveLength(40);
  });

  test('are left out if the provider is slow', () => {
    const last = (speed: Partial<Speed>): boolean =>
      new TimePlan(
        probes,
        () => probes,
        () => 2,
      ).admits(probes.at(-1) as Probe, 4_000, { ...fast, ...speed });
    expect(last({})).toBe(true);
    expect(last({ aloneMs: 1_000 })).toBe(false);
    expect(last({ aloneMs: 700 })).toBe(true);
    expect(last({ aloneMs: 700, atOnce: 2 })).toBe(false);
  });

  test('that are alone take longer, unless the provider is far', () => {
    const alone = Array.from({ length: 40 }, (_, at) => probe({ name: `state/${at}`, phase: 'recovery' }));
    const last = (speed: Partial<Speed>): boolean =>
      new TimePlan(
        alone,
        () => alone,
        () => 2,
      ).admits(alone.at(-1) as Probe, 4_000, { ...fast, ...speed });
    expect(last({ aloneMs: 100 })).toBe(false);
    expect(last({ aloneMs: 100, isSideBySide: true })).toBe(true);
  });
});

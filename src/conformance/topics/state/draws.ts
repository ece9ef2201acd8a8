import type * as FastCheck from 'fast-check';
import type { DrawnRow } from '../../row.js';
import { afterInvalid, burst, history, INVALID, mixedBurst, raceForId, type Step } from './rows.js';

/** So few plants that they meet often. */
const PLANTS = 3;

const INVALIDS = Object.values(INVALID);

/** Draws histories of new plants, duplicates and invalid requests, and plants after each kind of rejection. */
export function drawSequences(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  const step = fc.tuple(fc.constantFrom('new', 'duplicate', 'invalid'), fc.nat(PLANTS - 1));
  return fc.oneof(
    fc
      .array(step, { minLength: 2, maxLength: 10 })
      .map((steps) =>
        history('sequences/drawn', 'plants, duplicates and invalid requests in turn', possible(steps)),
      ),
    fc.constantFrom(...INVALIDS).map((invalid) => afterInvalid('sequences/drawn-rejection', invalid)),
  );
}

/** The same steps, with each plant created once: before it is duplicated, and never again. */
function possible(steps: readonly Step[]): readonly Step[] {
  const created = new Set<number>();
  return steps.map(([kind, of]) => {
    if (kind === 'invalid') return [kind, of];
    const isNew = !created.has(of);
    created.add(of);
    return [isNew ? 'new' : 'duplicate', of];
  });
}

/** Draws bursts of plants with different ids, of invalid requests beside them, and races for one id. */
export function drawVolume(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  return fc.oneof(
    fc.integer({ min: 2, max: 16 }).map((count) => burst('volume/drawn-burst', count)),
    fc.integer({ min: 2, max: 8 }).map((count) => raceForId('volume/drawn-race', count)),
    fc
      .tuple(fc.constantFrom(...INVALIDS), fc.array(fc.boolean(), { minLength: 2, maxLength: 16 }))
      .map(([invalid, isInvalid]) => mixedBurst('volume/drawn-invalid-burst', invalid, isInvalid)),
  );
}

import type * as FastCheck from 'fast-check';
import type { ProbeDraft } from './draft.js';
import { burst, invalidKinds, mixedBurst, raceForId } from './volume-drafts.js';

/** Draws bursts of plants with different ids, of invalid requests beside them, and races for one id. */
export function drawVolume(fc: typeof FastCheck): FastCheck.Arbitrary<ProbeDraft> {
  return fc.oneof(
    fc.integer({ min: 2, max: 16 }).map((count) => burst('volume/drawn-burst', count)),
    fc.integer({ min: 2, max: 8 }).map((count) => raceForId('volume/drawn-race', count)),
    fc
      .tuple(fc.constantFrom(...invalidKinds), fc.array(fc.boolean(), { minLength: 2, maxLength: 16 }))
      .map(([kind, isInvalid]) => mixedBurst('volume/drawn-invalid-burst', kind, isInvalid)),
  );
}

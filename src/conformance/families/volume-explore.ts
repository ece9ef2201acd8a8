import type * as FastCheck from 'fast-check';
import type { ProbeDraft } from './draft.js';
import { burst, raceForId } from './volume-drafts.js';

/** Draws bursts of plants with different ids, and races for one id. */
export function drawVolume(fc: typeof FastCheck): FastCheck.Arbitrary<ProbeDraft> {
  return fc.oneof(
    fc.integer({ min: 2, max: 16 }).map((count) => burst('volume/drawn-burst', count)),
    fc.integer({ min: 2, max: 8 }).map((count) => raceForId('volume/drawn-race', count)),
  );
}

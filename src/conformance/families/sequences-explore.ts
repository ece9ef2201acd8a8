import type * as FastCheck from 'fast-check';
import type { ProbeDraft } from './draft.js';
import { afterInvalid, history, invalidBodies, type Step } from './sequence-drafts.js';

/** So few plants that they meet often. */
const PLANTS = 3;

/** Draws histories of new plants, duplicates and invalid requests, and plants after each kind of rejection. */
export function drawSequences(fc: typeof FastCheck): FastCheck.Arbitrary<ProbeDraft> {
  const step = fc.record({
    kind: fc.constantFrom('new' as const, 'duplicate' as const, 'invalid' as const),
    of: fc.nat(PLANTS - 1),
  });
  return fc.oneof(
    fc
      .array(step, { minLength: 2, maxLength: 10 })
      .map((steps) =>
        history('sequences/drawn', 'plants, duplicates and invalid requests in turn', possible(steps)),
      ),
    fc
      .constantFrom(...Object.values(invalidBodies))
      .map((invalid) => afterInvalid('sequences/drawn-rejection', invalid)),
  );
}

/** The same steps, with each plant created once: before it is duplicated, and never again. */
export function possible(steps: readonly Step[]): readonly Step[] {
  const created = new Set<number>();
  return steps.map(({ kind, of }) => {
    if (kind === 'invalid') return { kind, of };
    const isNew = !created.has(of);
    created.add(of);
    return { kind: isNew ? 'new' : 'duplicate', of };
  });
}

import type * as FastCheck from 'fast-check';
import type { DrawnRow } from '../../row.js';
import {
  afterInvalid,
  burst,
  history,
  INVALID,
  mixedBurst,
  namesAgain,
  onOneConnection,
  raceForId,
  SPELLINGS,
  type Step,
  sameNameAtOnce,
} from './rows.js';

/** So few plants that they meet often. */
const PLANTS = 3;

const INVALIDS = Object.values(INVALID);
const TAGS = ['fern', 'moss', 'palm', 'succulent', 'cactus'];
/** So long that the next body on the connection is shorter. */
const LONGEST = 900;

/** Draws histories of new plants, duplicates and invalid requests, plants after each kind of rejection, and plants with few names. */
export function drawSequences(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  const step = fc.tuple(fc.constantFrom('new', 'duplicate', 'invalid'), fc.nat(PLANTS - 1));
  return fc.oneof(
    fc
      .array(step, { minLength: 2, maxLength: 10 })
      .map((steps) =>
        history('sequences/drawn', 'plants, duplicates and invalid requests in turn', possible(steps)),
      ),
    fc.constantFrom(...INVALIDS).map((invalid) => afterInvalid('sequences/drawn-rejection', invalid)),
    drawNames(fc).map((requests) => onOneConnection('sequences/drawn-connection', requests)),
  );
}

/** Draws plants with few names in several spellings, with and without a tag, and invalid requests between them. */
function drawNames(fc: typeof FastCheck): FastCheck.Arbitrary<ReturnType<typeof namesAgain>> {
  const optional = { nil: undefined };
  const plant = fc
    .tuple(
      fc.nat(PLANTS - 1),
      fc.option(fc.constantFrom(...SPELLINGS), optional),
      fc.option(fc.constantFrom(...TAGS), optional),
      fc.option(fc.integer({ min: 60, max: LONGEST }), optional),
    )
    .map(([of, spelling, tag, bytes]) => ({
      of,
      ...(spelling !== undefined && { spelling }),
      ...(tag !== undefined && { tag }),
      ...(bytes !== undefined && { bytes }),
    }));
  const invalid = fc.constantFrom('', ...INVALIDS.map(({ body }) => body));
  return fc
    .array(fc.oneof({ weight: 5, arbitrary: plant }, invalid), { minLength: 4, maxLength: 16 })
    .map(namesAgain);
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

/** Draws bursts of plants with different ids or one name, of invalid requests beside them, and races for one id. */
export function drawVolume(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  return fc.oneof(
    fc.integer({ min: 2, max: 16 }).map((count) => burst('volume/drawn-burst', count)),
    fc.integer({ min: 2, max: 8 }).map((count) => raceForId('volume/drawn-race', count)),
    fc
      .array(fc.option(fc.constantFrom(...TAGS), { nil: undefined }), { minLength: 2, maxLength: 8 })
      .map((tags) => sameNameAtOnce('volume/drawn-same-name', tags)),
    fc
      .tuple(fc.constantFrom(...INVALIDS), fc.array(fc.boolean(), { minLength: 2, maxLength: 16 }))
      .map(([invalid, isInvalid]) => mixedBurst('volume/drawn-invalid-burst', invalid, isInvalid)),
  );
}

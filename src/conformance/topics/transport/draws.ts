import type * as FastCheck from 'fast-check';
import type { DrawnRow } from '../../row.js';
import { chunked, cutCharacter, ofLengths, segmented } from './rows.js';

/** One character for each length in UTF-8, and others whose parts mean something. */
const CHARACTERS = ['é', '€', '日', '🌵', 'ÿ', '\u{fffd}'];
/** The sizes of buffers are powers of two. */
const SMALLEST_BUFFER = 8;
const LARGEST_BUFFER = 14;

/** Draws plants in segments and chunks, cut anywhere, and of lengths near the sizes of buffers. */
export function drawTransport(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  const few = { minLength: 1, maxLength: 3 };
  const inBody = fc.array(fc.integer({ min: 1, max: 70 }), few);
  // Below 0: from the end, where the empty line is.
  const inHead = fc.array(fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: -6, max: -1 })), few);
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 });
  const extension = fc.option(fc.constantFrom(';a', ';a=b', ';a="b;c"'), { nil: undefined });
  const nearBuffers = fc.tuple(
    fc.integer({ min: SMALLEST_BUFFER, max: LARGEST_BUFFER }),
    fc.integer({ min: -2, max: 2 }),
    fc.integer({ min: 3, max: 300 }),
  );
  return fc.oneof(
    fc.tuple(inBody, fc.boolean()).map(([bodyCuts, cutAfterHead]) =>
      segmented('drawn-segments', 'a plain plant whose body comes in segments', {
        bodyCuts,
        cutAfterHead,
      }),
    ),
    inHead.map((headCuts) =>
      segmented('drawn-head', 'a plain plant whose header section comes in segments', { headCuts }),
    ),
    fc.constantFrom(...CHARACTERS).map((character) => cutCharacter('drawn-character', character)),
    fc
      .tuple(sizes, fc.option(inBody, { nil: undefined }), extension)
      .map(([chunks, bodyCuts, chunkExtension]) =>
        chunked('drawn-chunks', 'a plain plant in chunks', {
          chunks,
          ...(bodyCuts !== undefined && { bodyCuts }),
          ...(chunkExtension !== undefined && { chunkExtension }),
        }),
      ),
    nearBuffers.map(([power, difference, more]) =>
      ofLengths('drawn-lengths', [2 ** power + difference, 2 ** power + difference + more]),
    ),
  );
}

import type * as FastCheck from 'fast-check';
import { type DrawnRow, PLAIN_PLANT, PLAIN_PLANT_WITH_TAG } from '../../row.js';
import { CLIENTS, type Sender } from '../headers/clients.js';
import { chunked, cutCharacter, inHttp10, ofLengths, segmented } from './rows.js';

/** One character for each length in UTF-8, and others whose parts mean something. */
const CHARACTERS = ['é', '€', '日', '🌵', 'ÿ', '\u{fffd}'];
/** The sizes of buffers are powers of two. */
const SMALLEST_BUFFER = 8;
const LARGEST_BUFFER = 16;

/** Draws plants in segments and chunks as networks and streams cut them, and of lengths near the sizes of buffers. */
export function drawTransport(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  const few = { minLength: 1, maxLength: 3 };
  const inBody = fc.array(fc.integer({ min: 1, max: 70 }), few);
  const sizes = fc.array(fc.integer({ min: 2, max: 40 }), { minLength: 1, maxLength: 6 });
  const nearBuffers = fc.tuple(
    fc.integer({ min: SMALLEST_BUFFER, max: LARGEST_BUFFER }),
    fc.integer({ min: -2, max: 2 }),
    fc.integer({ min: 3, max: 300 }),
  );
  const senders: readonly Sender[] = Object.values(CLIENTS);
  return fc.oneof(
    fc.tuple(inBody, fc.boolean()).map(([bodyCuts, cutAfterHead]) =>
      segmented('drawn-segments', 'a plain plant whose body comes in segments', {
        bodyCuts,
        cutAfterHead,
      }),
    ),
    fc
      .tuple(fc.constantFrom(...CHARACTERS), fc.constantFrom('segments', 'chunks'))
      .map(([character, by]) => cutCharacter('drawn-character', character, by)),
    fc.tuple(sizes, fc.option(inBody, { nil: undefined })).map(([chunks, bodyCuts]) =>
      chunked('drawn-chunks', 'a plain plant in chunks', {
        chunks,
        ...(bodyCuts !== undefined && { bodyCuts }),
      }),
    ),
    fc
      .tuple(fc.constantFrom(...senders), fc.constantFrom(PLAIN_PLANT, PLAIN_PLANT_WITH_TAG))
      .map(([from, body]) => inHttp10('drawn-http-1.0', from, body)),
    nearBuffers.map(([power, difference, more]) =>
      ofLengths('drawn-lengths', [2 ** power + difference, 2 ** power + difference + more]),
    ),
  );
}

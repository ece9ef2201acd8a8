// Goes with the draws of each topic: it tests how that works. Whoever replaces it deletes this file.
import { failuresText, readFailures } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { drawLoaded } from '../../../src/conformance/exploring/draw-chunk.js';
import type { DrawnRow } from '../../../src/conformance/row.js';
import { drawHeaders } from '../../../src/conformance/topics/headers/rows.js';
import { drawIds } from '../../../src/conformance/topics/ids/rows.js';
import type { DrawRows } from '../../../src/conformance/topics/index.js';
import { drawJsonTexts } from '../../../src/conformance/topics/json-texts/draws.js';
import { drawKeys } from '../../../src/conformance/topics/keys/draws.js';
import { drawPlain } from '../../../src/conformance/topics/plain/rows.js';
import { drawRejections } from '../../../src/conformance/topics/rejections/rows.js';
import { drawSequences, drawVolume } from '../../../src/conformance/topics/state/rows.js';
import { drawTokens } from '../../../src/conformance/topics/tokens/draws.js';
import { drawTransport } from '../../../src/conformance/topics/transport/rows.js';
import { drawTypes } from '../../../src/conformance/topics/types/rows.js';
import type { AnyFaultName } from '../faults/index.js';
import { drawn, misjudged } from './drawn.js';

/** The faults that the draws of a family show. With these seeds, 400 draws show them all. */
const families: readonly (readonly [name: string, draw: DrawRows, seed: number, faults: string])[] = [
  [
    'headers',
    drawHeaders,
    1,
    `compares-field-names-in-case refuses-trace-state fills-in-from-query fills-in-from-headers
     reads-multipart`,
  ],
  ['ids', drawIds, 3, 'rounds-ids-to-floats wraps-ids-to-48-bits wraps-exponents trims-zeros-of-ids'],
  [
    'json-texts',
    drawJsonTexts,
    11,
    `ignores-line-comments accepts-line-breaks-in-strings accepts-any-escape accepts-other-numbers
     skips-unknown-members takes-controls-for-space ignores-case-of-literals stops-at-nul`,
  ],
  [
    'keys',
    drawKeys,
    3,
    'ignores-case-of-keys trims-keys cuts-keys-at-nul normalises-keys finds-nested-fields',
  ],
  [
    'rejections',
    drawRejections,
    3,
    'formats-messages fails-on-half-surrogates quotes-names-unescaped cuts-names-in-characters',
  ],
  ['sequences', drawSequences, 11, ''],
  [
    'plain plants with values',
    (fc) => drawLoaded(fc, drawPlain(fc)).map(({ row }) => row),
    4,
    `drops-tag-equal-to-name strips-outer-quotes escapes-formulas removes-directions composes-tags
     truncates-tags trims-texts`,
  ],
  [
    'values of plain plants',
    (fc) => drawLoaded(fc, drawPlain(fc)).map(({ row, parts }) => parts[1] ?? row),
    3,
    'refuses-keywords reads-exponents-in-strings',
  ],
  [
    'tokens',
    drawTokens,
    5,
    `compares-eight-characters finds-token-end compares-token-end ignores-token-case cuts-scheme-off
     accepts-any-scheme accepts-api-key accepts-session-cookie looks-token-up-with-like trusts-user-header
     trusts-local-clients`,
  ],
  ['transport', drawTransport, 11, ''],
  [
    'types',
    drawTypes,
    9,
    `skips-falsy-tags skips-falsy-names reads-empty-array-as-name joins-name-parts unwraps-values
     reads-extended-json reads-hexadecimal-ids reads-arrays-as-plants reads-pairs-as-plants decodes-json-twice
     unwraps-plants unwraps-arrays cuts-fractions-off accepts-null-tag`,
  ],
  ['volume', drawVolume, 11, ''],
];

describe.each(families)('the draws of %s', (_name, draw, seed, faults) => {
  const rows = drawn(draw, 400, seed);
  const first = rows.slice(0, 100);

  test('get what they expect from the reference server', async () => {
    expect(await misjudged(first)).toBeUndefined();
  });

  test('are many, can be saved as plain data, and are the same for the same seed', () => {
    expect(new Set(first.map((row) => JSON.stringify(row))).size).toBeGreaterThan(40);
    expect(drawn(draw, 100, seed)).toEqual(first);
    const failures = first.map((row) => ({ row, rule: 'auth/wrong-token-is-refused', foundAfter: 1 }));
    expect(readFailures(failuresText({ seed: 7, failures }), 'saved.json')).toEqual(failures);
  });

  test.each(faults.split(/\s+/).filter(Boolean) as AnyFaultName[])('show the fault %s', async (fault) => {
    const shown = await misjudged(rows, [fault]);
    expect(shown).toBeDefined();
    // It is the fault that changes the outcome.
    expect(await misjudged([shown as DrawnRow])).toBeUndefined();
  });
});

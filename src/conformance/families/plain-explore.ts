import type * as FastCheck from 'fast-check';
import { FRESH_ID, FRESH_NAME, type ProbeDraft } from './draft.js';
import { PLAIN_TAG } from './requests.js';

/** Draws plain plants, with a tag and without one. */
export function drawPlain(fc: typeof FastCheck): FastCheck.Arbitrary<ProbeDraft> {
  return fc.boolean().map((hasTag) => ({
    name: 'plain/drawn',
    title: hasTag ? 'a plain plant with a tag' : 'a plain plant without a tag',
    expectation: 'created',
    phase: 'valid',
    rules: [],
    requests: [
      {
        body: ['{"name":"', FRESH_NAME, '","id":', FRESH_ID, hasTag ? `,"tag":"${PLAIN_TAG}"}` : '}'],
        plant: { name: FRESH_NAME, id: FRESH_ID, ...(hasTag && { tag: PLAIN_TAG }) },
      },
    ],
  }));
}

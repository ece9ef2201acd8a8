import { createPlantStore } from 'plant-store-contract/server';
import { validateRequest } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';
import { type ProbeDraft, probeFrom } from '../../../src/conformance/families/draft.js';
import { invalidBodies, sequenceDrafts } from '../../../src/conformance/families/sequence-drafts.js';
import { drawSequences } from '../../../src/conformance/families/sequences-explore.js';
import { drawVolume } from '../../../src/conformance/families/volume-explore.js';
import { freshValues } from '../../../src/conformance/sending/fresh-values.js';
import { drawn, misjudged } from './drawn.js';

const token = 'a-token-of-these-tests';

/** The statuses that the reference server returns to the requests of a draft, one after the other. */
async function statuses(draft: ProbeDraft): Promise<readonly [string, number][]> {
  const { fetch } = createPlantStore({ token });
  const results: [string, number][] = [];
  for (const request of probeFrom(draft).requests(freshValues(token))) {
    const { status } = await fetch(
      new Request('http://localhost/plants', {
        method: 'POST',
        headers: request.headers.map(([name, value]) => [name, value]),
        body: request.body,
      }),
    );
    results.push([request.idMayExist ? 'duplicate' : (request.expectation ?? draft.expectation), status]);
  }
  return results;
}

describe('sequences', () => {
  const drafts = [...sequenceDrafts, ...drawn(drawSequences)];

  test('have only true duplicates, which the reference server rejects', async () => {
    for (const draft of drafts)
      for (const [kind, status] of await statuses(draft))
        expect([kind, status]).toEqual([kind, kind === 'created' ? 200 : 400]);
  });

  test('have another name for each duplicate', () => {
    for (const draft of drafts) {
      const bodies = probeFrom(draft)
        .requests(freshValues(token))
        .filter(({ expectation }) => expectation !== 'rejected')
        .map(({ body }) => Buffer.from(body).toString());
      expect(new Set(bodies).size).toBe(bodies.length);
    }
  });

  test('have every kind of step', () => {
    const kinds = new Set(
      drafts.flatMap((draft) =>
        draft.requests.map(({ expectation, idMayExist }) => `${expectation} ${idMayExist}`),
      ),
    );
    expect([...kinds].sort()).toEqual(['created undefined', 'open true', 'rejected undefined']);
  });
});

describe('invalid bodies', () => {
  test.each(Object.entries(invalidBodies))('%s is no NewPlant', (_, { body }) => {
    const [request] = probeFrom({
      ...{ name: 'sequences/invalid', title: '', expectation: 'rejected', phase: 'invalid', rules: [] },
      requests: [{ body }],
    }).requests(freshValues(token));
    expect(request).toBeDefined();
    const headers = request?.headers ?? [];
    expect(validateRequest({ headers, body: request?.body ?? new Uint8Array() }).length).toBeGreaterThan(0);
  });
});

test('drawn bursts and races are accepted by the reference server, apart from duplicates', async () => {
  expect(await misjudged(drawn(drawVolume, 50))).toEqual([]);
});

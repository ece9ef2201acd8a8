import { createPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { type ProbeDraft, probeFrom } from '../../../src/conformance/families/draft.js';
import { drawVolume } from '../../../src/conformance/families/volume-explore.js';
import { freshValues } from '../../../src/conformance/sending/fresh-values.js';
import { drawn, misjudged } from './drawn.js';

const token = 'a-token-of-these-tests';

describe('bursts', () => {
  const drafts = drawn(drawVolume);

  test('get what they expect from the reference server', async () => {
    expect(await misjudged(drafts)).toEqual([]);
  });

  test('have invalid requests beside valid ones, each with an id of its own', () => {
    const mixed = drafts.filter(({ name }) => name === 'volume/drawn-invalid-burst');
    const expectations = new Set(
      mixed.flatMap(({ requests }) => requests.map(({ expectation }) => expectation)),
    );
    expect([...expectations].sort()).toEqual(['created', 'rejected']);
    expect(new Set(mixed.flatMap(({ rules }) => rules)).size).toBe(8);
  });

  test('find a variable that all requests share', async () => {
    const wronged = await Promise.all(
      drafts.filter(({ name }) => name === 'volume/drawn-invalid-burst').map(areValidOnesRejected),
    );
    expect(wronged.filter(Boolean).length).toBeGreaterThan(wronged.length / 4);
  });
});

/** Whether a plant store that keeps in one variable whether a request is wrong rejects valid plants of a burst. */
async function areValidOnesRejected(draft: ProbeDraft): Promise<boolean> {
  const store = createPlantStore({ token });
  let isWrong = false;
  const statuses = await Promise.all(
    probeFrom(draft)
      .requests(freshValues(token))
      .map(async ({ headers, body, expectation }) => {
        const fields = headers.map(([name, value]): [string, string] => [name, value]);
        const request = new Request('http://localhost/plants', { method: 'POST', headers: fields, body });
        const { status } = await store.fetch(request);
        isWrong = status === 400;
        await new Promise((resolve) => setTimeout(resolve, 1));
        return `${expectation} ${isWrong ? 400 : status}`;
      }),
  );
  return statuses.includes('created 400');
}

import * as fc from 'fast-check';
import { checkConformance, failuresText, readFailures } from 'plant-store-contract/conformance';
import { createPlantStore, type FaultName, type PlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { type ProbeDraft, probeFrom } from '../../../src/conformance/families/draft.js';
import { drawHeaders } from '../../../src/conformance/families/headers/explore.js';
import { drawTokens } from '../../../src/conformance/families/tokens/explore.js';
import { freshValues } from '../../../src/conformance/sending/fresh-values.js';
import { startCorrect } from '../providers/correct/provider.js';
import { lockOut } from '../providers/correct/traffic.js';

const token = 'a-Token-of_these.tests';
const values = freshValues(token);
const families = { drawTokens, drawHeaders };

function drawn(draw: (typeof families)['drawTokens'], numRuns: number, seed = 7): ProbeDraft[] {
  return fc.sample(draw(fc), { numRuns, seed });
}

/** Many tests send the same ones. */
const sentDrafts = {
  drawTokens: drawn(drawTokens, 1_500),
  drawHeaders: drawn(drawHeaders, 1_500),
};

/** The status of each request of a draft. */
async function send(draft: ProbeDraft, store: PlantStore): Promise<string[]> {
  const sent = probeFrom(draft).requests(values);
  return Promise.all(
    sent.map(async ({ headers, body, query = '', expectation = draft.expectation }) => {
      const request = new Request(`http://localhost/plants${query}`, {
        method: 'POST',
        headers: headers.map(([name, value]) => [name, value] as [string, string]),
        body: body.length === 0 ? null : Buffer.from(body),
      });
      const { status } = await store.fetch(request);
      return `${expectation} ${status}`;
    }),
  );
}

describe.each(Object.entries(families))('%s', (family, draw) => {
  test('draws what the reference server accepts or rejects as it must', async () => {
    // All that the faults below get, so that it is a fault that changes an outcome.
    const drafts = sentDrafts[family as keyof typeof families];
    const store = createPlantStore({ token });
    const outcomes = await Promise.all(drafts.map((draft) => send(draft, store)));
    const wrong = drafts.filter((_draft, at) =>
      outcomes[at]?.some((outcome) => /created (?!200)|rejected (?!4)|open [35]/.test(outcome)),
    );
    expect(wrong).toEqual([]);
    expect(new Set(drafts.map((draft) => JSON.stringify(draft.requests))).size).toBeGreaterThan(100);
  });

  test('draws plain data that can be saved, and the same for the same seed', () => {
    const drafts = drawn(draw, 100);
    expect(JSON.parse(JSON.stringify(drafts))).toEqual(drafts);
    expect(drawn(draw, 100)).toEqual(drafts);
    const failures = drafts.map((draft) => ({ draft, rule: 'auth/wrong-token-is-refused', foundAfter: 1 }));
    expect(readFailures(failuresText({ seed: 7, failures }), 'saved.json')).toEqual(failures);
  });
});

describe('draws find', () => {
  test.each<[FaultName, keyof typeof families]>([
    ['compares-eight-characters', 'drawTokens'],
    ['finds-token-end', 'drawTokens'],
    ['compares-token-end', 'drawTokens'],
    ['ignores-token-case', 'drawTokens'],
    ['cuts-scheme-off', 'drawTokens'],
    ['accepts-any-scheme', 'drawTokens'],
    ['accepts-api-key', 'drawTokens'],
    ['accepts-session-cookie', 'drawTokens'],
    ['looks-token-up-with-like', 'drawTokens'],
    ['trusts-user-header', 'drawTokens'],
    ['trusts-local-clients', 'drawTokens'],
    ['compares-field-names-in-case', 'drawHeaders'],
    ['refuses-trace-state', 'drawHeaders'],
    ['fills-in-from-query', 'drawHeaders'],
    ['fills-in-from-headers', 'drawHeaders'],
    ['reads-multipart', 'drawHeaders'],
  ])('%s', async (fault, family) => {
    const store = createPlantStore({ token, faults: [fault] });
    const outcomes = await Promise.all(sentDrafts[family].map((draft) => send(draft, store)));
    expect(outcomes.flat().filter((outcome) => /created (?!200)|rejected 2/.test(outcome))).not.toEqual([]);
  });
});

describe('exploring', () => {
  test.each([3, 60, 80])('ends without a finding if wrong token %i locks the client out', async (after) => {
    const locked = { status: 403, body: { error: 403, message: 'locked' } };
    await using provider = await startCorrect(token, { layers: () => [lockOut(locked, after)] });
    const report = await checkConformance({
      ...{ baseUrl: provider.url, token, prism: false },
      explore: { runs: 1500, seed: 3 },
    });
    expect(report.rules.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(report.conclusion).toBe('conforms');
    expect(report.exploration?.failures).toEqual([]);
    expect(report.exploration?.draws).toBeLessThan(1500);
  });
});

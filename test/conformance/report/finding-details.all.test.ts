import type { CheckReport, FetchHandler } from 'plant-store-contract/conformance';
import { createPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { checkFetch, checkStore, evidenceOf, token } from '../checks.js';

/** The reference server, in front of which some requests get another response. */
function storeBehind(answer: (body: string) => Response | undefined): FetchHandler {
  const { fetch } = createPlantStore({ token });
  return async (request) => answer(await request.clone().text()) ?? fetch(request);
}

// findings.all.test.ts has the finding of each fault.
describe('a finding', () => {
  test('names the framework whose default responses the failures are', async () => {
    const error = { statusCode: 422, error: 'Unprocessable Entity', message: 'body/name must be string' };
    const fetch = storeBehind((body) =>
      body.includes('"name":true') ? Response.json(error, { status: 422 }) : undefined,
    );
    const { findings } = await checkFetch(fetch);
    expect(findings[0]?.cause).toBe('Failures are the default responses of Fastify, not Errors.');
  });

  test('names the likely cause of all failures: a mock that returns examples', async () => {
    const example = () => Response.json({ name: 'string', tag: 'string' });
    const { findings } = await checkFetch(example);
    expect(findings[0]).toMatchObject({
      id: 'response-is-an-example',
      impact: 'clients',
      cause: 'The response is a fixed example: it is the same for every plant.',
      cases: expect.arrayContaining(['success/name-comes-back', 'success/absent-tag-stays-absent']),
    });
  });
});

describe('a failure', () => {
  test('that does not repeat is intermittent', async () => {
    let asked = 0;
    const fetch = storeBehind((body) =>
      body.includes('"id":null') && asked++ === 0 ? new Response(null, { status: 500 }) : undefined,
    );
    const report = await checkFetch(fetch);
    expect(evidenceOf(report, 'failure/refusal-is-4xx')[0]).toMatchObject({ repeated: 'intermittent' });
    const attempts = report.exchanges.filter(({ name }) => name === 'id-is-null');
    expect(attempts.map(({ role, response }) => [role, response?.status])).toEqual([
      ['superseded', 500],
      ['judged', 400],
    ]);
  });

  test('points to its exchanges: the whole sequence up to the exchange that fails', async () => {
    const report = await checkStore(['rounds-ids'], { only: ['request/ids-are-exact'] });
    const [failure] = evidenceOf(report, 'request/ids-are-exact');
    const statuses = failure?.exchanges?.map((at) => report.exchanges[at]?.response?.status);
    expect(statuses).toEqual([200, 400]);
  });
});

describe("Prism's opinion", () => {
  const ofPrism = ({ details = [] }: CheckReport) => details.filter((detail) => detail.startsWith('Prism'));

  test('of a conforming provider is that of the rules, and the report says so once', async () => {
    const report = await checkStore([], { prism: true });
    expect(report.prism?.disagreements).toEqual([]);
    expect(ofPrism(report)).toEqual([expect.stringMatching(/^Prism agrees with the rules on /)]);
  });

  test('misses what its table of differences says', async () => {
    const report = await checkStore(['leaks-id', 'answers-problem-json'], { prism: true });
    const { disagreements = [] } = report.prism ?? {};
    expect(disagreements.length).toBeGreaterThan(100);
    expect(disagreements.every(({ prism }) => prism.length === 0)).toBe(true);
    expect(ofPrism(report)).toEqual([
      'Prism, whose opinion changes no result, overlooks what breaks success/plant-fields-only; failure/media-type-is-json.',
    ]);
  });
});

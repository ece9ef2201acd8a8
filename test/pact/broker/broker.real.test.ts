import type { BrokerOptions, VerifyOptions } from 'plant-store-contract/pact';
import { type PlantStoreOptions, startPlantStore } from 'plant-store-contract/server';
import { afterAll, describe, expect, test } from 'vitest';
import { schemaErrors } from '../../report/formats/schema.js';
import { interactionsOf, type Sketch } from '../verification/pacts.js';
import { startReader } from '../verification/provider.js';
import { Verifiers } from '../verification/verifiers.js';
import { type BrokerStub, PROVIDER, pactPath, recorded, type StubbedPact, startBroker } from './stub.js';

// Against a protocol stub with the responses of Pact Broker 2.112.0: no broker can be run here.
const token = 'a-token-of-these-tests';
const creation: Sketch = { description: 'a creation', given: { 'no plant with id': '{"id":7}' } };
const creates = interactionsOf([creation]);
/** The reference server answers 200. */
const wants201 = interactionsOf([{ ...creation, status: 201, response: '{"name":"Aloe"}' }]);
const publish = { version: '1' };

const verifiers = new Verifiers();
afterAll(() => verifiers.stop());

async function verified(
  stub: BrokerStub,
  options: Partial<BrokerOptions> = {},
  store: PlantStoreOptions = {},
  further: (brokerUrl: string) => Partial<VerifyOptions> = () => ({}),
) {
  await using broker = await startBroker(stub);
  await using provider = await startPlantStore({ token, ...store });
  const report = await verifiers.verify({
    baseUrl: provider.url,
    token,
    provider: PROVIDER,
    broker: { url: broker.url, ...options },
    ...further(broker.url),
  });
  expect(schemaErrors(report)).toEqual([]);
  return { report, calls: broker.calls, results: broker.results(), plants: provider.plants() };
}

describe('a verification', () => {
  test('sends what Pact sends to a real broker, and reports by consumer and version', async () => {
    const options = {
      pending: true,
      branch: 'main',
      publish,
      username: 'me',
      password: 'pass-of-the-broker',
    };
    const { report, calls, results } = await verified({}, options);
    const credentials = `Basic ${btoa('me:pass-of-the-broker')}`;
    expect(new Set(calls.map(({ headers }) => headers.authorization))).toEqual(new Set([credentials]));
    expect(JSON.stringify(report)).not.toContain('pass-of-the-broker');
    expect(report.conclusion).toBe('conforms');
    expect(report.summary).toBe('The provider satisfies 10 of 10 interactions.');
    expect(report.groups.map(({ title, detail }) => [title, detail?.replace(/http:.*\/pacts/, '')])).toEqual(
      ['flower-shop', 'garden-app'].map((consumer) => [
        `${consumer} → ${PROVIDER}`,
        `version 1.0.1, pending, /provider/${PROVIDER}/consumer/${consumer}/version/1.0.1`,
      ]),
    );
    expect(report.remarks).toEqual([`The results for 2 pacts were published, for version 1 of ${PROVIDER}.`]);
    const inOrder = (list: readonly { method: string; target: string }[]) =>
      list.map(({ method, target }) => `${method} ${target}`).sort();
    expect(inOrder(calls)).toEqual(inOrder(recorded.map(({ request }) => request)));
    for (const { request } of recorded.filter(({ request: { body } }) => body !== undefined)) {
      const call = calls.find(({ method, target }) => method === request.method && target === request.target);
      const { verifiedBy: theirs, ...expected } = request.body as Record<string, unknown>;
      const { verifiedBy, ...body } = (call?.body ?? {}) as Record<string, unknown>;
      expect(body).toEqual(expected);
      if (theirs !== undefined) expect(verifiedBy).toMatchObject({ implementation: 'plant-store-contract' });
    }
    expect(results['garden-app']?.testResults).toHaveLength(5);
  });

  test('names the failing consumer, and publishes each verdict', async () => {
    const pacts: StubbedPact[] = [
      { consumer: 'flower-shop', interactions: creates, pending: false },
      { consumer: 'garden-app', interactions: wants201, pending: false },
    ];
    const buildUrl = 'https://ci/7';
    const { report, results } = await verified({ pacts }, { publish: { ...publish, buildUrl } });
    expect(report.conclusion).toBe('does-not-conform');
    expect(report.findings.map(({ cases }) => cases)).toEqual([
      ['a creation, given no plant with id (garden-app)'],
    ]);
    expect(results['flower-shop']).toMatchObject({ success: true, buildUrl });
    const mismatches = [{ attribute: 'status', description: 'expected 201 but was 200' }];
    expect(results['garden-app']).toMatchObject({
      success: false,
      providerApplicationVersion: '1',
      testResults: [{ interactionId: 'id-1', success: false, mismatches }],
    });
  });

  test('gives a pact the verdict that its file gets: an id is exact, and a token for 401 is kept', async () => {
    const rejection = { description: 'an old token', authorization: 'Bearer old', status: 401 };
    const exact = { ...creation, given: {}, body: '{"name":"Aloe","id":9223372036854775807}' };
    const pacts = [{ interactions: interactionsOf([exact, rejection]), pending: false }];
    const { report, plants } = await verified({ pacts }, {}, { authenticationFailureStatus: 401 });
    expect(report.summary).toBe('The provider satisfies 2 of 2 interactions.');
    expect(plants[0]?.id).toBe(9223372036854775807n);
  });
});

describe('a pending pact', () => {
  test.each<[string, StubbedPact]>([
    ['fails', { interactions: wants201 }],
    ['is work in progress and fails', { interactions: wants201, pending: false, wip: true }],
  ])('that %s does not fail the build', async (_what, pact) => {
    const { report, results } = await verified({ pacts: [pact] }, { pending: true, publish });
    expect(report.conclusion).toBe('conforms');
    expect(report.summary).toBe(
      'The provider satisfies 0 of 1 interaction; 1 pending failure does not count.',
    );
    expect(results['garden-app']?.success).toBe(false);
  });

  const unknownState = interactionsOf([{ ...creation, given: { 'the shop is open': '{}' } }]);
  const parties = `"consumer":{"name":"garden-app"},"provider":{"name":"${PROVIDER}"}`;

  test.each<[string, StubbedPact, string]>([
    [
      'has an unknown state',
      { interactions: unknownState },
      'the state "the shop is open" cannot be set up: there is no handler for it',
    ],
    ['has messages only', { pact: `{${parties},"messages":[]}` }, '/interactions is not an array'],
  ])('that %s does not fail the build, and nothing is published for it', async (_what, pact, why) => {
    const pacts = [pact, { consumer: 'flower-shop', interactions: creates, pending: false }];
    const { report, results } = await verified({ pacts }, { pending: true, publish });
    expect(report.conclusion).toBe('conforms');
    expect(report.groups[0]?.cases[0]).toMatchObject({ verdict: 'blocked', excuse: { kind: 'pending' } });
    expect(JSON.stringify(report.groups[0])).toContain(JSON.stringify(why).slice(1, -1));
    expect(Object.keys(results)).toEqual(['flower-shop']);
    const counting = pacts.map((one) => ({ ...one, pending: false }));
    const counted = await verified({ pacts: counting }, { publish });
    expect(counted.report.conclusion).toBe('incomplete');
    expect(Object.keys(counted.results)).toEqual(['flower-shop']);
  });
});

describe('the publication', () => {
  const isResult = (url = ''): boolean => url.endsWith('/verification-results');
  const pacts = [{ interactions: creates, pending: false }];

  test('does not show the token, and no more of a text than a reader needs', async () => {
    const name = `/${token}${'x'.repeat(5_000)}`;
    await using broker = await startBroker({ pacts });
    await using provider = await startReader((_request, response) => {
      const body = JSON.stringify({ name: 'Aloe', [name]: token });
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    const options = { provider: PROVIDER, broker: { url: broker.url, publish } };
    const report = await verifiers.verify({ baseUrl: provider.url, token, ...options });
    expect(report.conclusion).toBe('does-not-conform');
    const published = JSON.stringify(broker.results());
    expect(published).toContain('$PLANT_STORE_TOKEN');
    expect(published).not.toContain(token);
    expect(published.length).toBeLessThan(5_000);
  });

  test('does not happen if the provider cannot be tested', async () => {
    const { report, calls } = await verified({}, { publish }, { token: 'another-token' });
    expect(report.conclusion).toBe('not-testable');
    expect(report.summary).toMatch(/^The provider could not be tested: .* Nothing was published\.$/);
    expect(calls.some(({ method, target }) => method === 'PUT' || isResult(target))).toBe(false);
  });

  test('that the broker does not take makes the verification incomplete', async () => {
    const override: BrokerStub['override'] = ({ url }, response) => {
      if (isResult(url)) response.writeHead(500).end('{"error":{"message":"full"}}');
      return isResult(url);
    };
    const { report } = await verified({ override }, { branch: 'main', publish });
    expect(report.conclusion).toBe('incomplete');
    expect(report.summary).toMatch(
      /1\.0\.1 could not be published: http:\S+: the response has the status 500: \{"error":\{"message":"full"\}\}\.$/,
    );
    expect(report.remarks).toEqual([]);
  });
});

describe('one pact of a broker, by its URL,', () => {
  test('is verified and its verdict published, with credentials', async () => {
    const { report, results, calls } = await verified({}, {}, { faults: ['leaks-id'] }, (url) => ({
      pacts: [url + pactPath],
      broker: { url, token: 'token-of-the-broker', publish },
    }));
    expect(report.conclusion).toBe('does-not-conform');
    expect(report.remarks).toEqual([`The results for 1 pact were published, for version 1 of ${PROVIDER}.`]);
    expect(results['garden-app']?.success).toBe(false);
    expect(new Set(calls.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer token-of-the-broker']),
    );
  });
});

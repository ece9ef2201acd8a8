import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { type BrokerOptions, verify } from '../../../src/pact/verification/verify.js';
import { schemaErrors } from '../../report/formats/schema.js';
import { creation, interactionsOf } from '../verification/pacts.js';
import { startReader } from '../verification/provider.js';
import { type BrokerStub, PROVIDER, pactPath, recorded, type StubbedPact, startBroker } from './stub.js';

// Pact's own client against a protocol stub with the responses of Pact Broker 2.112.0: no broker can be run here.
const token = 'a-token-of-these-tests';
const creates = interactionsOf([creation]);
/** The reference server answers 200. */
const wants201 = interactionsOf([{ ...creation, status: 201, response: '{"name":"Aloe"}' }]);
const publishes = { publishVerificationResult: true, providerVersion: '1' };

async function verified(
  stub: BrokerStub,
  options: BrokerOptions = {},
  pacts?: (brokerUrl: string) => readonly string[],
  storeToken = token,
) {
  await using broker = await startBroker(stub);
  await using provider = await startPlantStore({ token: storeToken });
  const report = await verify({
    baseUrl: provider.url,
    token,
    provider: PROVIDER,
    broker: { pactBrokerUrl: broker.url, ...options },
    pacts: pacts?.(broker.url),
  });
  expect(schemaErrors(report)).toEqual([]);
  return { report, calls: broker.calls, results: broker.results(), plants: provider.plants() };
}

test('a verification sends what was recorded, and publishes the results', async () => {
  const { report, calls, results } = await verified(
    {},
    {
      ...{
        enablePending: true,
        providerVersionBranch: 'main',
        buildUrl: 'https://ci.example/7',
        ...publishes,
      },
      pactBrokerUsername: 'me',
      pactBrokerPassword: 'pass-of-the-broker',
    },
  );
  expect(report.summary).toBe('The provider satisfies 10 of 10 interactions.');
  expect(report.remarks).toEqual([`The results were published, for version 1 of ${PROVIDER}.`]);
  const credentials = `Basic ${btoa('me:pass-of-the-broker')}`;
  expect(new Set(calls.map(({ headers }) => headers.authorization))).toEqual(new Set([credentials]));
  expect(JSON.stringify(report)).not.toContain('pass-of-the-broker');
  const lines = (list: readonly { method: string; target: string }[]) =>
    new Set(list.map(({ method, target }) => `${method} ${target}`));
  expect(lines(calls)).toEqual(lines(recorded.map(({ request }) => request)));
  const asked = calls.find(({ method, target }) => method === 'POST' && target.endsWith('for-verification'));
  const expected = recorded.find(
    ({ request: { method, target } }) => method === 'POST' && target.endsWith('for-verification'),
  );
  expect(asked?.body).toEqual(expected?.request.body);
  expect(results['garden-app']).toMatchObject({ success: true, buildUrl: 'https://ci.example/7' });
});

test('selectors and work in progress are passed on', async () => {
  const { calls } = await verified(
    {},
    {
      consumerVersionSelectors: [{ branch: 'next' }],
      includeWipPactsSince: '2026-01-31',
      providerVersionBranch: 'main',
      enablePending: true,
    },
  );
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    consumerVersionSelectors: [{ branch: 'next' }],
    includePendingStatus: true,
    includeWipPactsSince: '2026-01-31',
    providerVersionBranch: 'main',
  });
});

test('a failure is published, and is a case of its own', async () => {
  const pacts: StubbedPact[] = [
    { consumer: 'flower-shop', interactions: creates, pending: false },
    { consumer: 'garden-app', interactions: wants201, pending: false },
  ];
  const { report, results } = await verified({ pacts }, publishes);
  expect(report.conclusion).toBe('does-not-conform');
  expect(report.summary).toBe('The provider fails 1 of 2 interactions.');
  expect(results['flower-shop']).toMatchObject({ success: true });
  expect(results['garden-app']).toMatchObject({ success: false, providerApplicationVersion: '1' });
});

test.each<[string, StubbedPact]>([
  ['fails', { interactions: wants201 }],
  ['is work in progress and fails', { interactions: wants201, wip: true }],
])('a pending pact that %s does not fail the build', async (_what, pact) => {
  const { report, results } = await verified({ pacts: [pact] }, { enablePending: true, ...publishes });
  expect(report.conclusion).toBe('conforms');
  expect(report.summary).toBe('The provider satisfies 0 of 1 interaction; 1 pending failure does not count.');
  expect(results['garden-app']?.success).toBe(false);
});

test('an id beyond 2^53 is exact', async () => {
  const exact = { ...creation, given: {}, body: '{"name":"Aloe","id":9223372036854775807}' };
  const { plants } = await verified({ pacts: [{ interactions: interactionsOf([exact]), pending: false }] });
  expect(plants.at(-1)?.id).toBe(9223372036854775807n);
});

describe('it does not pass by accident', () => {
  test.each<[string, StubbedPact, string]>([
    [
      'has an unknown state',
      {
        interactions: interactionsOf([{ ...creation, given: { 'the shop is open': '{}' } }]),
        pending: false,
      },
      '1 could not be verified',
    ],
    [
      'has a message',
      { interactions: creates.replace('Synchronous/HTTP', 'Asynchronous/Messages'), pending: false },
      '1 could not be verified',
    ],
  ])('if a pact %s', async (_what, pact, why) => {
    const { report } = await verified({ pacts: [pact] });
    expect(report.conclusion).toBe('incomplete');
    expect(report.summary).toContain(why);
  });

  test('if the broker has no pact, or is none', async () => {
    expect((await verified({ pacts: [] })).report.conclusion).toBe('incomplete');
    await using server = await startReader((_request, response) => response.end('hello'));
    await using provider = await startPlantStore({ token });
    const broker = { pactBrokerUrl: server.url };
    const report = await verify({ baseUrl: provider.url, token, broker });
    expect(report.conclusion).toBe('incomplete');
  });

  test('if the token is wrong: nothing is published', async () => {
    const { report, calls } = await verified({}, publishes, undefined, 'another-token');
    expect(report.conclusion).toBe('not-testable');
    expect(report.summary).toMatch(/Nothing was published\.$/);
    expect(calls).toEqual([]);
  });

  test('if the broker does not take the results', async () => {
    const override: BrokerStub['override'] = ({ url = '' }, response) => {
      if (!url.endsWith('/verification-results')) return false;
      response.writeHead(409).end('{}');
      return true;
    };
    const { report } = await verified({ override }, publishes);
    expect(report.conclusion).toBe('incomplete');
    expect(report.summary).toMatch(/the results could not be published: /);
    expect(report.remarks).toEqual([]);
  });
});

describe('a broker that fails once', () => {
  const stages: Readonly<Record<string, (method: string, target: string) => boolean>> = {
    index: (_method, target) => target === '/',
    list: (method, target) => method === 'POST' && target.endsWith('/for-verification'),
    pact: (method, target) => method === 'GET' && target.includes('/pact-version/'),
    publication: (_method, target) => target.endsWith('/verification-results'),
  };
  const cases = Object.keys(stages).flatMap((stage) => [503, 'reset'].map((how) => [stage, how] as const));

  // Most of this time, Pact waits.
  test.concurrent.for(cases)('for the %s, with %s, is asked again', async ([stage, how]) => {
    let hasFailed = false;
    const override: BrokerStub['override'] = ({ method = '', url = '', socket }, response) => {
      if (hasFailed || stages[stage]?.(method, url) !== true) return false;
      hasFailed = true;
      if (how === 'reset') socket.resetAndDestroy();
      else response.writeHead(503).end('<h1>gateway</h1>');
      return true;
    };
    const { report } = await verified({ override }, publishes);
    expect(report.conclusion).toBe('conforms');
    expect(hasFailed).toBe(true);
  });
});

describe('one pact, by the URL that a webhook gives,', () => {
  const credentials = { pactBrokerToken: 'token-of-the-broker', ...publishes };

  test('is verified and its result published, with credentials', async () => {
    const { report, results, calls } = await verified({}, credentials, (url) => [url + pactPath]);
    expect(report.summary).toBe('The provider satisfies 5 of 5 interactions.');
    expect(results['garden-app']?.success).toBe(true);
    expect(new Set(calls.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer token-of-the-broker']),
    );
  });

  test('gets no credentials if it is on another server than the broker', async () => {
    const elsewhere = { ...credentials, pactBrokerUrl: 'http://127.0.0.1:9' };
    const { calls } = await verified({}, elsewhere, (url) => [url + pactPath]);
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  test.each(['link', 'redirect'])('sends none to another server by a %s', async (how) => {
    const [secret, elsewhere] = ['token-of-the-broker', [] as (string | undefined)[]];
    await using other = await startReader(({ headers }, response) => {
      elsewhere.push(headers.authorization);
      response.writeHead(404).end();
    });
    const override: BrokerStub['override'] = ({ method, url = '' }, response) => {
      if (method !== 'GET' || !(how === 'link' ? url === '/' : url.endsWith('/for-verification')))
        return false;
      const href = `${other.url}/pacts/provider/{provider}/for-verification`;
      const links = { self: { href: url }, 'pb:provider-pacts-for-verification': { href, templated: true } };
      response.writeHead(how === 'link' ? 200 : 307, {
        'content-type': 'application/hal+json',
        ...(how === 'redirect' && { location: `${other.url}/pacts` }),
      });
      response.end(JSON.stringify({ _links: links }));
      return true;
    };
    const { report } = await verified({ override }, { pactBrokerToken: secret });
    expect(report.conclusion).toBe(how === 'link' ? 'conforms' : 'incomplete');
    expect(elsewhere).toEqual(how === 'link' ? [] : [undefined]);
  });
});

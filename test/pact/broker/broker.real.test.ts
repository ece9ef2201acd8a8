import { type BrokerOptions, type VerifyOptions, verifyProvider } from 'plant-store-contract/pact';
import { type PlantStoreOptions, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expectToMatchSchema } from '../report-schema.js';
import { interactionsOf, pactOf, type Sketch } from '../verification/pacts.js';
import { startReader } from '../verification/provider.js';
import { type BrokerStub, PROVIDER, recorded, type StubbedPact, startBroker } from './stub.js';

// Against a protocol stub with the responses of Pact Broker 2.112.0: no broker can be run here.
const token = 'a-token-of-these-tests';
const creation: Sketch = { description: 'a creation', given: { 'no plant with id': '{"id":7}' } };
const creates = interactionsOf([creation]);
/** The reference server answers 200. */
const wants201 = interactionsOf([{ ...creation, status: 201, response: '{"name":"Aloe"}' }]);
const publish = { version: '1', branch: 'main' };

async function verified(
  stub: BrokerStub,
  options: BrokerOptions = {},
  store: PlantStoreOptions = {},
  further: Partial<VerifyOptions> = {},
) {
  await using broker = await startBroker(stub);
  await using provider = await startPlantStore({ token, ...store });
  const report = await verifyProvider({
    baseUrl: provider.url,
    token,
    provider: PROVIDER,
    broker: { url: broker.url, ...options },
    ...further,
  });
  expectToMatchSchema(report);
  return { report, calls: broker.calls, results: broker.results(), plants: provider.plants() };
}

describe('a verification', () => {
  test('sends what Pact sends to a real broker, and reports by consumer, version and branch', async () => {
    const { report, calls, results } = await verified({}, { pending: true, publish });
    expect(report.conclusion).toBe('conforms');
    expect(report.summary).toBe('The provider satisfies 10 of 10 interactions.');
    expect(report.groups.map(({ title, detail }) => [title, detail?.replace(/http:.*\/pacts/, '')])).toEqual(
      ['flower-shop', 'garden-app'].map((consumer) => [
        `${consumer} → ${PROVIDER}`,
        `version 1.0.1, branch main, pending, /provider/${PROVIDER}/consumer/${consumer}/version/1.0.1`,
      ]),
    );
    expect(report.pacts[1]).toMatchObject({
      consumer: 'garden-app',
      version: '1.0.1',
      branch: 'main',
      pending: true,
      published: true,
    });
    expect(report.remarks).toEqual([
      `The results for 2 pacts were published, for version 1 and branch main of ${PROVIDER}.`,
    ]);
    const sent = calls.filter(({ target }) => !/\/versions\/1\.0\.1$/.test(target));
    const asRecorded = recorded.filter(
      // Pact also asks for the list with a deprecated GET, and publishes the branch once for each pact.
      ({ request: { method, target } }, at) =>
        at > 1 && !(method === 'GET' && target.endsWith('/for-verification')) && ![10, 11].includes(at),
    );
    const inOrder = (list: readonly { method: string; target: string }[]) =>
      list.map(({ method, target }) => `${method} ${target}`).sort();
    expect(inOrder(sent)).toEqual(inOrder(asRecorded.map(({ request }) => request)));
    for (const { request } of asRecorded.filter(({ request: { body } }) => body !== undefined)) {
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
    const { report, results } = await verified(
      { pacts },
      { publish: { ...publish, buildUrl: 'https://ci/7' } },
    );
    expect(report.conclusion).toBe('does-not-conform');
    expect(report.findings.map(({ cases }) => cases)).toEqual([
      ['a creation, given no plant with id (garden-app)'],
    ]);
    expect(results['flower-shop']).toMatchObject({ success: true, buildUrl: 'https://ci/7' });
    expect(results['garden-app']).toMatchObject({
      success: false,
      providerApplicationVersion: '1',
      testResults: [
        {
          interactionId: 'id-1',
          success: false,
          mismatches: [{ attribute: 'status', description: 'expected 201 but was 200' }],
        },
      ],
    });
  });

  test('publishes the whole verdict, also what only the interface says', async () => {
    const { report, results } = await verified({}, { publish }, { faults: ['leaks-id'] });
    expect(report.pacts[0]?.interactions.map(({ mismatches }) => mismatches.length)).toEqual([0, 0, 0, 0, 0]);
    expect(results['garden-app']?.success).toBe(false);
    expect(results['garden-app']?.testResults.map(({ success }) => success)).toEqual(
      report.pacts[1]?.interactions.map(({ verdict }) => verdict === 'pass'),
    );
    expect(results['garden-app']?.testResults.find(({ success }) => !success)).toMatchObject({
      mismatches: [{ attribute: 'body', identifier: '/id' }],
    });
    expect(JSON.stringify(results)).not.toContain(token);
  });

  test('gives a pact the verdict that its file gets: a token that must be rejected with 401 is kept', async () => {
    const rejection = { description: 'an old token', authorization: 'Bearer old', status: 401 };
    const pacts = [{ interactions: interactionsOf([creation, rejection]), pending: false }];
    const { report } = await verified({ pacts }, {}, { authenticationFailureStatus: 401 });
    expect(report.summary).toBe('The provider satisfies 2 of 2 interactions.');
  });

  test('sends an id with all its digits', async () => {
    const body = '{"name":"Aloe","id":9223372036854775807}';
    const pacts = [{ interactions: interactionsOf([{ ...creation, given: {}, body }]), pending: false }];
    const { plants } = await verified({ pacts });
    expect(plants[0]?.id).toBe(9223372036854775807n);
  });

  test('names versions of one consumer by their branch', async () => {
    const pacts = ['1.0.0', '2.0.0'].map((version) => ({ version, interactions: creates, pending: false }));
    const { report } = await verified({ pacts });
    expect(report.groups.map(({ detail }) => detail?.split(',')[0])).toEqual([
      'version 1.0.0',
      'version 2.0.0',
    ]);
    expect(report.groups.flatMap(({ cases }) => cases.map(({ id }) => id))).toEqual([
      'a creation, given no plant with id (garden-app main)',
      'a creation, given no plant with id (garden-app main, 2)',
    ]);
  });

  test('asks for the recommended pacts by default, or for those of the selectors', async () => {
    const queries = async (options: BrokerOptions): Promise<unknown> => {
      const { calls } = await verified({ pacts: [{ interactions: creates }] }, options);
      return calls.find(({ target }) => target.endsWith('/for-verification'))?.body;
    };
    expect(await queries({})).toEqual({
      consumerVersionSelectors: [{ mainBranch: true }, { deployedOrReleased: true }],
      includePendingStatus: false,
    });
    expect(await queries({ selectors: [], branch: 'feat', wipSince: '2026-01-31', pending: true })).toEqual({
      consumerVersionSelectors: [],
      includePendingStatus: true,
      includeWipPactsSince: '2026-01-31',
      providerVersionBranch: 'feat',
    });
  });

  test('reaches a broker below a path, and publishes nothing unless asked to', async () => {
    const { report, calls } = await verified({ basePath: '/pact-broker' });
    expect(report.conclusion).toBe('conforms');
    expect(report.pacts[0]).not.toHaveProperty('published');
    expect(calls.filter(({ method }) => method !== 'GET')).toHaveLength(1);
  });
});

describe('a pending pact', () => {
  test.each<[string, StubbedPact, PlantStoreOptions]>([
    ['fails', { interactions: wants201 }, {}],
    ['fails in our own validation', { interactions: creates }, { faults: ['leaks-id'] }],
    ['is work in progress and fails', { interactions: wants201, pending: false, wip: true }, {}],
  ])('that %s does not fail the build', async (_what, pact, store) => {
    const { report, results } = await verified({ pacts: [pact] }, { pending: true, publish }, store);
    expect(report.conclusion).toBe('conforms');
    expect(report.summary).toBe(
      'The provider satisfies 0 of 1 interaction; 1 pending failure does not count.',
    );
    expect(report.interactions).toEqual({ passed: 0, failed: 0, pendingFailures: 1, notVerified: 0 });
    expect(results['garden-app']?.success).toBe(false);
  });

  test('that expects what the provider rejects does not fail the build, if another plant is accepted', async () => {
    const wrong = { ...creation, body: '{"id":7}' };
    const { report } = await verified(
      { pacts: [{ interactions: interactionsOf([wrong]) }] },
      { pending: true },
    );
    expect([report.conclusion, report.interactions.pendingFailures]).toEqual(['conforms', 1]);
  });

  test.each<[string, StubbedPact, string]>([
    [
      'has an unknown state',
      { interactions: interactionsOf([{ ...creation, given: { 'the shop is open': '{}' } }]) },
      'there is no handler for the state "the shop is open"',
    ],
    [
      'has messages only',
      { pact: `{"consumer":{"name":"garden-app"},"provider":{"name":"${PROVIDER}"},"messages":[]}` },
      'it has messages, but no interactions',
    ],
    [
      'is no pact',
      { pact: `{"consumer":{"name":"a"},"provider":{"name":"${PROVIDER}"},"interactions":7}` },
      '/interactions is not an array',
    ],
  ])('that %s does not fail the build, and nothing is published for it', async (_what, pact, why) => {
    const pacts = [pact, { consumer: 'flower-shop', interactions: creates, pending: false }];
    const { report, results } = await verified({ pacts }, { pending: true, publish });
    expect(report.conclusion).toBe('conforms');
    expect(report.groups[0]?.cases[0]).toMatchObject({ verdict: 'blocked', excuse: { kind: 'pending' } });
    expect(report.groups[0]?.title).toBe(`garden-app → ${PROVIDER}`);
    expect(JSON.stringify(report.pacts[0])).toContain(JSON.stringify(why).slice(1, -1));
    expect(Object.keys(results)).toEqual(['flower-shop']);
    const unpublished = await verified(
      { pacts: pacts.map((one) => ({ ...one, pending: false })) },
      { publish },
    );
    expect(unpublished.report.conclusion).toBe('incomplete');
    expect(Object.keys(unpublished.results)).toEqual(['flower-shop']);
  });

  test.each<[string, string, BrokerOptions, RegExp, RegExp]>([
    ['passes and is published', creates, { publish }, /no longer in pending state/, /still in pending state/],
    ['passes and is not published', creates, {}, /have not yet been published\.$/, /no longer/],
    [
      'fails and is published',
      wants201,
      { publish },
      /a successful verification result has not/,
      /no longer/,
    ],
  ])('that %s gets the notices that apply', async (_what, interactions, options, applies, not) => {
    const { report } = await verified({ pacts: [{ interactions }] }, { pending: true, ...options });
    const notes = report.notes.filter((note) => note.startsWith('garden-app 1.0.1: '));
    expect(notes).toHaveLength(3);
    expect(notes[0]).toMatch(
      /following criteria: latest version from branch 'main' \(1\.0\.1\); latest version from the main branch/,
    );
    expect(notes[2]).toMatch(applies);
    expect(notes[2]).not.toMatch(not);
  });
});

test('a request that a gateway answers is sent again, and not forever', async () => {
  const failing = (times: number): BrokerStub => ({
    pacts: [{ interactions: creates, pending: false }],
    override: ({ url = '' }, response) => {
      if (!url.endsWith('/verification-results') || times-- <= 0) return false;
      response.writeHead(503).end();
      return true;
    },
  });
  const { report, calls } = await verified(failing(2), { publish });
  expect(report.conclusion).toBe('conforms');
  expect(calls.filter(({ target }) => target.endsWith('/verification-results'))).toHaveLength(3);
  expect((await verified(failing(3), { publish })).report.conclusion).toBe('incomplete');
});

test('a published verdict does not show the token, and no more of a text than a reader needs', async () => {
  const name = `/${token}${'x'.repeat(5_000)}`;
  await using broker = await startBroker({ pacts: [{ interactions: creates, pending: false }] });
  await using provider = await startReader((_request, response) => {
    const body = JSON.stringify({ name: 'Aloe', [name]: token });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  const options = { baseUrl: provider.url, token, provider: PROVIDER, broker: { url: broker.url, publish } };
  expect((await verifyProvider(options)).conclusion).toBe('does-not-conform');
  const published = JSON.stringify(broker.results());
  expect(published).toContain('$PLANT_STORE_TOKEN');
  expect(published).not.toContain(token);
  expect(published.length).toBeLessThan(5_000);
});

describe('nothing is published', () => {
  test('if the token is wrong', async () => {
    const { report, calls } = await verified({}, { publish }, { token: 'another-token' });
    expect(report.conclusion).toBe('not-testable');
    expect(report.summary).toMatch(/^The provider could not be tested: .* Nothing was published\.$/);
    expect(report.pacts.map(({ published }) => published)).toEqual([false, false]);
    expect(calls.some(({ target }) => target.endsWith('/verification-results'))).toBe(false);
    expect(report.notes.join('\n')).not.toMatch(/still in pending|no longer in pending/);
  });

  test('if the provider is down', async () => {
    const { report, calls } = await verified({}, { publish }, {}, { baseUrl: 'http://127.0.0.1:2' });
    expect(report.conclusion).toBe('not-testable');
    expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
    expect(calls.some(({ target }) => target.endsWith('/verification-results'))).toBe(false);
  });
});

describe('a failed publication makes the verification incomplete', () => {
  const isResult = (url = ''): boolean => url.endsWith('/verification-results');

  test.each<[string, BrokerStub, RegExp]>([
    [
      'the broker fails',
      {
        override: ({ url }, response) => {
          if (isResult(url)) response.writeHead(500).end('{"error":{"message":"full"}}');
          return isResult(url);
        },
      },
      /1\.0\.1 could not be published: the response has the status 500: message: full\.$/,
    ],
    [
      'the broker never responds',
      { override: ({ url }) => isResult(url) },
      /1\.0\.1 could not be published: no whole response within 500 ms\.$/,
    ],
    [
      'the branch is not accepted',
      {
        override: ({ method }, response) => {
          if (method === 'PUT') response.writeHead(409).end();
          return method === 'PUT';
        },
      },
      /1\.0\.1 could not be published: the response has the status 409\.$/,
    ],
  ])('if %s', async (_what, stub, summary) => {
    const { report } = await verified(stub, { publish, timeoutMs: 500 });
    expect(report.conclusion).toBe('incomplete');
    expect(report.summary).toMatch(summary);
    expect(report.pacts[0]?.published).toBe(false);
  });
});

describe('a broker that gives no pacts', () => {
  const answered =
    (status: number, body = ''): BrokerStub['override'] =>
    (_request, response) => {
      response.writeHead(status, { location: 'http://elsewhere.example/' }).end(body);
      return true;
    };

  test.each<[string, BrokerStub, RegExp]>([
    ['never responds', { override: () => true }, /no whole response within 500 ms$/],
    ['needs credentials', { override: answered(401) }, /it needs credentials \(status 401\)$/],
    ['has no pact', { pacts: [] }, /it has no pact with plant-store-x for these selectors$/],
    [
      'is no broker',
      { override: answered(200, '<html>') },
      /the response is not JSON: is this a Pact broker\?$/,
    ],
    [
      'has no links',
      { override: answered(200, '{}') },
      /no link "pb:provider-pacts-for-verification": is this a Pact broker\?$/,
    ],
    [
      'does not know the selector',
      {
        override: ({ method }, response) => {
          if (method !== 'POST') return false;
          response.writeHead(400).end('{"errors":{"consumerVersionSelectors":["unknown key mainbranch"]}}');
          return true;
        },
      },
      /the response has the status 400: consumerVersionSelectors: unknown key mainbranch$/,
    ],
    [
      'links to another server',
      {
        override: ({ url }, response) => {
          if (url !== '/') return false;
          const href = 'http://169.254.169.254/{provider}';
          response.end(JSON.stringify({ _links: { 'pb:provider-pacts-for-verification': { href } } }));
          return true;
        },
      },
      /it links to another server, http:\/\/169\.254\.169\.254; set the base URL of the broker to http/,
    ],
  ])('because it %s', async (_what, stub, why) => {
    const failure = verified(stub, { timeoutMs: 500 });
    await expect(failure).rejects.toMatchObject({ code: 'no-pact' });
    await expect(failure).rejects.toThrow(why);
  });

  test('because it does not know the provider', async () => {
    const failure = verified({}, {}, {}, { provider: 'none' });
    await expect(failure).rejects.toThrow(
      /: the response has the status 404: No provider with name 'none' found$/,
    );
  });
});

describe('credentials', () => {
  test.each<[BrokerOptions, string]>([
    [{ token: 'token-of-the-broker' }, 'Bearer token-of-the-broker'],
    [{ username: 'me', password: 'secret' }, `Basic ${btoa('me:secret')}`],
  ])('%j go to the broker with every request, and to nothing else', async (options, authorization) => {
    const { report, calls } = await verified({}, { ...options, publish });
    expect(new Set(calls.map(({ headers }) => headers.authorization))).toEqual(new Set([authorization]));
    expect(JSON.stringify(report)).not.toContain(authorization.split(' ')[1]);
  });
});

describe('one pact of a broker, by its URL', () => {
  const urlOf = (broker: { url: string }): string =>
    broker.url +
    (recorded.find(({ request }) => /garden-app\/pact-version/.test(request.target))?.request.target ?? '');

  test('is verified and its verdict published, with credentials', async () => {
    await using broker = await startBroker();
    await using provider = await startPlantStore({ token, faults: ['leaks-id'] });
    const report = await verifyProvider({
      baseUrl: provider.url,
      token,
      provider: PROVIDER,
      pacts: [urlOf(broker)],
      broker: { token: 'token-of-the-broker', publish },
    });
    expect(report.conclusion).toBe('does-not-conform');
    expect(report.pacts[0]).toMatchObject({ version: '1.0.1', branch: 'main', published: true });
    expect(broker.results()['garden-app']?.success).toBe(false);
    expect(new Set(broker.calls.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer token-of-the-broker']),
    );
  });

  test('may have a user and a password', async () => {
    await using broker = await startBroker();
    await using provider = await startPlantStore({ token });
    const report = await verifyProvider({
      baseUrl: provider.url,
      token,
      provider: PROVIDER,
      pacts: [urlOf(broker).replace('//', '//me:password-of-me@')],
      broker: { publish },
    });
    expect(report.conclusion).toBe('conforms');
    expect(broker.calls.at(-1)?.headers.authorization).toBe(`Basic ${btoa('me:password-of-me')}`);
    expect(JSON.stringify(report)).not.toContain('password-of-me');
  });
});

test.each<[string, Partial<VerifyOptions>, RegExp]>([
  ['its URL is not valid', { broker: { url: 'broker' } }, /must be a URL/],
  [
    'its URL contains a password',
    { broker: { url: 'http://me:secret@127.0.0.1:2' } },
    /must not contain a user or a password/,
  ],
  [
    'it gets two kinds of credentials',
    { broker: { url: 'http://b', token: 'a', username: 'b' } },
    /not both/,
  ],
  ['its token cannot be sent', { broker: { url: 'http://b', token: 'a\n' } }, /cannot be sent as it is/],
  ['results have no version', { broker: { url: 'http://b', publish: { version: '' } } }, /must not be empty/],
  ['a day is not valid', { broker: { url: 'http://b', wipSince: 'yesterday' } }, /2026-01-31; got yesterday/],
  ['a timeout is not valid', { broker: { url: 'http://b', timeoutMs: 0 } }, /timeout of the broker must be/],
  ['there are pacts too', { broker: { url: 'http://b' }, pacts: ['a.json'] }, /not from both/],
  ['there is nothing to publish', { broker: { publish }, pacts: ['a.json'] }, /only for pacts of a broker/],
  ['there is no broker to select from', { broker: { pending: true }, pacts: ['http://b'] }, /need the URL/],
  [
    'one token is for two servers',
    { broker: { token: 'a' }, pacts: ['http://a/1', 'http://b/1'] },
    /the credentials are for one server, but the pacts are on several: http:\/\/a and http:\/\/b$/,
  ],
])('the options of a broker are rejected if %s', async (_what, options, message) => {
  await expect(verifyProvider({ baseUrl: 'http://127.0.0.1:2', token, ...options })).rejects.toThrow(message);
});

test('a pact file can be verified beside a URL, and nothing is published for it', async () => {
  const { folderWith } = await import('../verification/pacts.js');
  const broker = await startBroker({ pacts: [{ interactions: creates }] });
  const provider = await startPlantStore({ token });
  onTestFinished(async () => {
    await Promise.all([broker[Symbol.asyncDispose](), provider.close()]);
  });
  const folder = await folderWith({ 'a.json': pactOf([creation], PROVIDER, 'file-app') });
  const target = recorded.find(({ request }) => /garden-app\/pact-version/.test(request.target))?.request
    .target;
  const report = await verifyProvider({
    baseUrl: provider.url,
    token,
    provider: PROVIDER,
    pacts: [folder, `${broker.url}${target}`],
    broker: { publish },
  });
  expect(report.pacts.map(({ published }) => published)).toEqual([false, true]);
  expect(report.notes).toEqual(['No result was published for file-app: no broker gave the pact.']);
});

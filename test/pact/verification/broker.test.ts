import { type BrokerOptions, verifyProvider } from 'plant-store-contract/pact';
import { startPlantStore } from 'plant-store-contract/server';
import { expect, onTestFinished, test } from 'vitest';
import { type BrokerStub, startBrokerStub } from './broker.js';
import { pactOf } from './pacts.js';

// Against a protocol stub: no broker can be run here.
const token = 'a-token-of-these-tests';
const pacts = [pactOf([{ description: 'a creation', given: { 'no plant with id': '{"id":7}' } }])];

async function verifiedFrom(
  stub: BrokerStub,
  options: Omit<BrokerOptions, 'url'>,
  faults: 'answers-201'[] = [],
) {
  const broker = await startBrokerStub(stub);
  const store = await startPlantStore({ token, faults });
  onTestFinished(async () => {
    await Promise.all([broker[Symbol.asyncDispose](), store.close()]);
  });
  const verifying = verifyProvider({ baseUrl: store.url, token, broker: { url: broker.url, ...options } });
  return { verifying, broker, store };
}

test('all options of a broker are passed to Pact', async () => {
  const { verifying, broker, store } = await verifiedFrom(
    { pacts, notice: 'The pact is new.' },
    {
      token: 'token-of-the-broker',
      selectors: [{ mainBranch: true }, { deployedOrReleased: true, consumer: 'garden' }],
      pending: true,
      wipSince: '2026-01-31',
      publish: { version: '1.2.3', branch: 'main', buildUrl: 'https://ci.example/7' },
    },
  );
  const verification = await verifying;
  expect(verification.conclusion).toBe('conforms');
  expect(verification.notes).toEqual(['The pact is new.']);
  expect(store.plants()[0]?.id).not.toBe(7);
  const { calls } = broker;
  expect(new Set(calls.map(({ authorization }) => authorization))).toEqual(
    new Set(['Bearer token-of-the-broker']),
  );
  expect(
    calls.find(({ method, path }) => method === 'POST' && path.endsWith('/for-verification')),
  ).toMatchObject({
    path: '/pacts/provider/plant-store/for-verification',
    body: {
      consumerVersionSelectors: [{ mainBranch: true }, { deployedOrReleased: true, consumer: 'garden' }],
      includePendingStatus: true,
      includeWipPactsSince: '2026-01-31',
      providerVersionBranch: 'main',
    },
  });
  expect(calls.some(({ method, path }) => method === 'PUT' && path === '/branches/main/1.2.3')).toBe(true);
  expect(calls.find(({ path }) => path === '/results/0')).toMatchObject({
    method: 'POST',
    body: { success: true, providerApplicationVersion: '1.2.3', buildUrl: 'https://ci.example/7' },
  });
  expect(JSON.stringify(verification)).not.toContain('token-of-the-broker');
});

test('a user and a password; the selectors that Pact recommends by default; nothing is published', async () => {
  const { verifying, broker } = await verifiedFrom(
    { pacts },
    { username: 'me', password: 'secret', branch: 'feat' },
  );
  expect((await verifying).conclusion).toBe('conforms');
  const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`;
  expect(broker.calls[0]?.authorization).toBe(basic);
  expect(broker.calls.find(({ method }) => method === 'POST')?.body).toMatchObject({
    consumerVersionSelectors: [{ mainBranch: true }, { matchingBranch: true }, { deployedOrReleased: true }],
  });
  expect(broker.calls.some(({ path }) => path.startsWith('/results/'))).toBe(false);
});

test('a failure is reported and published', async () => {
  const { verifying, broker } = await verifiedFrom({ pacts }, { publish: { version: '2' } }, ['answers-201']);
  const verification = await verifying;
  expect(verification.conclusion).toBe('does-not-conform');
  expect(verification.pacts[0]?.interactions[0]).toMatchObject({
    description: 'a creation',
    mismatches: [{ part: 'status', message: 'expected 200 but was 201' }],
  });
  expect(broker.calls.find(({ path }) => path === '/results/0')?.body).toMatchObject({ success: false });
});

test('a failure of a pending pact does not count', async () => {
  const { verifying } = await verifiedFrom({ pacts, isPending: true }, { pending: true }, ['answers-201']);
  const verification = await verifying;
  expect(verification.pacts[0]?.interactions[0]).toMatchObject({ verdict: 'fail', pending: true });
  expect(verification.conclusion).toBe('conforms');
});

test('a verification is incomplete if its results cannot be published', async () => {
  const { verifying } = await verifiedFrom({ pacts, publishing: 500 }, { publish: { version: '2' } });
  const verification = await verifying;
  expect(verification.conclusion).toBe('incomplete');
  expect(verification.summary).toMatch(/Publishing of verification results failed/);
});

test('a broker without a pact is an error', async () => {
  const { verifying } = await verifiedFrom({ pacts: [] }, {});
  await expect(verifying).rejects.toMatchObject({ code: 'no-pact', message: /No pacts found for provider/ });
});

test.each<[string, Partial<BrokerOptions>, RegExp]>([
  ['no broker responds', { url: 'http://127.0.0.1:9' }, /gave nothing to verify: /],
  ['the URL is not valid', { url: 'broker' }, /must be a URL/],
  [
    'its URL contains a password',
    { url: 'http://me:secret@127.0.0.1:9' },
    /must not contain a user or a password/,
  ],
  ['it gets two kinds of credentials', { token: 'a', username: 'b' }, /not both/],
  ['results have no version', { publish: { version: '' } }, /must not be empty/],
  ['a day is not valid', { wipSince: 'yesterday' }, /must look like 2026-01-31; got yesterday/],
])('%s', async (_what, options, message) => {
  const broker = { url: 'http://127.0.0.1:9', ...options };
  await expect(verifyProvider({ baseUrl: 'http://127.0.0.1:9', token, broker })).rejects.toThrow(message);
});

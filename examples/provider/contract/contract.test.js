// contract.test.js
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertConformance } from 'plant-store-contract/conformance';
import { verifyProvider } from 'plant-store-contract/pact';
import { serve } from './serve.js';

let provider;

before(async () => {
  provider = await serve('secret-token');
});

after(() => provider.close());

test('the provider conforms to the interface', async () => {
  await assertConformance({ baseUrl: provider.url, token: 'secret-token' });
});

test('the provider does what its consumers rely on', async () => {
  const { summary } = await verifyProvider({
    baseUrl: provider.url,
    token: 'secret-token',
    pacts: ['pacts/garden-app-plant-store.json'],
  });
  assert.equal(summary, 'The provider satisfies 3 of 3 interactions.');
});

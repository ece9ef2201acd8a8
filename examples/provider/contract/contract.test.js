// contract.test.js
import { after, before, test } from 'node:test';
import { Verifier } from '@pact-foundation/pact';
import { assertConformance } from 'plant-store-contract/conformance';
import { pactVerifierOptions } from 'plant-store-contract/pact';
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
  await new Verifier({
    ...pactVerifierOptions({ baseUrl: provider.url, token: 'secret-token' }),
    pactUrls: ['pacts/garden-app-plant-store.json'],
  }).verifyProvider();
});

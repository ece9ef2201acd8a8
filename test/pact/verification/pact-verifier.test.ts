import { expect, test } from 'vitest';
import { startPactVerifier } from '../../../src/pact/verification/pact-verifier.js';

test('a process without a result in time is stopped, with what it said', async () => {
  const verifier = startPactVerifier();
  const options = { providerBaseUrl: 'http://127.0.0.1:9', provider: 'plant-store', pactUrls: ['none.json'] };
  await expect(verifier.verify(options, 1)).rejects.toMatchObject({
    code: 'pact-broke',
    message: expect.stringContaining("Pact's verifier was stopped after 0.001 s and has no result"),
  });
  verifier.stop();
  await expect(verifier.verify(options, 60_000)).rejects.toMatchObject({ code: 'pact-broke' });
});

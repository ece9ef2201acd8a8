import { pactVerifierOptions } from 'plant-store-contract/pact';
import { startPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';

const token = 'a-token-of-these-tests';

// Pact itself gives up after 30 s, and then never tears the state down.
test('a state that is never ready fails after 10 s', async () => {
  await using store = await startPlantStore({ token });
  const states = { 'the shop is open': () => new Promise<void>(() => {}) };
  const { stateHandlers } = pactVerifierOptions({ baseUrl: store.url, token, states });
  await expect(stateHandlers['the shop is open'].setup({})).rejects.toThrow(
    'the state "the shop is open" cannot be set up: timeout after 10 s',
  );
});

import { verifyProvider } from 'plant-store-contract/pact';
import { startPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { pactFile } from './pacts.js';

test.each(['Content-Length', 'Host', 'close, Transfer-Encoding'])(
  'an interaction whose request has "Connection: %s" is not sent',
  async (Connection) => {
    await using store = await startPlantStore({ token: 'secret' });
    const pact = await pactFile({ description: 'a trick', status: 400, headers: { Connection } });
    const report = await verifyProvider({ baseUrl: store.url, token: 'secret', pacts: [pact] });
    const [interaction] = report.pacts.flatMap(({ interactions }) => interactions);
    expect(interaction?.verdict).toBe('blocked');
    expect(interaction?.reason).toMatch(/^the request cannot be forwarded: Connection names [a-z-]+$/);
    expect(report.conclusion).not.toBe('conforms');
    expect(store.received()).toEqual([]);
  },
);

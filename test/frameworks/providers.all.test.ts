import { checkConformance } from 'plant-store-contract/conformance';
import { verifyProvider } from 'plant-store-contract/pact';
import { expect, test, vi } from 'vitest';
import { isBroken } from '../../src/report/conclusion.js';
import { startExpress } from './express.js';
import { createHono, startHono } from './hono.js';

const token = 'a-token-of-these-tests';

test('Express, with 401, 409 and 422, satisfies the shipped pact', async () => {
  await using provider = await startExpress(token);
  const { conclusion, summary } = await verifyProvider({ baseUrl: provider.url, token });
  expect(conclusion, summary).toBe('conforms');
});

test('a Hono application breaks the same rules without a port as over one', async () => {
  // It writes every exception to the console.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const brokenBy = async (options: Parameters<typeof checkConformance>[0]): Promise<string[]> => {
    const { rules } = await checkConformance({ ...options, prism: false });
    return rules.filter(isBroken).map(({ id }) => id);
  };
  await using provider = await startHono(token);
  const overPort = await brokenBy({ baseUrl: provider.url, token });
  expect(overPort).toContain('request/ids-are-exact');
  const { fetch } = createHono(token, '/api');
  expect(await brokenBy({ baseUrl: 'http://localhost/api', token, fetch })).toEqual(overPort);
});

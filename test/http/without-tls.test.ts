import { createPlantClient, NoResponseError } from 'plant-store-contract/client';
import { checkConformance } from 'plant-store-contract/conformance';
import { startProxy } from 'plant-store-contract/proxy';
import { startPlantStore } from 'plant-store-contract/server';
import { afterAll, expect, test } from 'vitest';

// OpenSSL says: "EPROTO … SSL routines:ssl3_get_record:wrong version number …".
const SAYS = 'the server does not use TLS; write http:// instead of https://';

const store = await startPlantStore({ token: 'secret' });
const baseUrl = store.url.replace('http:', 'https:');
afterAll(() => store.close());

test('a check of an https URL of an http server says so', async () => {
  const { conclusion, summary } = await checkConformance({ baseUrl, token: 'secret', prism: false });
  expect([conclusion, summary]).toEqual(['not-testable', expect.stringContaining(SAYS)]);
});

test('a proxy with such an upstream does', async () => {
  const reasons: string[] = [];
  await using proxy = await startProxy({
    upstream: baseUrl,
    onFailed: ({ reason }) => reasons.push(reason),
  });
  await fetch(proxy.url).catch(() => {});
  expect(reasons).toEqual([`no response: ${SAYS}`]);
});

test('the client does', async () => {
  const client = createPlantClient({ baseUrl, token: 'secret' });
  const failed = client.createPlant({ name: 'Aloe', id: 7 });
  await expect(failed).rejects.toThrow(NoResponseError);
  await expect(failed).rejects.toThrow(SAYS);
});

import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type VerifyOptions, verifyProvider } from 'plant-store-contract/pact';
import { startPlantStore } from 'plant-store-contract/server';
import { afterEach, expect, test, vi } from 'vitest';
import { casesOf } from '../../../src/report/frame.js';
import { folderWith } from '../../folder.js';
import { pactFile, type Sketch } from './pacts.js';
import { startReader } from './provider.js';

// These change the environment of a process of Pact of their own, or take long.

afterEach(() => void vi.unstubAllEnvs());

const token = 'a-token-of-these-tests';

/** Verifies the reference server against a pact of these interactions. */
async function verified(sketches: readonly Sketch[], options: Partial<VerifyOptions> = {}) {
  await using store = await startPlantStore({ token });
  return await verifyProvider({
    baseUrl: store.url,
    token,
    pacts: [pactFile(...sketches)],
    ...options,
  });
}

test('no proxy is used for the provider, no broker besides the files, and no filter of interactions', async () => {
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'PACT_BROKER_BASE_URL'])
    vi.stubEnv(name, 'http://127.0.0.1:9');
  vi.stubEnv('PACT_DESCRIPTION', 'the first');
  const report = await verified([
    { description: 'the first' },
    { description: 'the second', body: '{"name":"Aloe","id":8}' },
  ]);
  expect(casesOf(report).map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
});

test('a verification that is stopped throws, and leaves nothing behind', async () => {
  vi.stubEnv('TMPDIR', folderWith());
  const controller = new AbortController();
  await using provider = await startReader(() => controller.abort());
  const pacts = [pactFile({ description: 'a creation' })];
  await expect(
    verifyProvider({ baseUrl: provider.url, token, pacts, signal: controller.signal }),
  ).rejects.toMatchObject({ code: 'pact-broke', message: 'the verification was stopped' });
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('plant-store-pacts-'))).toEqual([]);
});

test('a state may take longer than the timeout of a request', async () => {
  const report = await verified(
    [
      { description: 'one', given: { 'it takes long': '{}' } },
      { description: 'two', body: '{"name":"Aloe","id":8}', response: '{"nothing":1}' },
    ],
    { states: { 'it takes long': () => sleep(6_700) }, timeoutMs: 1_500 },
  );
  expect(casesOf(report).map(({ verdict }) => verdict)).toEqual(['pass', 'fail']);
});

test('a difference of megabytes is cut', async () => {
  await using provider = await startReader((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":7}');
  });
  const response = `{"name":"${'x'.repeat(12_000_000)}"}`;
  const pacts = [pactFile({ description: 'a creation', response })];
  const report = await verifyProvider({ baseUrl: provider.url, token, pacts });
  expect(report.findings[0]?.title).toMatch(/x…\.$/);
  expect(JSON.stringify(report).length).toBeLessThan(100_000);
});

import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { type Ran, RunnerProject } from '../../vitest/runner-project.js';

// In a context of node:vm, which has classes of its own and may, on Node 20, lack some symbols.
const RUN = `
import { checkConformance } from 'plant-store-contract/conformance';
import { verifyProvider } from 'plant-store-contract/pact';
import { startProxy } from 'plant-store-contract/proxy';
import { startPlantStore } from 'plant-store-contract/server';
import { validateResponse } from 'plant-store-contract/validation';

test('what is right', async () => {
  const store = await startPlantStore({ token: 'secret' });
  const proxy = await startProxy({ upstream: store.url });
  const provider = { baseUrl: proxy.url, token: 'secret' };
  expect((await verifyProvider({ ...provider, pacts: ['pact.json'] })).summary).toBe('The provider keeps all 5 interactions.');
  expect((await checkConformance(provider)).conclusion).toBe('conforms');
  const { conclusion, judged } = await proxy.close();
  expect(conclusion).toBe('conforms');
  expect(judged).toBeGreaterThan(100);
  await store.close();
});
test('what is wrong', async () => {
  const store = await startPlantStore({ token: 'secret', faults: ['leaks-id'] });
  const { conclusion } = await verifyProvider({ baseUrl: store.url, token: 'secret', pacts: ['pact.json'] });
  expect(conclusion).toBe('fails');
  await store.close();
  const headers = { 'content-type': 'application/json' };
  const body = Buffer.from('{"name":"Aloe","id":7}');
  expect(validateResponse({ status: 200, headers, body })).toHaveLength(1);
});
`;

test.each<[string, string, (project: RunnerProject) => Promise<Ran>]>([
  ['Jest', '@jest/globals', (project) => project.jest('--forceExit')],
  ['Vitest with vmThreads', 'vitest', (project) => project.vitest('--pool=vmThreads')],
])('providers are verified, checked and watched in %s', { timeout: 60_000 }, async (_name, runner, run) => {
  const project = await RunnerProject.create();
  onTestFinished(() => project.remove());
  project.renew({
    'jest.config.js':
      "export default { transform: {}, testTimeout: 30000, testMatch: ['<rootDir>/*.spec.js'] };",
    'vitest.config.js': 'export default { test: { testTimeout: 30000 } };',
    'a.spec.js': `import { expect, test } from '${runner}';${RUN}`,
    'pact.json': readFileSync('pacts/plant-store-client-plant-store.json', 'utf8'),
  });
  const { tests, code, output } = await run(project);
  expect(tests.map(({ title, status, message }) => [title, status, message])).toEqual([
    ['what is right', 'passed', ''],
    ['what is wrong', 'passed', ''],
  ]);
  expect(code, output).toBe(0);
});

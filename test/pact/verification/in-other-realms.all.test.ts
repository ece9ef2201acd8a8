import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { InstalledProject, type Ran } from '../../installed-project.js';

// A context of node:vm has its own classes, and lacks some symbols on Node 20.
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
  expect((await verifyProvider({ ...provider, pacts: ['pact.json'] })).summary).toBe('The provider satisfies 5 of 5 interactions.');
  expect((await checkConformance(provider)).conclusion).toBe('conforms');
  const { conclusion, traffic } = await proxy.close();
  expect(conclusion).toBe('conforms');
  expect(traffic.judgedResponses).toBeGreaterThan(100);
  await store.close();
});
test('what is wrong', async () => {
  const store = await startPlantStore({ token: 'secret', faults: ['leaks-id'] });
  const { conclusion } = await verifyProvider({ baseUrl: store.url, token: 'secret', pacts: ['pact.json'] });
  expect(conclusion).toBe('does-not-conform');
  await store.close();
  const headers = { 'content-type': 'application/json' };
  const body = Buffer.from('{"name":"Aloe","id":7}');
  expect(validateResponse({ status: 200, headers, body })).toHaveLength(1);
});
`;

test.concurrent.for<[string, string, (project: InstalledProject) => Promise<Ran>]>([
  ['Jest', '@jest/globals', (project) => project.jest('--forceExit')],
  ['Vitest with vmThreads', 'vitest', (project) => project.vitest('--pool=vmThreads')],
])('providers are verified, checked and watched in %s', async ([_name, runner, run]) => {
  const project = await InstalledProject.create();
  project.renew({
    'jest.config.js':
      "export default { transform: {}, testTimeout: 120000, testMatch: ['<rootDir>/*.spec.js'] };",
    'vitest.config.js': 'export default { test: { testTimeout: 120000 } };',
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

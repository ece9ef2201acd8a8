import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditPact } from 'plant-store-contract/pact';
import { afterEach, expect, test, vi } from 'vitest';
import { pactOf } from './audit/one-interaction.js';
import { expectToMatchSchema } from './report-schema.js';
import { folderWith } from './verification/pacts.js';

afterEach(() => void vi.unstubAllEnvs());

const pact = JSON.stringify(
  {
    ...JSON.parse(pactOf({ version: '4.0' })),
    metadata: { pactSpecification: { version: '4.0' }, plugins: [{ name: 'botanical', version: '1.0.0' }] },
  },
  null,
  2,
);

test('a plugin that is not installed is a problem of the pact, with its place', async () => {
  const folder = await folderWith({ 'a-file': '' });
  vi.stubEnv('PACT_PLUGIN_DIR', folder);
  const report = auditPact(pact, { where: 'shop.json' });
  expectToMatchSchema(report);
  expect(report.conclusion).toBe('does-not-conform');
  const line = pact.split('\n').findIndex((text) => text.includes('"botanical"'));
  expect(report.pacts[0]?.missingPlugins).toEqual([
    { name: 'botanical', pointer: '/metadata/plugins/0', line },
  ]);
  expect(report.findings).toMatchObject([{ id: 'missing-plugin', cases: ['the plugins of shop'] }]);
  expect(report.groups[0]?.cases[0]).toMatchObject({
    verdict: 'fail',
    place: { file: 'shop.json', line },
    evidence: [{ actual: `the pact needs the plugin "botanical", which is not installed in ${folder}.` }],
  });
});

test('a plugin that is installed is none, and may have matchers of its own', async () => {
  const folder = await folderWith({});
  mkdirSync(join(folder, 'botanical-1.0.0'));
  writeFileSync(
    join(folder, 'botanical-1.0.0', 'pact-plugin.json'),
    '{"name":"botanical","version":"1.0.0"}',
  );
  vi.stubEnv('PACT_PLUGIN_DIR', folder);
  const rule = { body: { '$.name': { matchers: [{ match: 'botanical' }] } } };
  const [interaction] = JSON.parse(pact).interactions;
  interaction.response.matchingRules = rule;
  const report = auditPact({ ...JSON.parse(pact), interactions: [interaction] });
  expect(report.conclusion).toBe('conforms');
});

test('without a folder of plugins, none is installed', () => {
  vi.stubEnv('PACT_PLUGIN_DIR', '/nowhere/at/all');
  expect(auditPact(pact).pacts[0]?.missingPlugins).toHaveLength(1);
});

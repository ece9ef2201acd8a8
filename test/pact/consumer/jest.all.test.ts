import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InstalledProject } from '../../installed-project.js';
import { CONSUMER } from './collected.js';

test('one of several workers of Jest fails and names the setting; one process writes the pact', async () => {
  const project = await InstalledProject.create();
  const file = (name: string): string =>
    `import { test } from '@jest/globals';${CONSUMER}test('${name}', () => creates('${name}'));`;
  project.renew({
    'jest.config.js':
      "export default { transform: {}, testTimeout: 120000, testMatch: ['<rootDir>/*.spec.js'] };",
    'a.spec.js': file('a'),
    'b.spec.js': file('b'),
  });
  // First: Jest itself runs files in one process of which it knows that they are fast.
  const parallel = await project.jest('--maxWorkers=2', '--forceExit');
  expect(parallel.code).toBe(1);
  expect(parallel.output).toContain('run the tests of pacts with jest --runInBand');
  const inBand = await project.jest('--runInBand', '--forceExit');
  expect(inBand.code, inBand.output).toBe(0);
  const pact = readFileSync(join(project.folder, 'pacts/web-plant-store.json'), 'utf8');
  expect(pact.match(/"description": "./g)).toEqual(['"description": "a', '"description": "b']);
});

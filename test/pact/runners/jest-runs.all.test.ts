import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { linkPackages, packageFolder } from '../../once.js';
import { losesNoInteraction, shownFor } from './runner.js';

const { jest: config } = shownFor('jest');

// Each version of Jest with one version of Pact.
for (const [version, jest, pact] of [
  [29, 'jest-29', '@pact-foundation/pact'],
  [30, 'jest', 'pact-17'],
] as const)
  losesNoInteraction({
    name: `Jest ${version}`,
    files: { 'jest.config.json': JSON.stringify({ ...config, testTimeout: 180_000 }) },
    head: '',
    command: (processes) => [
      '--experimental-vm-modules',
      '--no-warnings',
      `node_modules/${jest}/bin/jest.js`,
      '--watchman=false',
      processes === 1 ? '--runInBand' : `--maxWorkers=${processes}`,
    ],
    file: (name) => [name],
    named: (text) => ['-t', text],
    watch: { flag: '--watchAll', waiting: 'Ran all test suites' },
    install: async ({ folder }) => {
      const modules = join(folder, 'node_modules');
      mkdirSync(join(modules, '@pact-foundation'));
      symlinkSync(await packageFolder(pact), join(modules, '@pact-foundation/pact'));
      await linkPackages(folder, jest);
    },
  });

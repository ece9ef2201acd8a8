import { execFile } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { folderWith } from '../folder.js';
import { builtCopy, linkFiles } from '../once.js';
import { copyExample } from './project.js';

const exec = promisify(execFile);

test('`npm install` in an example installs the package that was built above it', async () => {
  const clone = folderWith();
  linkFiles(await builtCopy(), clone);
  const folder = join(clone, 'examples/house-rules');
  copyExample('house-rules', folder);
  await exec('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder });
  expect(lstatSync(join(folder, 'node_modules/plant-store-contract')).isSymbolicLink()).toBe(false);
  const { stdout } = await exec('npx', ['plant-store-contract', '--help'], { cwd: folder });
  expect(stdout).toContain('Usage: plant-store-contract');
});

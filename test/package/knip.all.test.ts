import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installed } from '../once.js';
import { root } from './project.js';

test('no file, export or package is unused', async () => {
  const knip = join(await installed('tools'), 'knip/bin/knip.js');
  const args = [
    knip,
    '--config',
    'test/package/knip.jsonc',
    '--no-progress',
    '--treat-config-hints-as-errors',
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect([stdout + stderr, status]).toEqual(['', 0]);
});

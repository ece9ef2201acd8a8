import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { plantStore } from './console.js';

// test/package/init.all.test.ts runs what it writes.

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'init-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const init = (...flags: readonly string[]) => plantStore(['init', '--for', 'consumer', ...flags], { folder });

test('a pipe with the name of a file blocks nothing: it is not opened', async () => {
  for (const name of ['plant-store.test.mjs', 'package.json']) execFileSync('mkfifo', [join(folder, name)]);
  const { status, stdout, files } = await init();
  expect([status, stdout]).toEqual([0, expect.stringContaining('kept      plant-store.test.mjs: it exists')]);
  expect(files['.github/workflows/plant-store.yml']).toContain('- run: npm install\n');
  expect(await init('--force')).toMatchObject({
    status: 2,
    stderr: 'plant-store: plant-store.test.mjs cannot be written: it is no regular file\n',
  });
});

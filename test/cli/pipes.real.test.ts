import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { plantStore } from './console.js';

// Whoever opens a pipe waits for the other end. Nobody named these: they only have the name of a file that a command looks for.

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pipes-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const makePipe = (name: string) => execFileSync('mkfifo', [join(folder, name)]);

test('a pipe with the name of the options file is not opened', async () => {
  makePipe('plant-store.config.json');
  expect(await plantStore(['check', 'http://127.0.0.1:9', '--token', 'secret'], { folder })).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('plant-store.config.json is not used: it is no regular file'),
  });
});

test('a pipe with the name of a file that init writes or looks for is not opened', async () => {
  for (const name of ['plant-store.test.mjs', 'package.json']) makePipe(name);
  const init = (...flags: readonly string[]) =>
    plantStore(['init', '--for', 'consumer', ...flags], { folder });
  const { status, stdout, files } = await init();
  expect([status, stdout]).toEqual([0, expect.stringContaining('kept      plant-store.test.mjs: it exists')]);
  expect(files['.github/workflows/plant-store.yml']).toContain('- run: npm install\n');
  expect(await init('--force')).toMatchObject({
    status: 2,
    stderr: 'plant-store: plant-store.test.mjs cannot be written: it is no regular file\n',
  });
});

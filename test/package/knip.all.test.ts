import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installed } from '../once.js';
import { root } from './project.js';

/** What Knip finds in a folder: files, exports and packages that nothing uses. */
async function unused(cwd: string, config: string): Promise<{ status: number; output: string }> {
  const knip = join(await installed('tools'), 'knip/bin/knip.js');
  const args = [knip, '--config', config, '--no-progress', '--treat-config-hints-as-errors'];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code), output: (stdout + stderr).trim() }),
    );
  });
}

test('no file, export or package is unused', async () => {
  expect(await unused(root, 'test/package/knip.jsonc')).toEqual({ status: 0, output: '' });
});

test('Knip would find one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-knip-'));
  mkdirSync(join(folder, 'src'));
  const files = {
    'package.json': '{"type":"module","dependencies":{"commander":"14"}}',
    'knip.json': '{"entry":["src/index.ts"],"project":["src/**/*.ts"]}',
    'src/index.ts': "import './used.js';",
    'src/used.ts': 'export const one = 1;',
    'src/other.ts': 'export const two = 2;',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { status, output } = await unused(folder, 'knip.json');
  rmSync(folder, { recursive: true });
  expect(status).toBe(1);
  for (const found of ['src/other.ts', 'commander', 'one']) expect(output).toContain(found);
});

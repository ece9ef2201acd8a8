import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const isBuilt = existsSync(new URL('../../dist/validation/index.js', import.meta.url));

/** How many modules of Prism's makers a fresh process has loaded after running a script. */
function stoplightModules(script: string): number {
  const count = `
    const { Module } = await import('node:module');
    const loaded = Object.keys(Module._cache).filter((file) => file.includes('@stoplight'));
    process.stdout.write(String(loaded.length));`;
  const options = { cwd: root, encoding: 'utf8' } as const;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script + count], options));
}

const USE = `
  import { validateRequest, validateResponse } from 'plant-store-contract/validation';
  validateRequest({ headers: {}, body: '{}' });
  validateResponse({ status: 200, headers: {}, body: '{}' });`;

// Users import the built package.
describe.skipIf(!isBuilt)('Prism is loaded on demand', () => {
  test('importing and using the validators loads none of it', () => {
    expect(stoplightModules(USE)).toBe(0);
  });

  // Proves that the count above would see it.
  test('loadPrism loads it', () => {
    const script = `import { loadPrism } from 'plant-store-contract/validation'; await loadPrism();`;
    expect(stoplightModules(script)).toBeGreaterThan(0);
  });
});

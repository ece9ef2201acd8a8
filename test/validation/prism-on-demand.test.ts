import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { compiledPackage } from '../once.js';

let cwd: string;

// A package finds itself by its name.
beforeAll(async () => {
  cwd = await compiledPackage();
});

/** How many modules of Prism's makers a fresh process has loaded after running a script. */
function stoplightModules(script: string): number {
  const count = `
    const { Module } = await import('node:module');
    const loaded = Object.keys(Module._cache).filter((file) => file.includes('@stoplight'));
    process.stdout.write(String(loaded.length));`;
  const options = { cwd, encoding: 'utf8' } as const;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script + count], options));
}

const USE = `
  import { validateRequest, validateResponse } from 'plant-store-contract/validation';
  validateRequest({ headers: {}, body: '{}' });
  validateResponse({ status: 200, headers: {}, body: '{}' });`;

// Users import the compiled package.
describe('Prism is loaded on demand', () => {
  test('importing and using the validators loads none of it', () => {
    expect(stoplightModules(USE)).toBe(0);
  });

  // Proves that the count above would see it.
  test('loadPrism loads it', () => {
    const script = `import { loadPrism } from 'plant-store-contract/validation'; await loadPrism();`;
    expect(stoplightModules(script)).toBeGreaterThan(0);
  });
});

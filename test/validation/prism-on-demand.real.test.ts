import { beforeAll, describe, expect, test } from 'vitest';
import { loadedModules } from '../loaded-modules.js';
import { builtCopy } from '../once.js';

let folder: string;

// A package finds itself by its name.
beforeAll(async () => {
  folder = await builtCopy();
});

/** The modules with Prism's validators that a fresh process loads. */
async function prismModules(name: string, script: string): Promise<string[]> {
  const loaded = await loadedModules(folder, `prism-${name}`, script);
  return loaded
    .filter((file) => /prism-validators|@stoplight/.test(file))
    .map((file) => file.replace(/.*\//, ''));
}

const IMPORT =
  "const { loadPrism, validateRequest, validateResponse } = await import('plant-store-contract/validation');";

// Users import the compiled package.
describe('Prism is loaded on demand', () => {
  test('importing and using the validators loads none of it', async () => {
    const use =
      "validateRequest({ headers: {}, body: '{}' }); validateResponse({ status: 200, headers: {}, body: '{}' });";
    expect(await prismModules('unused', `${IMPORT}\n${use}`)).toEqual([]);
  });

  // Proves that the list above would show it.
  test('loadPrism loads it', async () => {
    expect(await prismModules('used', `${IMPORT}\nawait loadPrism();`)).toEqual(['prism-validators.js']);
  });
});

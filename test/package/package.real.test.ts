import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { loadedModules } from '../loaded-modules.js';
import { emptyProject, root } from './project.js';

// The packed tarball, installed in an empty folder. package.all.test.ts has what takes longer.
const exec = promisify(execFile);
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const subpaths = Object.keys(manifest.exports)
  .map((subpath) => subpath.slice(2))
  .filter((subpath) => !/\.(yaml|json)$|^vitest$/.test(subpath));
const { folder } = await emptyProject();

/** The other packages, and the own folders, from which importing a subpath alone loads a file. */
async function loadedBy(subpath: string): Promise<string[]> {
  const loaded = await loadedModules(
    folder,
    `loaded-${subpath.replace('/', '-')}`,
    `await import('plant-store-contract/${subpath}');`,
  );
  const names = loaded.flatMap((url) => {
    const inside = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?:dist\/([^/]+)\/)?/.exec(url);
    if (inside === null) return [];
    return inside[1] === 'plant-store-contract' ? [`./${inside[2] ?? ''}`] : [inside[1] as string];
  });
  return [...new Set(names)].sort();
}

/** The folder in `dist` that has the entry of a subpath. */
function folderOf(subpath: string): string | undefined {
  return /^\.\/dist\/([^/]+)\//.exec(manifest.exports[`./${subpath}`].default)?.[1];
}

describe('the packed package', () => {
  // Prism, Pact and Ajv's compiler are big, and a script that starts a server needs none of them. Which folders of this
  // package may load which, test/imports.test.ts says.
  test.concurrent.each(subpaths)('importing ./%s alone loads no other package', async (subpath) => {
    const loaded = await loadedBy(subpath);
    expect(loaded.filter((name) => !name.startsWith('.'))).toEqual([]);
    expect(loaded).toContain(`./${folderOf(subpath)}`);
  });

  // Vitest cannot be imported outside its own processes, so a stub takes its place.
  test('importing ./vitest alone loads the matchers, and no server', async () => {
    const place = join(folder, 'node_modules/vitest');
    mkdirSync(place);
    writeFileSync(join(place, 'index.js'), 'exports.expect = exports.test = { extend() {} };');
    const loaded = await loadedBy('vitest');
    expect(loaded).toEqual(expect.arrayContaining(['./testing', 'vitest']));
    expect(loaded).not.toContain('./server');
    rmSync(place, { recursive: true });
  });

  test('./spec/openapi.yaml is the document', async () => {
    const url = `import.meta.resolve('plant-store-contract/spec/openapi.yaml')`;
    const print = `process.stdout.write((await import('node:fs')).readFileSync(new URL(${url}), 'utf8'))`;
    writeFileSync(join(folder, 'yaml.mjs'), print);
    const { stdout } = await exec(process.execPath, ['yaml.mjs'], { cwd: folder });
    expect(stdout).toBe(readFileSync(join(root, 'spec/openapi.yaml'), 'utf8'));
  });

  test('Prism is loaded on demand', async () => {
    writeFileSync(
      join(folder, 'prism.mjs'),
      "import { loadPrism } from 'plant-store-contract/validation';\n" +
        'process.stdout.write((await loadPrism()).errorsIn({ status: 201, headers: {} }).join());',
    );
    const { stdout } = await exec(process.execPath, ['prism.mjs'], { cwd: folder });
    expect(stdout).toMatch(/^Unable to match the returned status/);
  });

  test('its command line runs, and checks the reference server', async () => {
    const bin = join(folder, 'node_modules/.bin/plant-store-contract');
    const { stdout } = await exec(bin, ['demo', '--reporter', 'json'], { cwd: folder, maxBuffer: 2 ** 24 });
    expect(JSON.parse(stdout).conclusion).toBe('conforms');
    const help = await exec('npx', ['plant-store-contract', '--help'], { cwd: folder });
    expect(help.stdout).toContain('serve');
  });
});

test('Pact, an optional peer, is named in the message if it is missing', async () => {
  const bin = join(folder, 'node_modules/.bin/plant-store-contract');
  const verifying = exec(bin, ['verify', 'http://127.0.0.1:9', '--token', 'secret'], { cwd: folder });
  await expect(verifying).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/Pact is not installed.*npm install --save-dev @pact-foundation\/pact/),
  });
});

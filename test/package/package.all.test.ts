import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { installed, installedPackage, packageFolder, packedPackage } from '../once.js';
import { emptyProject, root } from './project.js';

const exec = promisify(execFile);
// npx itself takes half a second to find a command.
const binary = async (name: string): Promise<string> => join(await installed('tools'), '.bin', name);
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const javascriptSubpaths = Object.keys(manifest.exports).filter((subpath) => !/\.(yaml|json)$/.test(subpath));
const tarball = await packedPackage();
const { folder } = await emptyProject();

/** The files of the package, as they are in the tarball. */
async function shippedFiles(): Promise<string[]> {
  const { stdout } = await exec('tar', ['-tzf', tarball]);
  return stdout
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''));
}

describe('the packed package', () => {
  test('takes less than 9 MB, and installs no more than 6 packages', async () => {
    const modules = join(await installedPackage(), 'node_modules');
    const files = readdirSync(modules, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
    expect(files.reduce((sum, size) => sum + size, 0)).toBeLessThan(9e6);
    expect(readdirSync(modules).filter((name) => !name.startsWith('.')).length).toBeLessThanOrEqual(6);
  });

  test('has what is used, and nothing else', async () => {
    const shipped = await shippedFiles();
    const recipes = readdirSync(join(root, 'src/conformance/report/recipes')).sort();
    expect(shipped.filter((file) => !file.startsWith('dist/')).sort()).toEqual([
      'LICENSE',
      'README.md',
      'package.json',
      'pacts/plant-store-client-plant-store.json',
      'spec/control.yaml',
      'spec/openapi.yaml',
      'spec/report.schema.json',
    ]);
    expect(
      shipped.filter((file) => file.startsWith('dist/') && !/\.(?:js|d\.ts)$/.test(file)).sort(),
    ).toEqual([
      ...recipes.map((name) => `dist/conformance/report/recipes/${name}`),
      'dist/server/control/page.html',
      'dist/validation/prism-validators.LICENSES.txt',
    ]);
  });
});

/** Installs a version of Pact beside the package. */
async function installPact(name: string): Promise<void> {
  const scope = join(folder, 'node_modules/@pact-foundation');
  rmSync(scope, { recursive: true, force: true });
  mkdirSync(scope);
  symlinkSync(await packageFolder(name), join(scope, 'pact'));
}

describe('Pact, an optional peer', () => {
  test.each([
    ['16', '@pact-foundation/pact'],
    ['17', 'pact-17'],
  ])('of version %s writes pacts and verifies them, int64 included', async (version, name) => {
    await installPact(name);
    const installed = JSON.parse(
      readFileSync(join(folder, 'node_modules/@pact-foundation/pact/package.json'), 'utf8'),
    );
    expect(installed.version).toMatch(new RegExp(`^${version}\\.`));
    const script = [
      "import { createPlantClient } from 'plant-store-contract/client';",
      "import { Verifier } from '@pact-foundation/pact';",
      "import { pactVerifierOptions, plantStorePact } from 'plant-store-contract/pact';",
      "import { startPlantStore } from 'plant-store-contract/server';",
      "const pact = plantStorePact({ consumer: 'packed', dir: 'packed-pacts' });",
      'const id = 9223372036854775807n;',
      'const create = ({ url, token, plant }) => createPlantClient({ baseUrl: url, token }).createPlant(plant);',
      "await pact.createsPlantWithTag(create, { plant: { name: 'Aloe', id, tag: 'succulent' } });",
      'await pact.rejectsMissingToken((call) => create(call).catch(() => {}));',
      "const file = 'packed-pacts/packed-plant-store.json';",
      "const store = await startPlantStore({ token: 'secret' });",
      "const options = pactVerifierOptions({ baseUrl: store.url, token: 'secret' });",
      "const result = JSON.parse(await new Verifier({ ...options, pactUrls: [file], logLevel: 'error' }).verifyProvider());",
      'const ids = store.plants().map((plant) => String(plant.id));',
      'await store.close();',
      'const results = result.interactionResults.map(({ result }) => result);',
      'process.stdout.write(JSON.stringify({ results, ids }));',
    ].join('\n');
    writeFileSync(join(folder, 'pact.mjs'), script);
    // Not as in a worker of this run.
    const { VITEST_POOL_ID: _worker, ...env } = process.env;
    const { stdout } = await exec(process.execPath, ['pact.mjs'], { cwd: folder, env });
    const { results, ids } = JSON.parse(stdout.slice(stdout.lastIndexOf('{"results"')));
    expect(results).toEqual(['OK', 'OK']);
    // The provider state makes a new id of about the same size.
    expect(BigInt(ids.at(-1))).toBeGreaterThan(2n ** 62n);
    const written = readFileSync(join(folder, 'packed-pacts/packed-plant-store.json'), 'utf8');
    expect(written).toContain('"id": 9223372036854775807,');
    // Not another version that is installed beside it.
    expect(JSON.parse(written).metadata['pact-js'].version).toBe(installed.version);
  });
});

describe('other tools', () => {
  test('publint finds nothing', async () => {
    const { stdout } = await exec(await binary('publint'), ['--strict', tarball], { cwd: root });
    expect(stdout).toContain('All good');
  });

  test('are-the-types-wrong finds nothing on any subpath', async () => {
    const flags = ['--profile', 'esm-only', '--exclude-entrypoints', './spec/openapi.yaml', './package.json'];
    const { stdout } = await exec(await binary('attw'), [tarball, ...flags], { cwd: root });
    // It exits with 1 if it finds a problem. This shows that it looked at every subpath.
    for (const subpath of javascriptSubpaths)
      expect(stdout).toContain(`"plant-store-contract${subpath.slice(1)}"`);
  });
});

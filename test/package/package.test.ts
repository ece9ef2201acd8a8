import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// What a user gets: the packed tarball, installed in an empty folder. `npm test` builds before it runs this.
const root = new URL('../..', import.meta.url).pathname;
const exec = promisify(execFile);
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const javascriptSubpaths = Object.keys(manifest.exports).filter((subpath) => !/\.(yaml|json)$/.test(subpath));
let folder = '';
let tarball = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plant-store-contract-'));
  // dist/ is there already; building it again would pull it from under other tests.
  const packed = await exec('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: root,
  });
  tarball = join(folder, JSON.parse(packed.stdout)[0].filename);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  await exec('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], { cwd: folder });
}, 120_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The packages, and own folders, from which importing a subpath alone loads a file. */
async function loadedBy(subpath: string): Promise<string[]> {
  const script = [
    "import { register } from 'node:module';",
    'const { port1, port2 } = new MessageChannel();',
    'const urls = [];',
    "port1.on('message', (url) => urls.push(url));",
    'port1.unref();',
    "register('data:text/javascript,' + encodeURIComponent(",
    "  'let port; export function initialize(data) { port = data; } ' +",
    "  'export async function load(url, context, next) { port.postMessage(url); return next(url, context); }',",
    '), { data: port2, transferList: [port2] });',
    `await import('plant-store-contract/${subpath}');`,
    'await new Promise((resolve) => setImmediate(resolve));',
    "const { createRequire } = await import('node:module');",
    "const commonjs = Object.keys(createRequire(process.cwd() + '/x.js').cache);",
    'process.stdout.write(JSON.stringify([...urls, ...commonjs]));',
  ].join('\n');
  const file = join(folder, 'loaded.mjs');
  writeFileSync(file, script);
  const { stdout } = await exec(process.execPath, [file], { cwd: folder });
  const names = (JSON.parse(stdout) as string[]).flatMap((url) => {
    const inside = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?:dist\/([^/]+)\/)?/.exec(url);
    if (inside === null) return [];
    return inside[1] === 'plant-store-contract' && inside[2] !== undefined
      ? [`./${inside[2]}`]
      : [inside[1] as string];
  });
  return [...new Set(names)].sort();
}

describe('the packed package', () => {
  test('holds what is published, and nothing else', async () => {
    const { stdout } = await exec('tar', ['-tzf', tarball]);
    const places = new Set(
      stdout
        .trim()
        .split('\n')
        .map((path) => path.split('/')[1]),
    );
    expect([...places].sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist',
      'package.json',
      'pacts',
      'spec',
    ]);
  });

  // Prism, Pact and Ajv's compiler are big, and a script that starts a server needs none of them.
  test.each([
    ['spec', ['./spec']],
    ['validation', ['./validation']],
    ['server', ['./server', './validation', 'plant-store-contract']],
    ['conformance', ['./conformance', './spec', './validation', 'picocolors', 'plant-store-contract']],
    ['reporters', ['./conformance', './reporters', 'picocolors', 'xmlbuilder']],
  ])('importing ./%s alone loads %j', async (subpath, expected) => {
    expect(await loadedBy(subpath)).toEqual(expected);
  });

  test('every JavaScript subpath is in the table above', () => {
    expect([...javascriptSubpaths].sort()).toEqual([
      './conformance',
      './reporters',
      './server',
      './spec',
      './validation',
    ]);
  });

  test('./spec/openapi.yaml is the document', async () => {
    const url = `import.meta.resolve('plant-store-contract/spec/openapi.yaml')`;
    const print = `process.stdout.write((await import('node:fs')).readFileSync(new URL(${url}), 'utf8'))`;
    writeFileSync(join(folder, 'yaml.mjs'), print);
    const { stdout } = await exec(process.execPath, ['yaml.mjs'], { cwd: folder });
    expect(stdout).toBe(readFileSync(join(root, 'spec/openapi.yaml'), 'utf8'));
  });

  test('Prism is loaded when it is asked for', async () => {
    writeFileSync(
      join(folder, 'prism.mjs'),
      "import { loadPrism } from 'plant-store-contract/validation';\n" +
        'const violations = (await loadPrism()).judgeResponse({ status: 201, headers: {} });\n' +
        'process.stdout.write(violations[0].keyword);',
    );
    expect((await exec(process.execPath, ['prism.mjs'], { cwd: folder })).stdout).toBe('status');
  });

  test('its command line runs, and checks the reference server', async () => {
    const bin = join(folder, 'node_modules/.bin/plant-store');
    const { stdout } = await exec(bin, ['demo', '--reporter', 'json'], { cwd: folder });
    expect(JSON.parse(stdout).conclusion).toBe('conforms');
    const help = await exec('npx', ['--no-install', 'plant-store', '--help'], { cwd: folder });
    expect(help.stdout).toContain('serve');
  });
});

describe('what others say of the package', () => {
  test("TypeScript under nodenext, looking into the package's declarations", async () => {
    const lines = javascriptSubpaths.map(
      (subpath, i) => `import * as m${i} from 'plant-store-contract${subpath.slice(1)}'; m${i};`,
    );
    const wrong = "import { validatePlant } from 'plant-store-contract/validation'; validatePlant(1, 2, 3);";
    writeFileSync(join(folder, 'right.mts'), lines.join('\n'));
    writeFileSync(join(folder, 'wrong.mts'), wrong);
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
    const flags = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--lib',
      'es2023,esnext.disposable',
      ...types,
    ];
    const tsc = (file: string) =>
      exec(join(root, 'node_modules/.bin/tsc'), [...flags, file], { cwd: folder });
    await tsc('right.mts');
    await expect(tsc('wrong.mts')).rejects.toMatchObject({
      stdout: expect.stringContaining('Expected 1 arguments'),
    });
  });

  test('publint finds nothing', async () => {
    const { stdout } = await exec('npx', ['--no-install', 'publint', '--strict', tarball], { cwd: root });
    expect(stdout).toContain('All good');
  });

  test('are-the-types-wrong finds nothing on any subpath', async () => {
    const flags = ['--profile', 'esm-only', '--exclude-entrypoints', './spec/openapi.yaml', './package.json'];
    const { stdout } = await exec('npx', ['--no-install', 'attw', tarball, ...flags], { cwd: root });
    // It exits with 1 where it finds something; here it is seen that it looked at all of them.
    for (const subpath of javascriptSubpaths)
      expect(stdout).toContain(`"plant-store-contract${subpath.slice(1)}"`);
  });

  test('the lock file holds no address', () => {
    expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(
      /"resolved"|https?:\/\/(?!.*(github|opencollective|paypal|tidelift|patreon|funding|feross|sponsor))\S*\.tgz/,
    );
  });

  test('no source is left without its built file', () => {
    const built = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' });
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    expect(sources.filter((file) => !built.includes(file.replace(/\.ts$/, '.js')))).toEqual([]);
  });
});

import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** Not Pact itself, which takes a quarter of a second, nor the comparator of pacts and OpenAPI. */
const PACT_LOADS = [
  ...['./conformance', './pact', './proxy', './reporters', './spec', './validation'],
  ...['picocolors', 'plant-store-contract', 'xmlbuilder'],
];

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
      'test',
    ]);
    expect(stdout).toContain('package/test/examples/provider/.github/workflows/plant-store.yml');
    expect(stdout).not.toMatch(/package\/test\/(?!examples\/)|node_modules/);
  });

  // Prism, Pact and Ajv's compiler are big, and a script that starts a server needs none of them.
  test.each([
    ['spec', ['./spec']],
    ['validation', ['./validation']],
    ['server', ['./server', './validation', 'plant-store-contract']],
    ['conformance', ['./conformance', './spec', './validation', 'picocolors', 'plant-store-contract']],
    ['matchers', ['./matchers', './validation']],
    ['reporters', ['./conformance', './reporters', 'picocolors', 'xmlbuilder']],
    ['client', ['./client', './validation', 'plant-store-contract']],
    [
      'proxy',
      [
        './conformance',
        './proxy',
        './reporters',
        './validation',
        'picocolors',
        'plant-store-contract',
        'xmlbuilder',
      ],
    ],
    ['pact', PACT_LOADS],
    ['pact/global-setup', ['./pact', './validation', 'plant-store-contract']],
  ])('importing ./%s alone loads %j', async (subpath, expected) => {
    expect(await loadedBy(subpath)).toEqual(expected);
  });

  test('every JavaScript subpath is in the table above', () => {
    expect([...javascriptSubpaths].sort()).toEqual([
      './client',
      './conformance',
      './matchers',
      './pact',
      './pact/global-setup',
      './proxy',
      './reporters',
      './server',
      './spec',
      './validation',
      './vitest',
    ]);
  });

  // Vitest cannot be imported outside of its own processes: something in its place tells what is loaded beside it.
  test('importing ./vitest alone loads the matchers, and no server', async () => {
    const place = join(folder, 'node_modules/vitest');
    mkdirSync(place);
    writeFileSync(join(place, 'index.js'), 'exports.expect = exports.test = { extend() {} };');
    expect(await loadedBy('vitest')).toEqual(['./matchers', './validation', './vitest', 'vitest']);
    rmSync(place, { recursive: true });
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

test('the proxy judges its traffic in a thread of its own', async () => {
  const script = [
    "import { startProxy } from 'plant-store-contract/proxy';",
    "import { startPlantStore } from 'plant-store-contract/server';",
    "const store = await startPlantStore({ token: 'secret', faults: ['leaks-id'] });",
    'const proxy = await startProxy({ upstream: store.url });',
    "const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };",
    'for (let id = 1; id <= 100; id++) {',
    '  const body = JSON.stringify({ name: "Aloe", id });',
    "  await (await fetch(proxy.url + '/plants', { method: 'POST', headers, body })).text();",
    '}',
    'const threads = process.report.getReport().workers.length;',
    'const { judged, kinds } = await proxy.close();',
    'await store.close();',
    'process.stdout.write(JSON.stringify({ threads, judged, counts: kinds.map(({ count }) => count) }));',
  ].join('\n');
  writeFileSync(join(folder, 'proxy.mjs'), script);
  const { stdout } = await exec(process.execPath, ['proxy.mjs'], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual({ threads: 1, judged: 100, counts: [100] });
});

/** Puts a version of Pact beside the installed package, as a user who wants it would. */
function installPact(name: string): void {
  const scope = join(folder, 'node_modules/@pact-foundation');
  rmSync(scope, { recursive: true, force: true });
  mkdirSync(scope);
  symlinkSync(join(root, 'node_modules', name), join(scope, 'pact'));
}

describe('Pact, an optional peer', () => {
  test('is asked for where it is needed and absent', async () => {
    const bin = join(folder, 'node_modules/.bin/plant-store');
    const verifying = exec(bin, ['verify', 'http://127.0.0.1:9', '--token', 'secret'], { cwd: folder });
    await expect(verifying).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Pact is not installed: npm install --save-dev @pact-foundation/pact'),
    });
  });

  test.each([
    ['16', '@pact-foundation/pact'],
    ['17', 'pact-17'],
  ])('of version %s writes pacts and verifies them, int64 included', async (version, name) => {
    installPact(name);
    const installed = JSON.parse(
      readFileSync(join(folder, 'node_modules/@pact-foundation/pact/package.json'), 'utf8'),
    );
    expect(installed.version).toMatch(new RegExp(`^${version}\\.`));
    const script = [
      "import { createPlantClient } from 'plant-store-contract/client';",
      "import { collectPacts, plantStorePact, verifyProvider } from 'plant-store-contract/pact';",
      "import { startPlantStore } from 'plant-store-contract/server';",
      'const finish = collectPacts();',
      "const pact = plantStorePact({ consumer: 'packed', dir: 'packed-pacts' });",
      'const id = 9223372036854775807n;',
      'const create = ({ url, token, plant }) => createPlantClient({ baseUrl: url, token }).createPlant(plant);',
      "await pact.createsPlantWithTag(create, { plant: { name: 'Aloe', id, tag: 'succulent' } });",
      'await pact.refusesMissingToken((call) => create(call).catch(() => {}));',
      'const [{ file }] = finish();',
      "const store = await startPlantStore({ token: 'secret' });",
      "const { conclusion, pacts } = await verifyProvider({ baseUrl: store.url, token: 'secret', pacts: [file] });",
      'const ids = store.plants().map((plant) => String(plant.id));',
      'await store.close();',
      'const verdicts = pacts[0].interactions.map(({ verdict }) => verdict);',
      'process.stdout.write(JSON.stringify({ conclusion, verdicts, ids }));',
    ].join('\n');
    writeFileSync(join(folder, 'pact.mjs'), script);
    const { stdout } = await exec(process.execPath, ['pact.mjs'], { cwd: folder });
    const { conclusion, verdicts, ids } = JSON.parse(stdout.slice(stdout.lastIndexOf('{"conclusion"')));
    expect({ conclusion, verdicts }).toEqual({ conclusion: 'verified', verdicts: ['pass', 'pass'] });
    // The state asks for a fresh one, of about the same size.
    expect(BigInt(ids[0])).toBeGreaterThan(2n ** 62n);
    const written = readFileSync(join(folder, 'packed-pacts/packed-plant-store.json'), 'utf8');
    expect(written).toContain('"id": 9223372036854775807,');
  });
});

describe('what others say of the package', () => {
  test("TypeScript under nodenext, looking into the package's declarations", async () => {
    installPact('@pact-foundation/pact');
    symlinkSync(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
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
    expect(readdirSync(join(root, 'dist/pact/verification'))).toContain('verifier-process.js');
    const built = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' });
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    expect(sources.filter((file) => !built.includes(file.replace(/\.ts$/, '.js')))).toEqual([]);
  });
});

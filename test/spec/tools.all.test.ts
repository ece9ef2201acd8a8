import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installed } from '../once.js';
import { chromium, startChromium } from '../report/formats/chromium.js';

// Other tools must be able to use the document as it is.
const root = new URL('../..', import.meta.url).pathname;
const yaml = readFileSync(join(root, 'spec/openapi.yaml'), 'utf8');
let modules = '';
let folder = '';

beforeAll(async () => {
  modules = await installed('tools');
  folder = mkdtempSync(join(tmpdir(), 'plant-store-spec-tools-'));
  writeFileSync(join(folder, 'openapi.yaml'), yaml);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command of a package in the folder with the document. */
function run(
  command: string,
  ...args: readonly string[]
): Promise<{ status: number; stdout: string; output: string }> {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  };
  return new Promise((resolve) => {
    const options = { cwd: folder, env, maxBuffer: 2 ** 24 };
    execFile(process.execPath, [join(modules, command), ...args], options, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code), stdout, output: stdout + stderr }),
    );
  });
}

interface Linter {
  /** The ids of the rules that a document breaks, with the rules of a file. */
  readonly broken: (document: string, config: string) => Promise<string[]>;
  /** The file with the rules, and the same without the lines that switch rules off. */
  readonly config: string;
  readonly every: string;
  readonly off: readonly string[];
}

const LINTERS: Readonly<Record<string, Linter>> = {
  Redocly: {
    config: 'redocly.yaml',
    every: 'extends: [recommended-strict]\n',
    off: ['no-empty-servers'],
    broken: async (document, config) => {
      const { stdout, output } = await run(
        '@redocly/cli/bin/cli.js',
        'lint',
        document,
        '--config',
        config,
        '--format=json',
      );
      if (!stdout.includes('"problems"')) throw new Error(output);
      const { problems } = JSON.parse(stdout.slice(stdout.indexOf('{')));
      return problems.map(({ ruleId }: { ruleId: string }) => ruleId);
    },
  },
  Spectral: {
    config: 'spectral.yaml',
    every: 'extends: spectral:oas\n',
    off: ['info-contact', 'oas3-api-servers'],
    broken: async (document, config) => {
      const flags = ['--ruleset', config, '--format=json', '--quiet', '--fail-severity=hint'];
      const { stdout, output } = await run(
        '@stoplight/spectral-cli/dist/index.js',
        'lint',
        document,
        ...flags,
      );
      if (!stdout.startsWith('[')) throw new Error(output);
      return JSON.parse(stdout).map(({ code }: { code: string }) => code);
    },
  },
};

describe.each(Object.entries(LINTERS))('the recommended rules of %s', (_name, linter) => {
  beforeAll(() => {
    const config = readFileSync(join(root, 'test/spec', linter.config), 'utf8');
    // Each rule that is off has a line above it that says why.
    expect([...config.matchAll(/^ {2}# .*\.\n {2}([\w-]+): off$/gm)].map(([, rule]) => rule).sort()).toEqual(
      linter.off,
    );
    writeFileSync(join(folder, linter.config), config);
    writeFileSync(join(folder, `every-${linter.config}`), linter.every);
  });

  test('are kept, warnings included', async () => {
    expect(await linter.broken('openapi.yaml', linter.config)).toEqual([]);
  });

  test('would all be kept but for those that are off', async () => {
    expect((await linter.broken('openapi.yaml', `every-${linter.config}`)).sort()).toEqual(linter.off);
  });
});

test('openapi-typescript writes types that compile, and that find mistakes', async () => {
  const { status, output } = await run(
    'openapi-typescript/bin/cli.js',
    'openapi.yaml',
    '--output',
    'plants.ts',
  );
  expect(status, output).toBe(0);
  const uses = [
    "import type { components, operations } from './plants.ts';",
    "type Creation = operations['createPlant'];",
    "export const sent: Creation['requestBody']['content']['application/json'] = { name: 'Aloe', id: 7, tag: 'succulent' };",
    "export const received: Creation['responses'][200]['content']['application/json'] = { name: 'Aloe' };",
    "export const failed: Creation['responses'][400]['content']['application/json'] = { error: 1, message: 'no' };",
    "export const wrong: components['schemas']['NewPlant'] = { name: 'Aloe' };",
  ];
  writeFileSync(join(folder, 'uses.ts'), uses.join('\n'));
  const flags = [
    '--noEmit',
    '--strict',
    '--target',
    'es2023',
    '--module',
    'nodenext',
    '--allowImportingTsExtensions',
  ];
  const { stdout } = await run('typescript/bin/tsc', ...flags, '--pretty', 'false', 'uses.ts');
  expect(stdout).toMatch(/^uses\.ts\(6,\d+\): error TS2322: .*\n.*Property 'id' is missing.*\n$/);
});

test.skipIf(chromium === undefined)('Swagger UI renders it, in Chromium', async () => {
  const page = [
    '<!doctype html><meta charset="utf-8"><title>Plants</title><link rel="icon" href="data:,">',
    '<link rel="stylesheet" href="/swagger-ui.css"><div id="ui"></div>',
    '<script src="/swagger-ui-bundle.js"></script>',
    "<script>SwaggerUIBundle({ url: '/openapi.yaml', dom_id: '#ui', docExpansion: 'full' });</script>",
  ].join('\n');
  const files: Readonly<Record<string, () => string | Buffer>> = {
    '/': () => page,
    '/openapi.yaml': () => yaml,
    '/swagger-ui.css': () => readFileSync(join(modules, 'swagger-ui-dist/swagger-ui.css')),
    '/swagger-ui-bundle.js': () => readFileSync(join(modules, 'swagger-ui-dist/swagger-ui-bundle.js')),
  };
  const server = createServer(({ url = '' }, response) => {
    const type = url === '/' ? 'text/html' : url.endsWith('.css') ? 'text/css' : 'text/plain';
    if (url.endsWith('.js')) response.setHeader('content-type', 'text/javascript');
    else response.setHeader('content-type', type);
    response.statusCode = url in files ? 200 : 404;
    response.end(files[url]?.());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await startChromium();
  try {
    const tab = await browser.newPage();
    const problems: string[] = [];
    tab.on('pageerror', (error) => problems.push(error.message));
    tab.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const operation = tab.locator('#operations-plants-createPlant');
    await operation.waitFor();
    const text = await operation.innerText();
    for (const shown of [
      'POST',
      '/plants',
      'Creates a new plant in the store',
      'A plant without a tag',
      '200',
      '400',
    ])
      expect(text).toContain(shown);
    // The first example of each body.
    expect(text.match(/"name": "Aloe"/g)).toHaveLength(2);
    expect(text).toContain('"message": "The plant was not created"');
    expect(await tab.locator('.models .model-container').count()).toBe(3);
    expect(await tab.locator('.errors-wrapper').count()).toBe(0);
    expect(problems).toEqual([]);
  } finally {
    await browser.close();
    server.close();
  }
});

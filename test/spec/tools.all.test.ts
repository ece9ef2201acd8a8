import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith } from '../folder.js';
import { installed } from '../once.js';

// Other tools must be able to use the document as it is.
const root = new URL('../..', import.meta.url).pathname;
const folder = folderWith({ 'openapi.yaml': readFileSync(join(root, 'spec/openapi.yaml')) });
const modules = await installed('tools');

/** Runs a command of a package in the folder with the document. */
function run(command: string, ...args: readonly string[]): Promise<{ stdout: string; output: string }> {
  const options = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder }, maxBuffer: 2 ** 24 };
  return new Promise((resolve) => {
    execFile(process.execPath, [join(modules, command), ...args], options, (_error, stdout, stderr) =>
      resolve({ stdout, output: stdout + stderr }),
    );
  });
}

describe('the recommended rules of Spectral', () => {
  const config = readFileSync(join(root, 'test/spec/spectral.yaml'), 'utf8');
  // Each rule that is off has a line above it that says why.
  const off = [...config.matchAll(/^ {2}# .*\.\n {2}([\w-]+): off$/gm)].map(([, rule]) => rule);

  test.each([
    ['are kept, warnings included', config, []],
    ['would all be kept but for those that are off', 'extends: spectral:oas\n', off],
  ])('%s', async (_what, rules, broken) => {
    writeFileSync(join(folder, 'rules.yaml'), rules);
    const flags = ['--ruleset', 'rules.yaml', '--format=json', '--quiet', '--fail-severity=hint'];
    const command = '@stoplight/spectral-cli/dist/index.js';
    const { stdout, output } = await run(command, 'lint', 'openapi.yaml', ...flags);
    expect(stdout, output).toMatch(/^\[/);
    expect(
      JSON.parse(stdout)
        .map(({ code }: { code: string }) => code)
        .sort(),
    ).toEqual(broken.toSorted());
  });
});

test('openapi-typescript writes types that compile, and that find mistakes', async () => {
  await run('openapi-typescript/bin/cli.js', 'openapi.yaml', '--output', 'plants.ts');
  const uses = [
    "import type { components, operations } from './plants.ts';",
    "type Creation = operations['createPlant'];",
    "export const sent: Creation['requestBody']['content']['application/json'] = { name: 'Aloe', id: 7, tag: 'succulent' };",
    "export const received: Creation['responses'][200]['content']['application/json'] = { name: 'Aloe' };",
    "export const failed: Creation['responses'][400]['content']['application/json'] = { error: 1, message: 'no' };",
    "export const wrong: components['schemas']['NewPlant'] = { name: 'Aloe' };",
  ];
  writeFileSync(join(folder, 'uses.ts'), uses.join('\n'));
  const flags = '--noEmit --strict --target es2023 --module nodenext --allowImportingTsExtensions';
  const { stdout } = await run('typescript/bin/tsc', ...flags.split(' '), '--pretty', 'false', 'uses.ts');
  expect(stdout).toMatch(/^uses\.ts\(6,\d+\): error TS2322: .*\n.*Property 'id' is missing.*\n$/);
});

import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { writeText } from '../../src/cli/file-access.js';
import { folderWith } from '../folder.js';
import { plantStore } from './console.js';

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: object;
  readonly 'working-directory'?: string;
}

/** Runs `init` in a folder of a repository with these files. */
async function init(
  files: Readonly<Record<string, string>>,
  { below = '.', flags = [] as readonly string[], env = {} } = {},
) {
  const root = folderWith({ '.git/HEAD': '', ...files });
  const folder = join(root, below);
  mkdirSync(folder, { recursive: true });
  const again = async () =>
    await plantStore(['init', ...flags], {
      folder,
      env,
      readFile: async (path) => readFileSync(join(path.startsWith('/') ? '/' : folder, path), 'utf8'),
      writeFile: (path, text) => writeText(join(folder, path), text),
    });
  const { status, stdout, stderr } = await again();
  expect([status, stderr]).toEqual([0, '']);
  const workflows = join(root, '.github/workflows');
  const steps = (name = 'plant-store.yml'): readonly Step[] =>
    parse(readFileSync(join(workflows, name), 'utf8')).jobs['plant-store'].steps;
  return { root, folder, stdout, steps, again, names: readdirSync(workflows) };
}

const lines = (steps: readonly Step[]): readonly string[] =>
  steps.flatMap(({ run, uses }) => run ?? (uses?.match(/^(?:pnpm|oven)[^@]*/)?.[0] || []));
const manifest = (members: object): string => JSON.stringify({ name: 'x', ...members });

describe('what the project is, from its package.json', () => {
  test.each<[string, string, object | undefined, string]>([
    ['a framework', 'provider', { dependencies: { express: '5', axios: '1' } }, 'has express'],
    [
      'a client',
      'consumer',
      { dependencies: { axios: '1' }, devDependencies: { express: '5' } },
      'has axios',
    ],
    ['a framework for tests only', 'provider', { devDependencies: { fastify: '5' } }, 'has fastify'],
    ['neither', 'consumer', { dependencies: { chalk: '5' } }, 'has neither'],
    ['no package.json', 'provider', undefined, 'no package.json'],
  ])('%s: a %s', async (_what, role, members, why) => {
    const { stdout, folder } = await init(members === undefined ? {} : { 'package.json': manifest(members) });
    expect(stdout).toMatch(
      new RegExp(`^looks like a ${role}: .*${why}.*; if it is a \\w+: init --for \\w+\n`),
    );
    const options = JSON.parse(readFileSync(join(folder, 'plant-store.config.json'), 'utf8'));
    expect(Object.keys(options)).toEqual(role === 'provider' ? ['baseUrl', 'check'] : ['serve']);
  });

  test('a flag says more', async () => {
    const { stdout } = await init({ 'package.json': manifest({}) }, { flags: ['--start', 'go run .'] });
    expect(stdout).not.toContain('looks like');
    expect(stdout).toContain('set PLANT_STORE_TOKEN');
  });
});

describe('the workflow and the test fit the package manager', () => {
  test.each<[string, Readonly<Record<string, string>>, readonly string[], string]>([
    ['npm', { 'package-lock.json': '{}' }, ['npm ci'], 'npx'],
    ['npm without a lock file', {}, ['npm install'], 'npx'],
    ['pnpm', { 'pnpm-lock.yaml': '' }, ['pnpm/action-setup', 'pnpm install --frozen-lockfile'], 'pnpm exec'],
    ['Yarn 1', { 'yarn.lock': '' }, ['corepack enable', 'yarn install --frozen-lockfile'], 'yarn run'],
    [
      'Yarn',
      { 'yarn.lock': '__metadata:\n  version: 8\n' },
      ['corepack enable', 'yarn install --immutable'],
      'yarn run',
    ],
    ['Bun', { 'bun.lock': '' }, ['oven-sh/setup-bun', 'bun install --frozen-lockfile'], 'bun run'],
    [
      'what package.json names',
      { 'package.json': manifest({ packageManager: 'pnpm@10.0.0' }), 'package-lock.json': '{}' },
      ['pnpm/action-setup', 'pnpm install --no-frozen-lockfile'],
      'pnpm exec',
    ],
  ])('%s', async (_name, files, install, exec) => {
    const { steps, folder } = await init(files, { flags: ['--for', 'provider'] });
    expect(lines(steps())).toEqual([
      ...install,
      `${exec} plant-store-contract check --reporter text --reporter github --reporter html=reports/check.html`,
    ]);
    expect(readFileSync(join(folder, 'plant-store.test.mjs'), 'utf8')).toContain(
      `'${exec} plant-store-contract check --quiet'`,
    );
  });

  test('without a lock file, the one that runs init', async () => {
    const { steps } = await init({}, { env: { npm_config_user_agent: 'pnpm/10.1.0 npm/? node/v24.0.0' } });
    expect(lines(steps())).toContain('pnpm install --no-frozen-lockfile');
  });

  test('pnpm gets a version, unless the package.json of the root has one', async () => {
    const withOf = async (files: Readonly<Record<string, string>>) =>
      (await init({ 'a/pnpm-lock.yaml': '', ...files }, { below: 'a' }))
        .steps()
        .find(({ uses }) => uses?.startsWith('pnpm'))?.with;
    const pinned = manifest({ packageManager: 'pnpm@10.0.0' });
    expect(await withOf({})).toEqual({ version: 10 });
    expect(await withOf({ 'package.json': pinned })).toBe(undefined);
    expect(await withOf({ 'a/package.json': pinned })).toEqual({ package_json_file: 'a/package.json' });
  });
});

describe('a package below the root of the repository', () => {
  const files = { 'package-lock.json': '{}', 'packages/api/package.json': manifest({}) };

  test('gets its workflow at the root, where GitHub reads it', async () => {
    const { root, folder, stdout, steps } = await init(files, {
      below: 'packages/api',
      flags: ['--for', 'provider'],
    });
    expect(stdout).toContain('wrote  ../../.github/workflows/plant-store.yml\n');
    expect(existsSync(join(folder, '.github'))).toBe(false);
    const { defaults } = parse(readFileSync(join(root, '.github/workflows/plant-store.yml'), 'utf8')).jobs[
      'plant-store'
    ];
    expect(defaults).toEqual({ run: { 'working-directory': 'packages/api' } });
    expect(steps().find(({ run }) => run === 'npm ci')?.['working-directory']).toBe('.');
    expect(steps().at(-1)?.with).toMatchObject({ path: 'packages/api/reports/' });
  });

  test('installs beside its own lock file', async () => {
    const { steps } = await init({ 'a/yarn.lock': '' }, { below: 'a' });
    const install = steps().find(({ run }) => run?.startsWith('yarn install'));
    expect(install?.['working-directory']).toBe(undefined);
  });

  test('leaves the workflow of another package alone, and keeps its own', async () => {
    const given = { ...files, '.github/workflows/plant-store.yml': 'name: other' };
    const { names, again } = await init(given, { below: 'packages/api' });
    expect(names).toEqual(['plant-store-packages-api.yml', 'plant-store.yml']);
    const { stdout } = await again();
    expect(stdout.match(/^kept /gm)).toHaveLength(3);
  });

  test('of a workspace that is no repository', async () => {
    const root = { '.git/HEAD': '', 'w/pnpm-workspace.yaml': '', 'w/pnpm-lock.yaml': '' };
    const { stdout } = await init(root, { below: 'w/a/b' });
    expect(stdout).toContain('wrote  ../../../.github/workflows/plant-store.yml\n');
  });
});

test.each([
  ['another role', ['--for', 'owner'], 'Allowed choices are provider, consumer'],
  ['no URL', ['--for', 'provider', '--base-url', 'x'], 'the base URL must be an absolute URL'],
  ['a flag of the other role', ['--for', 'consumer', '--start', 'x'], '--start is for a provider'],
])('rejects %s', async (_what, flags, says) => {
  const { status, stdout, stderr } = await plantStore(['init', ...flags]);
  expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining(says)]);
});

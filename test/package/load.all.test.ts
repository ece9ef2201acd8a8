import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FaultName, startPlantStore } from 'plant-store-contract/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installProject, type Project, readExample, root } from './project.js';

// k6 is a program in Go that no package registry here installs quickly, so CI has it only where somebody installed it.
const k6 = process.env.K6_PATH ?? 'k6';
const isHere = spawnSync(k6, ['version']).status === 0;
const token = 'a-token-of-this-load';

test('the load test requires this version of the package', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { devDependencies } = JSON.parse(readExample('load', 'package.json'));
  expect(devDependencies).toEqual({
    'plant-store-contract': `file:plant-store-contract-${version}.tgz`,
  });
});

describe.skipIf(!isHere)('the load test', () => {
  let project: Project;

  beforeAll(async () => {
    project = await installProject('load', []);
  });

  afterAll(() => project?.remove());

  async function load(rate: number, faults: readonly FaultName[], script = 'create-plants.js') {
    await using store = await startPlantStore({ token, faults });
    const variables = {
      BASE_URL: store.url,
      PLANT_STORE_TOKEN: token,
      RATE: rate,
      DURATION: '3s',
      MOST_MS: 30_000,
    };
    const flags = Object.entries(variables).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const args = ['run', '--quiet', '--no-usage-report', ...flags, script];
    const { status, stdout, stderr } = await project.run(k6, args);
    return { status, output: stdout + stderr, plants: store.plants().length };
  }

  test('passes against the reference server, with every plant created', async () => {
    const { status, output, plants } = await load(50, []);
    expect(status, output).toBe(0);
    expect(plants).toBeGreaterThan(100);
    expect(output).toMatch(/http_reqs\.+: (\d+)/);
  });

  test('finds a fault that needs load, and only under load', async () => {
    expect(await load(1, ['mixes-answers'])).toMatchObject({ status: 0 });
    const { status, output } = await load(100, ['mixes-answers']);
    expect(status).toBe(99);
    expect(output).toContain('the response is another plant');
    expect(output).not.toContain(token);
  });

  test('can be one file', async () => {
    const { status } = await project.run(join(root, 'node_modules/.bin/esbuild'), [
      ...['create-plants.js', '--bundle', '--format=esm', '--external:k6/*'],
      '--outfile=create-plants.bundle.js',
    ]);
    expect(status).toBe(0);
    expect(await load(5, [], 'create-plants.bundle.js')).toMatchObject({ status: 0 });
    expect(await load(5, ['leaks-id'], 'create-plants.bundle.js')).toMatchObject({ status: 99 });
  });

  test('judges exactly', async () => {
    const { status, output } = await load(5, ['leaks-id']);
    expect(status).toBe(99);
    expect(output).toMatch(/a Plant has no field .*"id/);
  });
});

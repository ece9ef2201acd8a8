import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FaultName, startPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { installProject } from './project.js';

// k6 is a program in Go that no package registry here installs quickly, so CI has it only where somebody installed it.
const k6 = process.env.K6_PATH ?? 'k6';
const isHere = spawnSync(k6, ['version']).status === 0;
const token = 'a-token-of-this-load';

test('the load test prints what the provider says about a failure', async () => {
  const project = await installProject('load', ['esbuild']);
  const bundling = await project.run('npm', ['run', 'bundle']);
  expect(bundling.status, bundling.stderr).toBe(0);
  // In place of k6: it sends nothing, and has the response that is wanted.
  const k6Modules = {
    'package.json': '{"type":"module","exports":{"./*":"./*.js"}}',
    'execution.js': 'export default { scenario: { iterationInTest: 7 }, vu: { iterationInInstance: 0 } };',
    'metrics.js': 'export class Counter { add() {} }',
    'http.js': 'export default { post: () => globalThis.response };',
  };
  mkdirSync(join(project.folder, 'node_modules/k6'));
  for (const [name, text] of Object.entries(k6Modules))
    writeFileSync(join(project.folder, 'node_modules/k6', name), text);
  const printed = async (status: number, type: string, body: string) => {
    const response = `{ status: ${status}, headers: { 'Content-Type': '${type}' }, body: new TextEncoder().encode(${JSON.stringify(body)}).buffer }`;
    const script = `globalThis.__ENV = {}; globalThis.response = ${response};
      const { default: run } = await import('./create-plants.bundle.js'); run({ firstId: '1' });`;
    return (await project.run(process.execPath, ['--input-type=module', '-e', script])).stderr;
  };
  const error = '{"error":1,"message":"the \\"name\\" is taken"}';
  expect(await printed(400, 'application/json', error)).toBe(
    'Aloe 8: expected 200, got 400; it says "the \\"name\\" is taken"\n',
  );
  expect(await printed(500, 'application/json', error)).toMatchInlineSnapshot(`
    "Aloe 8: the status 500 is not documented; expected 200, 400 or another 4xx; it says "the \\"name\\" is taken"
    "
  `);
  expect(await printed(503, 'text/html', '<h1>Unavailable</h1>')).not.toContain('it says');
});

test.skipIf(!isHere)('the load test passes, and finds a fault that needs load', async () => {
  const project = await installProject('load', ['esbuild']);
  expect(await project.run('npm', ['run', 'bundle'])).toMatchObject({ status: 0 });
  async function load(rate: number, faults: readonly FaultName[]) {
    await using store = await startPlantStore({ token, faults });
    const rates = { RATE: rate, DURATION: '3s', MOST_MS: 30_000 };
    const variables = { BASE_URL: store.url, PLANT_STORE_TOKEN: token, ...rates };
    const flags = Object.entries(variables).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const args = ['run', '--quiet', '--no-usage-report', ...flags, 'create-plants.bundle.js'];
    const { status, stdout, stderr } = await project.run(k6, args);
    return { status, output: stdout + stderr, plants: store.plants().length };
  }
  const right = await load(50, []);
  expect(right.status, right.output).toBe(0);
  expect(right.plants).toBeGreaterThan(100);
  const { status, output } = await load(100, ['mixes-answers']);
  expect(status).toBe(99);
  expect(output).toContain('the response is another plant');
  expect(output).not.toContain(token);
});

import type { CheckReport } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { installProject } from './project.js';

const token = 'token-of-this-example';
const readsTypeScript = Boolean(Reflect.get(process.features, 'typescript'));

describe('the example of house rules', async () => {
  const project = await installProject('house-rules', []);

  async function check(module: string, ...flags: string[]) {
    await using store = await startPlantStore({ token });
    const argv = ['plant-store-contract', 'check', store.url, '--only', 'success,house'];
    const { status, stdout, stderr } = await project.run(
      'npx',
      [...argv, '--rules', module, '--reporter', 'json', ...flags],
      { PLANT_STORE_TOKEN: token },
    );
    const { groups = [] }: Partial<CheckReport> = stdout === '' ? {} : JSON.parse(stdout);
    const verdicts = groups.find(({ title }) => title === 'house')?.cases.map((one) => [one.id, one.verdict]);
    return { status, stderr, verdicts };
  }

  test('in JavaScript judges the reference server', async () => {
    const { status, verdicts } = await check('house-rules.mjs');
    expect(verdicts).toEqual([
      ['house/request-id', 'fail'],
      ['house/response-time', 'pass'],
      ['house/unknown-members-are-rejected', 'fail'],
    ]);
    expect(status).toBe(1);
  });

  test('in TypeScript judges it if Node reads TypeScript, and otherwise says that it cannot', async () => {
    const { status, verdicts, stderr } = await check('house-rules.ts');
    if (readsTypeScript) expect([status, verdicts]).toEqual([0, [['house/names-keep-their-spaces', 'pass']]]);
    else
      expect([status, stderr]).toEqual([
        2,
        expect.stringContaining('house-rules.ts cannot be loaded: Unknown file extension ".ts"'),
      ]);
  });
});

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freePort } from './free-port.js';
import { createLinter } from './linter.js';
import { emptyProject } from './project.js';

const OPTIONS = 'plant-store.config.json';
const WORKFLOW = '.github/workflows/plant-store.yml';
const TEST = 'plant-store.test.mjs';

describe('plant-store-contract init in an empty project', async () => {
  const project = await emptyProject();
  const clear = (): void => {
    for (const file of [OPTIONS, WORKFLOW, TEST]) rmSync(join(project.folder, file), { force: true });
  };
  const plantStore = (...args: readonly string[]) =>
    project.run('node_modules/.bin/plant-store-contract', args);

  test.each(['provider', 'consumer'] as const)(
    'writes files for a %s that work as they are',
    async (role) => {
      const start = `npx plant-store-contract serve --port ${await freePort()}`;
      const url = `http://127.0.0.1:${start.split(' ').at(-1)}`;
      const flags = role === 'provider' ? ['--start', start, '--base-url', url] : [];
      clear();
      const { status, stdout, stderr } = await plantStore('init', '--for', role, ...flags);
      expect([status, stderr]).toEqual([0, '']);
      for (const file of [OPTIONS, WORKFLOW, TEST])
        expect(stdout).toMatch(new RegExp(`^wrote +${file}$`, 'm'));

      const tests = await project.run('node', ['--test', '--test-reporter=tap']);
      expect(tests.stdout + tests.stderr).toMatch(/^# fail 0$/m);
      expect(tests.stdout).toMatch(/^# pass 1$/m);
      expect(tests.status).toBe(0);

      const lint = await createLinter();
      expect(lint(project.read(WORKFLOW), WORKFLOW)).toEqual([]);
      expect(JSON.parse(project.read(OPTIONS))).toMatchObject(
        role === 'provider' ? { baseUrl: url, check: { start } } : { serve: { port: 4010 } },
      );
    },
  );

  test('the test of a provider fails if the provider breaks a rule', async () => {
    const port = await freePort();
    const start = `npx plant-store-contract serve --fault leaks-id --port ${port}`;
    clear();
    await plantStore('init', '--for', 'provider', '--start', start, '--base-url', `http://127.0.0.1:${port}`);
    const { status, stdout } = await project.run('node', ['--test', '--test-reporter=tap']);
    expect([status, stdout]).toEqual([1, expect.stringContaining('success/plant-fields-only')]);
  });

  test('keeps files that exist, and says so', async () => {
    project.edit(TEST, 'import assert', '// mine\nimport assert');
    const before = project.read(OPTIONS);
    const { status, stdout } = await plantStore('init', '--for', 'consumer');
    expect(stdout).toMatch(new RegExp(`^kept +${TEST} as it is: it exists$`, 'm'));
    expect([status, project.read(OPTIONS)]).toEqual([0, before]);
    expect(project.read(TEST)).toContain('// mine');
  });

  test.each(['pnpm', 'yarn', 'bun'])('writes a workflow for %s that a linter accepts', async (name) => {
    clear();
    const { status } = await project.run(
      'node_modules/.bin/plant-store-contract',
      ['init', '--for', 'provider'],
      {
        npm_config_user_agent: `${name}/1.0.0`,
      },
    );
    const lint = await createLinter();
    expect([status, lint(project.read(WORKFLOW), WORKFLOW)]).toEqual([0, []]);
    expect(project.read(WORKFLOW)).toContain(`${name} install`);
  });
});

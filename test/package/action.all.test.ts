import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { readPage } from '../docs/pages.js';
import { folderWith } from '../folder.js';
import { packedPackage } from '../once.js';
import { createLinter } from './linter.js';
import { type Ended, projectIn, root } from './project.js';

interface Step {
  readonly id?: string;
  readonly name: string;
  readonly if?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
}

type Values = Readonly<Record<string, string>>;

const text = readFileSync(join(root, 'action.yml'), 'utf8');
const action = parse(text);
const steps: readonly Step[] = action.runs.steps;
const TOKEN = 'token-of-this-action';

const project = projectIn(folderWith());

/** The inputs as a workflow gives them, with the defaults. */
function inputsFrom(given: Values): Values {
  const declared = Object.entries<{ default?: string }>(action.inputs);
  return { ...Object.fromEntries(declared.map(([name, input]) => [name, input.default ?? ''])), ...given };
}

/** Evaluates `${{ inputs.x }}` and `${{ steps.x.outputs.y }}`. */
function evaluated(value: string, inputs: Values, outputs: Readonly<Record<string, Values>>): string {
  return value.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => {
    const [, input] = /^inputs\.(\w+)$/.exec(expression) ?? [];
    if (input !== undefined) return inputs[input] as string;
    const [, step = '', output = ''] = /^steps\.(\w+)\.outputs\.(\w+)$/.exec(expression) ?? [];
    return outputs[step]?.[output] ?? '';
  });
}

/** What the first step says that installs a package: it takes seconds, and each run of the action would do the same. */
const installed = new Map<string | undefined, Values>();

/** Runs the steps that are scripts, as a runner of GitHub does, until one fails. */
async function runAction(given: Values, env: NodeJS.ProcessEnv = {}, actionFolder = root) {
  const inputs = inputsFrom(given);
  const outputs: Record<string, Values> = {};
  let last: Ended = { status: 0, stdout: '', stderr: '' };
  for (const step of steps) {
    if (step.run === undefined || last.status !== 0) continue;
    const isInstall = step === steps[0];
    const known = isInstall ? installed.get(given.package) : undefined;
    if (known !== undefined) {
      outputs[step.id ?? step.name] = known;
      continue;
    }
    writeFileSync(join(project.folder, 'output'), '');
    writeFileSync(join(project.folder, 'summary.md'), '');
    const own = Object.entries(step.env ?? {}).map(([name, value]) => [
      name,
      evaluated(value, inputs, outputs),
    ]);
    expect(step.shell).toBe('bash');
    last = await project.run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
      CI: 'true',
      npm_config_prefer_offline: 'true',
      RUNNER_TEMP: join(project.folder, 'temp'),
      GITHUB_ACTION_PATH: actionFolder,
      GITHUB_OUTPUT: join(project.folder, 'output'),
      GITHUB_STEP_SUMMARY: join(project.folder, 'summary.md'),
      ...env,
      ...Object.fromEntries(own),
    });
    const lines = project
      .read('output')
      .split('\n')
      .filter((line) => line !== '');
    const said: Values = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)));
    outputs[step.id ?? step.name] = said;
    if (isInstall && last.status === 0) installed.set(given.package, said);
  }
  return { ...last, conclusion: evaluated(action.outputs.conclusion.value, inputs, outputs) };
}

test('action.yml passes a linter', async () => {
  // The linter knows workflows only: a job with the same steps, called with the same inputs.
  const inputs = Object.fromEntries(Object.keys(action.inputs).map((name) => [name, { type: 'string' }]));
  const workflow = stringify({
    on: { workflow_call: { inputs } },
    jobs: { action: { 'runs-on': 'ubuntu-latest', steps } },
  });
  const lint = await createLinter();
  expect(lint(workflow, 'action.yml')).toEqual([]);
});

test('the workflow of docs/ci.md passes a linter, and gives the action inputs that it has', async () => {
  const [block] = readPage('docs/ci.md').blocks.filter(({ language }) => language === 'yaml');
  const lint = await createLinter();
  expect(lint(block?.code ?? '', block?.attributes.file ?? '')).toEqual([]);
  const given = parse(block?.code ?? '').jobs.check.steps.find((step: Step) => step.with !== undefined);
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(given.with)));
});

describe('the scripts of the action, with the packed package', async () => {
  const tarball = await packedPackage();

  test('pass for a provider that conforms, and write every report', async () => {
    await using provider = await startPlantStore({ token: TOKEN });
    const { status, stdout, stderr, conclusion } = await runAction({
      url: provider.url,
      token: TOKEN,
      package: tarball,
      options: `--header 'X-Team: green house'`,
    });
    expect(status, stdout + stderr).toBe(0);
    expect(conclusion).toBe('conforms');
    expect(stdout).not.toMatch(/^::error/m);
    expect(provider.received()[0]?.headers).toContainEqual(['X-Team', 'green house']);
    expect(project.read('summary.md')).toContain('# ✅ Conforms');
    expect(project.read('plant-store-reports/check.html')).toContain('<!doctype html>');
    expect(JSON.parse(project.read('plant-store-reports/check.json')).conclusion).toBe('conforms');
  });

  test('fail with annotations for one that does not, and never show the token', async () => {
    await using provider = await startPlantStore({ token: TOKEN, faults: ['leaks-id'] });
    const ended = await runAction(
      { url: provider.url, package: tarball, options: '--only success', reports: 'kept here' },
      { PLANT_STORE_TOKEN: TOKEN },
    );
    expect(ended.status).toBe(1);
    expect(ended.conclusion).toBe('does-not-conform');
    expect(ended.stdout).toMatch(/^::error title=/m);
    const files = ['summary.md', 'kept here/check.html', 'kept here/check.json'].map(project.read);
    for (const written of [ended.stdout, ended.stderr, ...files]) expect(written).not.toContain(TOKEN);
    expect(files[0]).toContain('success/plant-fields-only');
  });

  test('fail for options that are no command line, instead of leaving them out', async () => {
    const ended = await runAction({
      url: 'http://127.0.0.1:9',
      token: TOKEN,
      package: tarball,
      options: "--only 'auth",
    });
    expect(ended.status).toBe(2);
    expect(ended.stderr).toContain("the quote ' in line 1 is not closed");
    expect(ended.conclusion).toBe('');
  });
});

test('without a package, the scripts build the sources of the action', async () => {
  const install = steps[0]?.run ?? '';
  const [ci = ''] = /^ {2}npm ci .*$/m.exec(install) ?? [];
  const folder = join(project.folder, 'action');
  mkdirSync(folder);
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(root, file), join(folder, file));
  // A job may set this for its provider. The compiler is installed all the same.
  const planned = await project.run('bash', ['-c', `cd action && ${ci} --dry-run --offline`], {
    NODE_ENV: 'production',
  });
  expect(planned.stdout).toMatch(/^add typescript /m);
  // What that installs is here.
  for (const file of ['tsconfig.json', 'src', 'scripts', 'spec', 'pacts'])
    cpSync(join(root, file), join(folder, file), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const script = install.replace(ci, '');
  const { status, stderr } = await project.run('bash', ['-eo', 'pipefail', '-c', script], {
    PACKAGE: '',
    NODE_ENV: 'production',
    GITHUB_ACTION_PATH: folder,
    GITHUB_OUTPUT: join(project.folder, 'output'),
  });
  expect(status, stderr).toBe(0);
  const [, program = ''] = /^program=(.*)$/m.exec(project.read('output')) ?? [];
  expect(existsSync(program)).toBe(true);
  expect((await project.run('node', [program, 'rules', 'success/plant-fields-only'])).status).toBe(0);
});

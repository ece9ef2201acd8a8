import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { folderWith } from '../folder.js';
import { built } from '../once.js';
import { createLinter } from './linter.js';
import { type Project, projectIn, root } from './project.js';

const WORKFLOW = '.github/workflows/publish.yml';
const text = readFileSync(join(root, WORKFLOW), 'utf8');
const { on, permissions, jobs } = parse(text);
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

interface Step {
  readonly name?: string;
  readonly run?: string;
}

describe('the workflow that publishes', () => {
  let project: Project;
  beforeEach(() => {
    project = projectIn(folderWith());
  });

  /** Runs the script of a step as a runner does. Commands in `bin` are found first. */
  function runStep(name: string, env: NodeJS.ProcessEnv = {}) {
    const { run } = jobs.publish.steps.find((step: Step) => step.name === name);
    const PATH = `${join(project.folder, 'bin')}:${process.env.PATH}`;
    const options = ['--noprofile', '--norc', '-eo', 'pipefail', '-c'];
    return project.run('bash', [...options, run], { PATH, GITHUB_REF_NAME: 'v1.2.3', ...env });
  }

  test('passes a linter', async () => {
    const lint = await createLinter();
    expect(lint(text, WORKFLOW)).toEqual([]);
    const [wrong] = lint(text.replace('secrets.NPM_TOKEN', 'secret.NPM_TOKEN'), WORKFLOW);
    expect(wrong?.message).toContain('undefined variable "secret"');
  });

  test('runs for tags only, tests first, and has no right that it does not need', () => {
    expect(on).toEqual({ push: { tags: ['v[0-9]+.[0-9]+.[0-9]+*'] } });
    expect(permissions).toEqual({});
    expect(jobs.test.permissions).toEqual({ contents: 'read' });
    expect(jobs.test.steps.at(-1).run).toBe('.ci/run');
    expect(jobs.publish.permissions).toEqual({ contents: 'write', 'id-token': 'write' });
    expect(jobs.publish.needs).toBe('test');
    expect(text.match(/secrets\.\w+/g)).toEqual(['secrets.NPM_TOKEN']);
  });

  const COMPARE = 'Compare the tag with the version, and find what is new in it';
  const CHANGELOG =
    '# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-01-01\n\n- What is new.\n\n## [1.2.2]\n\n- Old.\n';

  test.each([
    ['the version and the changelog have', {}, CHANGELOG, ''],
    [
      'the version does not have',
      { GITHUB_REF_NAME: 'v1.2.4' },
      CHANGELOG,
      'the tag is v1.2.4, but package.json has version 1.2.3',
    ],
    [
      'the changelog does not have',
      {},
      CHANGELOG.replace('## [1.2.3]', '## [1.2.30]'),
      '::error::CHANGELOG.md has no section [1.2.3]\n',
    ],
  ])('takes or rejects a tag that %s', async (_what, env, changelog, says) => {
    writeFileSync(join(project.folder, 'package.json'), '{"version":"1.2.3"}');
    writeFileSync(join(project.folder, 'CHANGELOG.md'), changelog);
    const { status, stdout } = await runStep(COMPARE, env);
    expect([status, stdout]).toEqual([says === '' ? 0 : 1, expect.stringContaining(says)]);
    if (says === '') expect(project.read('build/notes.md').trim()).toBe('- What is new.');
  });

  test.each([
    ['v1.2.3', 'latest'],
    ['v1.2.3-rc.1', 'next'],
  ])('publishes %s with its provenance as %s', async (tag, expected) => {
    for (const folder of ['bin', 'build']) mkdirSync(join(project.folder, folder));
    const npm = join(project.folder, 'bin/npm');
    writeFileSync(npm, '#!/bin/sh\necho npm "$@"\n');
    chmodSync(npm, 0o755);
    writeFileSync(join(project.folder, 'build/package.tgz'), '');
    const { stdout } = await runStep('Publish', { GITHUB_REF_NAME: tag });
    expect(stdout).toBe(`npm publish --provenance --access public --tag ${expected} build/package.tgz\n`);
  });

  test('makes the package, with the address of the repository', async () => {
    await built();
    for (const file of manifest.files
      .filter((one: string) => !one.includes('*'))
      .concat('package.json', 'package-lock.json', 'README.md'))
      cpSync(join(root, file), join(project.folder, file), { recursive: true });
    const { run } = jobs.publish.steps.find((step: Step) => step.name === 'Make the package');
    expect(run).toContain('npm ci --ignore-scripts\n');
    mkdirSync(join(project.folder, 'build'));
    // What `npm ci` and the build make is here.
    const script = run.replace(/^npm ci .*$/m, '');
    const env = {
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_REPOSITORY: 'someone/plants',
      npm_config_ignore_scripts: 'true',
    };
    const { status, stderr } = await project.run('bash', ['-eo', 'pipefail', '-c', script], env);
    expect(status, stderr).toBe(0);
    const tarball = `build/plant-store-contract-${manifest.version}.tgz`;
    const packed = await project.run('tar', ['-xzOf', tarball, 'package/package.json']);
    expect(JSON.parse(packed.stdout).repository).toEqual({
      type: 'git',
      url: 'git+https://github.com/someone/plants.git',
    });
  });
});

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { folderWith } from '../folder.js';
import { root } from './project.js';

const exec = promisify(execFile);
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

interface Entry {
  readonly hasInstallScript?: boolean;
}

const readLock = (folder: string) => readFileSync(join(root, folder, 'package-lock.json'), 'utf8');
const locked: Readonly<Record<string, Entry>> = JSON.parse(readLock('.')).packages;

describe('npm ci', () => {
  test('has nothing to warn of: every package supports this version of Node', async () => {
    const names = ['package.json', 'package-lock.json'];
    const folder = folderWith(
      Object.fromEntries(names.map((name) => [name, readFileSync(join(root, name))])),
    );
    // Without the settings of whoever runs the tests, and of the npm that may run them.
    const env = { PATH: process.env.PATH, HOME: folder };
    const { stdout, stderr } = await exec('npm', ['ci', '--dry-run', '--offline', '--no-update-notifier'], {
      cwd: folder,
      env,
    });
    expect(stdout).toMatch(/^added \d+ packages/m);
    expect(stderr).toBe('');
  });

  test('takes less than 250 MB', async () => {
    const { stdout } = await exec('du', ['-sm', join(root, 'node_modules')]);
    expect(Number.parseInt(stdout, 10)).toBeLessThan(250);
  });

  test('runs no script of another package, and says nothing about those that it does not run', () => {
    const scripts = Object.keys(locked)
      .filter((path) => locked[path]?.hasInstallScript === true)
      .map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    const denied = Object.fromEntries([...new Set(scripts)].map((name) => [name, false]));
    expect(manifest.allowScripts).toEqual(denied);
  });
});

test.each(['.', 'test/frameworks', 'test/tools', 'test/lab/mutation', 'test/lab/runtimes'])(
  'the lock file of %s has no address',
  (folder) => {
    expect(readLock(folder)).not.toMatch(
      /"resolved"|https?:\/\/(?!.*(github|opencollective|paypal|tidelift|patreon|funding|feross|sponsor))\S*\.tgz/,
    );
  },
);

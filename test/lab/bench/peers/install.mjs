import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { runCommand } from './processes.mjs';

/** The versions of the table in README.md. */
const NPM = {
  '@apideck/portman': '1.33.0',
  dredd: '14.1.0',
  newman: '6.2.2',
  specmatic: '2.55.1',
};
const PYPI = { schemathesis: '4.32.5' };
const LIMIT_MS = 15 * 60_000;

/** Installs the tools of npm and PyPI into a folder. They are no dependencies of this package. */
export async function install(asked) {
  const folder = resolve(asked);
  await mkdir(folder, { recursive: true });
  // A package of its own, so that npm does not look for one above it.
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) await writeFile(manifest, '{ "private": true }\n');
  const packages = Object.entries(NPM).map(([name, version]) => `${name}@${version}`);
  await step('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '-E', ...packages], folder);
  await step('python3', ['-m', 'venv', 'python'], folder);
  const wheels = Object.entries(PYPI).map(([name, version]) => `${name}==${version}`);
  await step(join(folder, 'python/bin/pip'), ['install', ...wheels], folder);
}

async function step(command, args, cwd) {
  process.stderr.write(`${[command, ...args].join(' ')}\n`);
  const { status, stderr } = await runCommand(command, args, { cwd, limitMs: LIMIT_MS });
  if (status !== 0) throw new Error(`${command} failed:\n${stderr}`);
}

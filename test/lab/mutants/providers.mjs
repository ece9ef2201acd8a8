import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packagesOf } from '../../packages.mjs';
import { runCommand } from '../bench/peers/processes.mjs';

/** What a run installs and keeps. */
export const BUILD = fileURLToPath(new URL('../../../build/mutants', import.meta.url));
const VENV = join(BUILD, 'python');
const MUTMUT = '3.8.1';

/**
 * A careful provider. The check finds nothing in it, and mutants are made of it.
 *
 * @typedef {object} Provider
 * @property {string} name
 * @property {string} file its only file
 * @property {string} operators what changes it
 * @property {() => Promise<void>} prepare installs what is needed, once
 * @property {(file: string) => [string, string[]]} mutate the command that prints all its mutants as JSON
 * @property {(folder: string) => [string, string[]]} [compile] a folder has the file
 * @property {(folder: string) => [string, string[]]} start it reads PORT and TOKEN
 */

const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

/** @type {(name: string) => Provider} */
const javascript = (name) => ({
  name,
  file: path(`providers/${name}/server.mjs`),
  operators: 'StrykerJS 9.6.1',
  prepare: async () => {
    await packagesOf('lab/mutants');
  },
  mutate: (file) => [process.execPath, [path('operators/with-stryker.mjs'), file]],
  start: (folder) => [process.execPath, [join(folder, 'server.mjs')]],
});

/** @type {readonly Provider[]} */
export const PROVIDERS = [
  ...['node-http', 'express-zod', 'fastify'].map(javascript),
  {
    name: 'python',
    file: path('providers/python/server.py'),
    operators: `mutmut ${MUTMUT}`,
    prepare: installMutmut,
    mutate: (file) => [join(VENV, 'bin/python'), [path('operators/with_mutmut.py'), file]],
    // -B: no __pycache__ beside each mutant.
    start: (folder) => ['python3', ['-B', join(folder, 'server.py')]],
  },
  {
    name: 'go',
    file: path('providers/go/main.go'),
    operators: 'classical.go',
    prepare: async () => {
      await done('go', ['version']);
    },
    mutate: (file) => ['go', ['run', path('operators/classical.go'), '--', file]],
    compile: (folder) => ['go', ['build', '-o', join(folder, 'server'), join(folder, 'main.go')]],
    start: (folder) => [join(folder, 'server'), []],
  },
];

async function installMutmut() {
  const stamp = join(VENV, `bin/mutmut`);
  if (existsSync(stamp)) return;
  await done('python3', ['-m', 'venv', VENV]);
  await done(join(VENV, 'bin/pip'), ['install', '--quiet', `mutmut==${MUTMUT}`]);
}

/** The output of a command that must succeed. */
export async function done(command, args, options) {
  const { status, stdout, stderr } = await runCommand(command, args, { limitMs: 300_000, ...options });
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} failed:\n${stderr}`);
  return stdout;
}

/** Ten characters that are others for other texts. */
export function digestOf(...texts) {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('hex').slice(0, 10);
}

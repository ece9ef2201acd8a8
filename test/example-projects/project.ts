import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Of this repository. */
export const root = new URL('../..', import.meta.url).pathname;
const examples = join(root, 'test/examples');
const exec = promisify(execFile);

/** How a command ended, and what it printed. */
export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An example project, copied to a folder of its own and installed there. */
export interface Project {
  readonly folder: string;
  /** Runs a command as a user would there: without what the variables of these tests bring about. */
  run(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended>;
  read(file: string): string;
  /** Changes a file; fails where it is the same afterwards. */
  edit(file: string, from: string, to: string): void;
  remove(): void;
}

/** The text of a file in an example. */
export function readExample(...path: string[]): string {
  return readFileSync(join(examples, ...path), 'utf8');
}

/**
 * Copies an example to an empty folder, and installs there what `npm pack` makes of this repository, by the example's
 * own package.json. `npm test` builds before.
 *
 * @param linked packages that are linked from here instead of installed: they are big, and so the tests need nothing that
 *   `npm ci` did not bring here, nor run with another version tomorrow. That these would install is not tested.
 */
export async function installProject(name: string, linked: readonly string[]): Promise<Project> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `example-${name}-`)));
  // Not what somebody has installed by hand.
  const filter = (path: string): boolean => !/\/(node_modules|package-lock\.json|[^/]+\.tgz)$/.test(path);
  cpSync(join(examples, name), folder, { recursive: true, filter });
  const project = projectIn(folder);
  await pack(folder);
  const manifest = project.read('package.json');
  writeFileSync(join(folder, 'package.json'), without(linked, manifest));
  const installing = ['install', '--prefer-offline', '--no-audit', '--no-fund'];
  const { status, stderr } = await project.run('npm', installing);
  if (status !== 0) throw new Error(`npm install failed: ${stderr}`);
  writeFileSync(join(folder, 'package.json'), manifest);
  for (const one of linked) link(one, folder);
  return project;
}

/** Packs this repository into a folder; `dist/` is there already, and building it would pull it from under other tests. */
export async function pack(folder: string): Promise<void> {
  await exec('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root });
}

/** A folder as a project, whatever is in it. */
export function projectIn(folder: string): Project {
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  return {
    folder,
    read,
    async run(command, args, env = {}) {
      const options = { cwd: folder, env: { ...userEnvironment(), ...env }, maxBuffer: 2 ** 24 };
      return await exec(command, args, options).then(
        ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
        ({ code, stdout, stderr }) => {
          // A command that cannot be started has another code, and printed nothing.
          if (typeof code !== 'number') throw new Error(`${command}: ${code}`);
          return { status: code, stdout, stderr };
        },
      );
    },
    edit(file, from, to) {
      const text = read(file);
      if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
      writeFileSync(join(folder, file), text.replace(from, to));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** CI would shorten reports, colour settings would change them; what Vitest and npm set is for this run. */
function userEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(CI|NODE_ENV|NODE_OPTIONS|FORCE_COLOR|PLANT_STORE_.*|GITHUB_.*|VITEST.*|TEST|npm_(command|lifecycle|package|config_call).*)$/.test(
        name,
      ),
  );
  return { ...Object.fromEntries(kept), NO_COLOR: '1' };
}

function without(names: readonly string[], text: string): string {
  const manifest = JSON.parse(text);
  for (const kind of ['dependencies', 'devDependencies'])
    for (const name of names) delete manifest[kind]?.[name];
  return JSON.stringify(manifest);
}

/** As npm would have it in `node_modules`, its commands included. */
function link(name: string, folder: string): void {
  const modules = join(folder, 'node_modules');
  const here = join(root, 'node_modules', name);
  mkdirSync(dirname(join(modules, name)), { recursive: true });
  symlinkSync(here, join(modules, name));
  const { bin = {} } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
  for (const [command, file] of Object.entries<string>(typeof bin === 'string' ? { [name]: bin } : bin))
    symlinkSync(join('..', name, file), join(modules, '.bin', command));
}

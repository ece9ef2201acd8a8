import { stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { isObject } from '../validation/json-value.js';
import { contentOf, jsonIn } from './command.js';
import type { CommandIo } from './io.js';

/** What somebody has: a server that implements the interface, or a program that calls one. */
export type Role = 'provider' | 'consumer';

/** A package manager, and the lines that it needs in a workflow and in a test. */
export interface PackageManager {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun';
  /** Installs what the lock file says, or what package.json says if there is none. */
  readonly install: string;
  /** Runs a command of an installed package. */
  readonly exec: string;
  /** Runs Node with the installed packages. */
  readonly node: string;
  /** Runs the script `start` of package.json. */
  readonly start: string;
}

/** A project that somebody begins to test. */
export interface Project {
  readonly role: Role;
  /** Why it was taken for one with this role, as a sentence. */
  readonly why: string;
  readonly manager: PackageManager;
  /** The version of the package manager that package.json names, and its folder. */
  readonly pinned: { readonly version: string; readonly folder: string } | undefined;
  /** Where the lock file is, relative to the root: there the packages are installed. `.` is the root. */
  readonly installFolder: string;
  /** The project itself, relative to the root. */
  readonly folder: string;
  /** The root of the repository, where GitHub reads workflows: relative to the project, as in `../..`. */
  readonly root: string;
  readonly manifest: Manifest | undefined;
}

/** What is read of a package.json. */
type Manifest = Readonly<Record<string, unknown>>;

/** Packages whose users have a server. */
const SERVERS = words(`
  express fastify koa hono @hono/node-server @nestjs/core @hapi/hapi restify polka h3 nitropack nitro elysia connect micro
  @feathersjs/express @feathersjs/koa @adonisjs/core @loopback/rest @tinyhttp/app sails egg moleculer-web hyper-express
  ultimate-express uWebSockets.js @fastify/core openapi-backend @trpc/server @apollo/server graphql-yoga fets itty-router
  express-openapi-validator restana find-my-way @oak/oak @marblejs/http @foal/core @midwayjs/core
`);

/** Packages whose users call a server. */
const CLIENTS = words(`
  axios got ky node-fetch undici superagent needle ofetch wretch cross-fetch isomorphic-fetch request phin bent ky-universal
  openapi-fetch openapi-client-axios openapi-axios @hey-api/client-fetch @hey-api/openapi-ts swr @tanstack/react-query
  @tanstack/vue-query @reduxjs/toolkit react react-dom react-native vue svelte solid-js preact @angular/core lit next nuxt
  @sveltejs/kit astro electron msw nock
`);

/** The package managers: by which files each is known, from the surest. */
const LOCKS = {
  pnpm: ['pnpm-lock.yaml'],
  yarn: ['yarn.lock'],
  bun: ['bun.lock', 'bun.lockb'],
  npm: ['package-lock.json', 'npm-shrinkwrap.json'],
} as const;

type ManagerName = keyof typeof LOCKS;

const NAMES = Object.keys(LOCKS) as readonly ManagerName[];

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/**
 * Looks at a folder: whose project it is, and how its packages are installed.
 *
 * @param role what the user says; otherwise the packages in package.json tell
 * @throws ToolkitError `invalid-option` if a package.json is not JSON
 */
export async function projectIn(folder: string, role: Role | undefined, io: CommandIo): Promise<Project> {
  const root = await rootOf(folder, io);
  const folders = upTo(root, folder);
  const manifests = new Map<string, Manifest | undefined>();
  for (const one of folders) manifests.set(one, await manifestIn(one, io));
  const pinned = pinnedIn(manifests);
  const lock = await firstWith(folders, (one) => lockIn(one, pinned?.name));
  const name = pinned?.name ?? lock?.value ?? managerThatRuns(io) ?? 'npm';
  const home = lock?.folder ?? (await firstWith(folders, isWorkspace))?.folder ?? folder;
  const isClassic = name === 'yarn' && (await isYarn1(home, pinned?.version, io));
  const manifest = manifests.get(folder);
  const taken = role === undefined ? roleOf(manifest) : { role, why: '' };
  return {
    ...taken,
    manager: managerOf(name, lock !== undefined, isClassic),
    pinned:
      pinned?.version === undefined
        ? undefined
        : { version: pinned.version, folder: wayTo(pinned.folder, root) },
    installFolder: wayTo(home, root),
    folder: wayTo(folder, root),
    root: wayTo(root, folder),
    manifest,
  };
}

/** The way to a folder, with slashes on every system. */
function wayTo(folder: string, from: string): string {
  return relative(from, folder).split(sep).join('/') || '.';
}

/** The repository that a folder is in; without one, the workspace; otherwise the folder itself. */
async function rootOf(folder: string, io: CommandIo): Promise<string> {
  const above = upTo(undefined, folder);
  const repository = await firstWith(above, (one) => exists(join(one, '.git')));
  if (repository !== undefined) return repository.folder;
  const workspace = await firstWith(above, async (one) => {
    if (await isWorkspace(one)) return true;
    return one !== folder && (await manifestIn(one, io).catch(() => undefined))?.workspaces !== undefined;
  });
  return workspace?.folder ?? folder;
}

/** A folder and those above it, from the inside, up to the root. */
function upTo(root: string | undefined, folder: string): readonly string[] {
  const above = dirname(folder);
  return folder === root || above === folder ? [folder] : [folder, ...upTo(root, above)];
}

/** The first folder of which something is to be said, and what. */
async function firstWith<T>(
  folders: readonly string[],
  find: (folder: string) => Promise<T>,
): Promise<{ readonly folder: string; readonly value: NonNullable<T> } | undefined> {
  for (const folder of folders) {
    const value = await find(folder);
    if (value) return { folder, value };
  }
  return undefined;
}

async function isWorkspace(folder: string): Promise<boolean> {
  return await exists(join(folder, 'pnpm-workspace.yaml'));
}

async function lockIn(folder: string, name: ManagerName | undefined): Promise<ManagerName | undefined> {
  for (const one of name === undefined ? NAMES : [name])
    for (const lock of LOCKS[one]) if (await exists(join(folder, lock))) return one;
  return undefined;
}

export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function manifestIn(folder: string, io: CommandIo): Promise<Manifest | undefined> {
  const file = join(folder, 'package.json');
  if (!(await exists(file))) return undefined;
  const manifest = jsonIn(await contentOf(file, 'package.json', io), file);
  return isObject(manifest) ? manifest : undefined;
}

/** Whether the lock file is one of Yarn 1, which knows other flags. */
async function isYarn1(folder: string, version: string | undefined, io: CommandIo): Promise<boolean> {
  if (version !== undefined) return /^[01]\b/.test(version);
  if (await exists(join(folder, '.yarnrc.yml'))) return false;
  const lock = await io.readFile(join(folder, 'yarn.lock')).catch(() => '');
  return !lock.includes('__metadata:');
}

/** What `packageManager` or `devEngines` says: `pnpm@10.1.0+sha512.…`. */
function pinnedIn(manifests: ReadonlyMap<string, Manifest | undefined>) {
  for (const [folder, manifest] of manifests) {
    const { packageManager, devEngines } = manifest ?? {};
    const engine = Object(Object(devEngines).packageManager) as { name?: unknown; version?: unknown };
    const [, given = String(engine.name), version] =
      /^(\w+)@([\w.-]+)/.exec(String(packageManager ?? '')) ?? [];
    const name = NAMES.find((one) => one === given);
    if (name !== undefined) return { name, version, folder };
  }
  return undefined;
}

/** Each of them says so in this variable: `pnpm exec plant-store-contract init`. */
function managerThatRuns({ env }: CommandIo): ManagerName | undefined {
  return NAMES.find((name) => env.npm_config_user_agent?.startsWith(`${name}/`));
}

function managerOf(name: ManagerName, hasLock: boolean, isClassic: boolean): PackageManager {
  switch (name) {
    case 'npm': {
      const install = hasLock ? 'npm ci' : 'npm install';
      return { name, install, exec: 'npx', node: 'node', start: 'npm start' };
    }
    case 'pnpm': {
      const install = hasLock ? 'pnpm install --frozen-lockfile' : 'pnpm install --no-frozen-lockfile';
      return { name, install, exec: 'pnpm exec', node: 'node', start: 'pnpm start' };
    }
    case 'yarn': {
      // Yarn without node_modules finds packages only for what it starts itself.
      const lines = { name, exec: 'yarn run', node: 'yarn node', start: 'yarn start' };
      if (isClassic) return { ...lines, install: `yarn install${hasLock ? ' --frozen-lockfile' : ''}` };
      return { ...lines, install: `yarn install ${hasLock ? '--immutable' : '--no-immutable'}` };
    }
    case 'bun': {
      const install = `bun install${hasLock ? ' --frozen-lockfile' : ''}`;
      return { name, install, exec: 'bun run', node: 'node', start: 'bun run start' };
    }
  }
}

/** What the packages in package.json tell. Whoever has a server may call others, so a server counts first. */
function roleOf(manifest: Manifest | undefined): { readonly role: Role; readonly why: string } {
  if (manifest === undefined)
    return { role: 'provider', why: 'there is no package.json here, so it may be in any language' };
  const named = (...lists: readonly string[]): readonly string[] =>
    lists.flatMap((list) => Object.keys(Object(manifest[list])));
  const used = named('dependencies', 'peerDependencies', 'optionalDependencies');
  const all = [...used, ...named('devDependencies')];
  const server = (names: readonly string[]) => SERVERS.find((one) => names.includes(one));
  const client = CLIENTS.find((one) => all.includes(one));
  const framework = server(used) ?? (client === undefined ? server(all) : undefined);
  if (framework !== undefined)
    return { role: 'provider', why: `package.json has ${framework}, with which servers are written` };
  if (client !== undefined)
    return { role: 'consumer', why: `package.json has ${client}, with which servers are called` };
  return { role: 'consumer', why: 'package.json has neither a framework for servers nor a client' };
}

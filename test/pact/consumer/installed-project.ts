import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { type Pact, readPact } from '../../../src/pact/pacts.js';
import { builtCopy, linkFiles, linkPackages, projectsFolder } from '../../once.js';

/** How a process ended, and what it said. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

/** A project in a folder of its own, with this package installed, compiled from the sources as they are now. */
export class InstalledProject {
  private constructor(readonly folder: string) {}

  static async create(): Promise<InstalledProject> {
    const project = new InstalledProject(mkdtempSync(join(await projectsFolder(), 'project-')));
    const installed = join(project.folder, 'node_modules/plant-store-contract');
    mkdirSync(join(project.folder, 'tmp'));
    linkFiles(await builtCopy(), installed);
    // The folder above has all packages. This one is run by its path.
    await linkPackages(project.folder, 'vitest');
    project.write('package.json', '{ "private": true, "type": "module" }');
    return project;
  }

  /** Removes all but what is installed, and writes other files. */
  renew(files: Readonly<Record<string, string>>): void {
    for (const name of readdirSync(this.folder))
      if (!['node_modules', 'package.json', 'tmp'].includes(name))
        rmSync(join(this.folder, name), { recursive: true });
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  write(name: string, text: string): void {
    const file = join(this.folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Starts a process of node; it knows nothing of the test runner that this one runs in. */
  start(...args: readonly string[]) {
    const { PATH = '' } = process.env;
    const env = { PATH, HOME: this.folder, TMPDIR: join(this.folder, 'tmp'), NO_COLOR: '1' };
    return spawn(process.execPath, args, { cwd: this.folder, env });
  }

  node(...args: readonly string[]): Promise<Ended> {
    return ended(this.start(...args));
  }

  vitest(...args: readonly string[]): Promise<Ended> {
    return this.node('node_modules/vitest/vitest.mjs', 'run', ...args);
  }

  /** The text of the pact; empty if there is none. */
  pactText(consumer = 'web'): string {
    const file = join(this.folder, `pacts/${consumer}-plant-store.json`);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  pact(consumer?: string): Pact {
    return readPact(this.pactText(consumer), 'the pact');
  }

  descriptions(): string[] {
    return this.pact().interactions.map(({ description }) => description);
  }

  /** What lies beside the pact, and what collections have left in the folder for what is temporary. */
  leftovers(): string[] {
    const beside = existsSync(join(this.folder, 'pacts')) ? readdirSync(join(this.folder, 'pacts')) : [];
    const temporary = readdirSync(join(this.folder, 'tmp'));
    return [...beside.filter((name) => !name.endsWith('.json')), ...temporary].filter((name) =>
      /plant-store/.test(name),
    );
  }
}

/** Makes a project for each call, so that several processes can run at the same time. All go when the file's tests end. */
export function ownProjects(): (files: Readonly<Record<string, string>>) => Promise<InstalledProject> {
  const projects: InstalledProject[] = [];
  afterAll(() => {
    for (const project of projects) project.remove();
  });
  return async (files) => {
    const project = await InstalledProject.create();
    projects.push(project);
    project.renew(files);
    return project;
  };
}

/** Waits for the end of a process. */
async function ended(child: ReturnType<InstalledProject['start']>): Promise<Ended> {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  const [code, signal] = await once(child, 'close');
  return { code, signal, output };
}

/** The head of a test file of that project: a consumer, and `creates`, which makes an interaction. */
export const CONSUMER = `
import { createPlantClient } from 'plant-store-contract/client';
import { plantStorePact } from 'plant-store-contract/pact';
const pact = plantStorePact({ consumer: 'web' });
const creates = (description, plant = { name: 'Aloe', id: 7 }) =>
  pact.createsPlantWithoutTag(
    ({ url, token, plant }) => createPlantClient({ baseUrl: url, token, timeoutMs: 120_000 }).createPlant(plant),
    { description, plant },
  );
`;

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

// Only here are files of this package opened: in the single file that `npm run build:binary` makes, there are none, and
// `packaging/single-file/package-files.ts` takes the place of this module. Write the URL of a file as
// `new URL('./name', import.meta.url)`. Then the build finds it, and puts the file into the single file.

/** Whether this runs in the single file. Whoever has it may have neither Node nor npm. */
export const IS_SINGLE_FILE: boolean = false;

/** The text of a file of this package. */
export function readPackageFile(file: URL): string {
  return readFileSync(file, 'utf8');
}

/** The texts of the scripts in a folder of this package, by name. There are none if the folder is not there. */
export function readPackageScripts(folder: URL): ReadonlyMap<string, string> {
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
  return new Map(names.map((name) => [name, readPackageFile(new URL(name, folder))]));
}

/**
 * Whether a thread can be started from a module. It cannot from sources in TypeScript, nor if another program has
 * bundled this package.
 */
export function canStartThread(module: URL): boolean {
  return existsSync(module);
}

/** Starts a thread from a module of this package. */
export function startThread(module: URL, options: WorkerOptions = {}): Worker {
  return new Worker(module, options);
}

/** Starts a process of Node from a module of this package. */
export function startNode(module: URL, options: SpawnOptions): ChildProcess {
  return spawn(process.execPath, [fileURLToPath(module)], options);
}

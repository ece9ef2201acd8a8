import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { getAsset } from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { runContained } from './contained.js';

// Takes the place of src/package-files.ts in the single file, which contains the files of this package under their paths.

export const IS_SINGLE_FILE = true;

export function readPackageFile(file: URL): string {
  return getAsset(file.pathname, 'utf8');
}

/** Under the path of a folder are the names of its scripts. */
export function readPackageScripts(folder: URL): ReadonlyMap<string, string> {
  const names: readonly string[] = JSON.parse(readPackageFile(folder));
  return new Map(names.map((name) => [name, readPackageFile(new URL(name, folder))]));
}

export function canStartThread(): boolean {
  return true;
}

export function startThread(module: URL, options: WorkerOptions = {}): Worker {
  const run = `(${runContained})(${JSON.stringify(module.pathname)}, require)`;
  return new Worker(run, { ...options, eval: true });
}

/** The process is this file again: `main.ts` recognises the argument. */
export function startNode(module: URL, options: SpawnOptions): ChildProcess {
  return spawn(process.execPath, [module.href], options);
}

import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file as a whole. It first writes a temporary file next to the target, then renames it. Whenever the process
 * is killed or the disk is full, the target has its old content or all of the new one. Missing folders are made.
 * What is no regular file, such as `/dev/stdout` or a pipe, is written directly.
 *
 * @returns the first folder that was made, if one was
 * @throws Error of the file system; then the target is unchanged
 */
export async function writeWhole(path: string, text: string): Promise<string | undefined> {
  const target = await stat(path).catch(() => undefined);
  if (target?.isFile() === false) return void (await writeFile(path, text));
  const file = realPath(path);
  const unfinished = unfinishedName(file);
  const made = await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(unfinished, text, { flag: 'wx', flush: true, ...modeOf(target) });
    await rename(unfinished, file);
    return made;
  } catch (problem) {
    await rm(unfinished, { force: true });
    throw problem;
  }
}

/** The same in a process that is about to exit, which cannot wait. */
export function writeWholeSync(path: string, text: string): void {
  const file = realPath(path);
  const unfinished = unfinishedName(file);
  mkdirSync(dirname(file), { recursive: true });
  try {
    const target = statSync(file, { throwIfNoEntry: false });
    writeFileSync(unfinished, text, { flag: 'wx', flush: true, ...modeOf(target) });
    renameSync(unfinished, file);
  } catch (problem) {
    rmSync(unfinished, { force: true });
    throw problem;
  }
}

/** Where a link leads: renaming onto the link would replace the link. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** A name in the same folder, since only within a file system is a file renamed at once. */
function unfinishedName(file: string): string {
  return `${file}.${process.pid}-${Math.random().toString(36).slice(2)}.tmp`;
}

function modeOf(target: { readonly mode: number } | undefined): { mode?: number } {
  return target === undefined ? {} : { mode: target.mode & 0o777 };
}

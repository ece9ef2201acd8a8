import { readdir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** Whether a path is a pattern: it has `*`, `?` or `{a,b}`. */
export function isPattern(path: string): boolean {
  return /[*?]|\{[^{}]*,[^{}]*\}/.test(path);
}

/**
 * The files that a pattern names, in the order of their paths. `*` and `?` stand for characters of a name, `**` for any
 * number of folders, and `{a,b}` for alternatives. As in a shell, only a pattern that begins with a dot finds a name that
 * does.
 */
export async function filesMatching(pattern: string): Promise<string[]> {
  const plain = sep === '\\' ? pattern.replaceAll('\\', '/') : pattern;
  const found: string[] = [];
  for (const one of alternatives(plain)) {
    const names = one.split('/');
    const first = names.findIndex(isPattern);
    const fixed = first === -1 ? names.length - 1 : first;
    const base = names.slice(0, fixed).join('/') || (one.startsWith('/') ? '/' : '.');
    // As the last name, it means every file.
    await walk(base, [...names.slice(fixed), ...(names.at(-1) === '**' ? ['*'] : [])], found);
  }
  return sorted(found);
}

/** The files below a folder whose names end in a certain way, in the order of their paths. */
export async function filesBelow(folder: string, ending: string): Promise<string[]> {
  const found: string[] = [];
  await walk(folder, ['**', `*${ending}`], found);
  return sorted(found);
}

/** Folders that no pattern means: the packages of other people. */
const LEFT_OUT = 'node_modules';

/** @param names what is left of a pattern: one pattern for each folder, and one for the file */
async function walk(folder: string, names: readonly string[], found: string[]): Promise<void> {
  const [name = '', ...rest] = names;
  if (name === '**') await walk(folder, rest, found);
  const matches = name === '**' ? () => true : matcherFor(name);
  const entries = await readdir(folder, { withFileTypes: true }).catch(emptyIfMissing);
  for (const entry of entries) {
    if (entry.name === LEFT_OUT || (entry.name.startsWith('.') && !name.startsWith('.'))) continue;
    if (!matches(entry.name)) continue;
    const path = join(folder, entry.name);
    // A link to a folder may lead back here, so only links to files are followed.
    if (entry.isDirectory()) {
      if (name === '**') await walk(path, names, found);
      else if (rest.length > 0) await walk(path, rest, found);
    } else if (rest.length === 0 && name !== '**' && (await isFile(path))) found.push(path);
  }
}

function emptyIfMissing(cause: NodeJS.ErrnoException): never[] {
  if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') return [];
  throw cause;
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

function matcherFor(name: string): (candidate: string) => boolean {
  const escaped = name.replace(/[\\^$+.()|[\]{}]/g, '\\$&');
  const pattern = new RegExp(`^${escaped.replace(/\*+/g, '.*').replaceAll('?', '.')}$`, 'su');
  return (candidate) => pattern.test(candidate);
}

/** `{a,b}.json` as `a.json` and `b.json`. */
function alternatives(pattern: string): string[] {
  const braces = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(pattern);
  if (braces === null) return [pattern];
  const [, before = '', inside = '', after = ''] = braces;
  return inside.split(',').flatMap((one) => alternatives(before + one + after));
}

function sorted(paths: readonly string[]): string[] {
  return [...new Set(paths)].sort();
}

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf, ToolkitError } from '../toolkit-error.js';

/** The text of a pact, and where it comes from. */
export interface PactSource {
  /** The file or the URL. */
  readonly where: string;
  readonly text: string;
}

/** The time limit for a pact at a URL, in milliseconds. */
const FETCH_TIMEOUT_MS = 10_000;

/**
 * The pacts in files and folders.
 *
 * @param paths files, and folders. A folder gives its `.json` files in the order of their names.
 * @throws ToolkitError `no-pact`, which names every file that cannot be read and every folder without a pact
 */
export async function localPacts(paths: readonly string[], read = filesAt): Promise<PactSource[]> {
  if (paths.length === 0)
    throw new ToolkitError('no-pact', 'name at least one pact: a file, a folder, or a URL');
  const results = await Promise.allSettled(paths.map(read));
  const problems = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (problems.length > 0)
    throw new ToolkitError('no-pact', problems.map(reasonOf).join('; '), { cause: problems[0] });
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}

/**
 * The pacts in files, in folders and at URLs.
 *
 * @param sources paths as in {@link localPacts}, and URLs that begin with `http://` or `https://`
 * @throws ToolkitError `no-pact`, which names every source that cannot be read
 */
export function pactsFrom(sources: readonly string[]): Promise<PactSource[]> {
  return localPacts(sources, (source) => (/^https?:\/\//.test(source) ? fetched(source) : filesAt(source)));
}

async function filesAt(path: string): Promise<PactSource[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [{ where: path, text: await readFile(path, 'utf8') }];
    const names = (await readdir(path)).filter((name) => name.endsWith('.json')).sort();
    if (names.length === 0) throw new Error('the folder has no .json file');
    const files = names.map((name) => join(path, name));
    return await Promise.all(files.map(async (where) => ({ where, text: await readFile(where, 'utf8') })));
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

async function fetched(address: string): Promise<PactSource[]> {
  if (!URL.canParse(address)) throw unreadable(address, new Error('Invalid URL'));
  const url = new URL(address);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  try {
    const headers = new Headers({ accept: 'application/json' });
    if (username !== '') {
      const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
      headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
    }
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    if (!response.ok) throw new Error(`the response has the status ${response.status}`);
    return [{ where: url.href, text: await response.text() }];
  } catch (cause) {
    throw unreadable(url.href, cause);
  }
}

function unreadable(where: string, cause: unknown): ToolkitError {
  return new ToolkitError('no-pact', `cannot read a pact from ${where}: ${reasonOf(cause)}`, { cause });
}

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf, ToolkitError } from '../toolkit-error.js';

/** The text of a pact, and where it was found. */
export interface PactSource {
  /** The file or the URL. */
  readonly where: string;
  readonly text: string;
}

/** How long a pact at a URL may take, in milliseconds. */
const FETCH_TIMEOUT_MS = 10_000;

/**
 * The pacts in files and folders.
 *
 * @param paths files, and folders of which every `.json` file is taken, in the order of their names
 * @throws ToolkitError `no-pact`, naming every file that cannot be read and every folder that holds none
 */
export function localPacts(paths: readonly string[]): Promise<PactSource[]> {
  return collect(paths, pactsAt);
}

/**
 * The pacts in files, in folders and at URLs.
 *
 * @param sources as in {@link localPacts}, or what begins with `http://` or `https://`
 * @throws ToolkitError `no-pact`, naming each that cannot be had
 */
export function pactsFrom(sources: readonly string[]): Promise<PactSource[]> {
  return collect(sources, (source) => (/^https?:\/\//.test(source) ? [fetched(source)] : pactsAt(source)));
}

type Found = readonly Promise<PactSource>[] | Promise<readonly PactSource[]>;

async function collect(sources: readonly string[], find: (source: string) => Found): Promise<PactSource[]> {
  if (sources.length === 0) throw new ToolkitError('no-pact', 'no pact was named: a file, a folder or a URL');
  const problems: unknown[] = [];
  const pacts: PactSource[] = [];
  const findings = await Promise.allSettled(
    sources.map(async (source) => {
      const found = find(source);
      return found instanceof Promise ? await found : await Promise.all(found);
    }),
  );
  for (const finding of findings) {
    if (finding.status === 'fulfilled') pacts.push(...finding.value);
    else problems.push(finding.reason);
  }
  if (problems.length > 0)
    throw new ToolkitError('no-pact', problems.map(reasonOf).join('; '), { cause: problems[0] });
  return pacts;
}

async function pactsAt(path: string): Promise<PactSource[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [{ where: path, text: await readFile(path, 'utf8') }];
    const names = (await readdir(path)).filter((name) => name.endsWith('.json')).sort();
    if (names.length === 0) throw new Error('the folder holds no .json file');
    return await Promise.all(
      names.map(async (name) => ({
        where: join(path, name),
        text: await readFile(join(path, name), 'utf8'),
      })),
    );
  } catch (cause) {
    throw new ToolkitError('no-pact', `no pact can be read from ${path}: ${reasonOf(cause)}`, { cause });
  }
}

async function fetched(url: string): Promise<PactSource> {
  const where = withoutCredentials(url);
  try {
    const { username, password } = new URL(url);
    const response = await fetch(where, {
      headers: {
        accept: 'application/json',
        ...(username !== '' && {
          authorization: `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`,
        }),
      },
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`it is answered with ${response.status}`);
    return { where, text: await response.text() };
  } catch (cause) {
    throw new ToolkitError('no-pact', `no pact can be had from ${where}: ${reasonOf(cause)}`, { cause });
  }
}

function withoutCredentials(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}

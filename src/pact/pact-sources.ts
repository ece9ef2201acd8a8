import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { limits } from '../http/limits.js';
import { reasonOf, ToolkitError } from '../toolkit-error.js';
import { type FetchedPact, fetchPactAt } from './broker/fetched-pact.js';
import type { ServerAccess } from './broker/pact-server.js';
import { filesBelow, filesMatching, isPattern } from './find-files.js';
import { pactText } from './pact-file.js';

/** The text of a pact, and where it comes from. */
export interface PactSource {
  /** The file or the URL. */
  readonly where: string;
  /** As it was written: every digit and every space. */
  readonly text: string;
}

/**
 * The pacts in files and folders.
 *
 * @param paths files, folders, and patterns such as `pacts/**\/*.json`. A folder gives the `.json` files in it and in its
 *   folders, in the order of their paths. A file that several paths name is read once.
 * @throws ToolkitError `no-pact`, which names every file that cannot be read and every path without a pact
 */
export async function localPacts(
  paths: readonly string[],
  read: (path: string) => Promise<FetchedPact[]> = pactsAt,
): Promise<FetchedPact[]> {
  if (paths.length === 0)
    throw new ToolkitError('no-pact', 'name at least one pact: a file, a folder, or a URL');
  const results = await Promise.allSettled(paths.map(read));
  const problems = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (problems.length > 0)
    throw new ToolkitError('no-pact', problems.map(reasonOf).join('; '), { cause: problems[0] });
  const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  return [...new Map(found.map((source) => [placeOf(source), source])).values()];
}

/** A file has one place, whatever the path to it. */
function placeOf({ where }: PactSource): string {
  return isUrl(where) ? where : resolve(where);
}

/**
 * The pacts in files, in folders and at URLs.
 *
 * @param sources paths as in {@link localPacts}, and URLs that begin with `http://` or `https://`
 * @param access how their server is reached
 * @throws ToolkitError `no-pact`, which names every source that cannot be read
 */
export function pactsFrom(sources: readonly string[], access: ServerAccess): Promise<FetchedPact[]> {
  return localPacts(sources, (source) => (isUrl(source) ? downloaded(source, access) : pactsAt(source)));
}

/** Whether a source is a URL. */
export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

async function pactsAt(path: string): Promise<PactSource[]> {
  try {
    const files = await filesAt(path);
    return await Promise.all(files.map(async (where) => ({ where, text: await contentOf(where) })));
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/**
 * The files that a path names: a file, a folder or a pattern.
 *
 * @throws Error with a sentence if there is none
 */
export async function filesAt(path: string): Promise<string[]> {
  const kind = await stat(path).catch((cause) => {
    // A name may contain what also means a pattern.
    if (isPattern(path)) return undefined;
    throw cause;
  });
  const files =
    kind === undefined
      ? await filesMatching(path)
      : kind.isDirectory()
        ? await filesBelow(path, '.json')
        : [path];
  if (files.length === 0)
    throw new Error(kind === undefined ? 'no file matches the pattern' : 'the folder has no .json file');
  return files;
}

/** It is read piece by piece: the size of a pipe is unknown. */
async function contentOf(file: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of createReadStream(file)) {
    size += chunk.length;
    if (size > limits.pact) throw new Error(`${file} is longer than ${limits.pact / 2 ** 20} MiB`);
    chunks.push(chunk);
  }
  return pactText(Buffer.concat(chunks), file);
}

async function downloaded(address: string, access: ServerAccess): Promise<FetchedPact[]> {
  if (!URL.canParse(address)) throw unreadable(address, new Error('Invalid URL'));
  const url = new URL(address);
  const where = new URL(url);
  where.username = '';
  where.password = '';
  try {
    return [await fetchPactAt(url, access)];
  } catch (cause) {
    throw unreadable(where.href, cause);
  }
}

function unreadable(where: string, cause: unknown): ToolkitError {
  return new ToolkitError('no-pact', `cannot read a pact from ${where}: ${reasonOf(cause)}`, { cause });
}

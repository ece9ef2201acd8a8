import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readWithin } from '../http/collected-bytes.js';
import { limitInWords, limits } from '../http/limits.js';
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

/** A source of pacts that cannot be read, and why. */
export interface UnreadSource {
  readonly where: string;
  readonly problem: ToolkitError;
}

/** What was found in sources, in their order. */
export type FoundPacts = readonly (FetchedPact | UnreadSource)[];

/**
 * The pacts in files and folders, and at URLs. A source that cannot be read does not hide the others.
 *
 * @param sources files, folders, patterns such as `pacts/**\/*.json`, and URLs that begin with `http://` or `https://`. A
 *   folder gives the `.json` files in it and in its folders, in the order of their paths. A file that several sources name
 *   is read once.
 * @param access how servers are reached; without it, there are no URLs
 * @throws ToolkitError `no-pact` if there is no source
 */
export async function pactsFrom(sources: readonly string[], access?: ServerAccess): Promise<FoundPacts> {
  if (sources.length === 0)
    throw new ToolkitError('no-pact', 'name at least one pact: a file, a folder, or a URL');
  const results = await Promise.all(
    sources.map((source) =>
      access !== undefined && isUrl(source) ? downloaded(source, access) : filesAt(source),
    ),
  );
  return [...new Map(results.flat().map((one) => [placeOf(one), one])).values()];
}

/** A file has one place, whatever the path to it. */
function placeOf({ where }: { readonly where: string }): string {
  return isUrl(where) ? where : resolve(where);
}

/** Whether a source is a URL. */
export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/** The pacts in the files that a path names: a file, a folder or a pattern. */
async function filesAt(path: string): Promise<(PactSource | UnreadSource)[]> {
  const files = await namesAt(path).catch((cause) => unreadable(path, cause));
  if ('problem' in files) return [files];
  return await Promise.all(
    files.map(async (where) => {
      try {
        return { where, text: await contentOf(where) };
      } catch (cause) {
        return unreadable(where, cause);
      }
    }),
  );
}

/** @throws Error with a sentence if there is none */
async function namesAt(path: string): Promise<string[]> {
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
  const bytes = await readWithin(createReadStream(file), limits.pact);
  if (bytes === undefined) throw new Error(`${file} is longer than ${limitInWords(limits.pact)}`);
  return pactText(bytes, file);
}

async function downloaded(address: string, access: ServerAccess): Promise<FetchedPact | UnreadSource> {
  if (!URL.canParse(address)) return unreadable(address, new Error('Invalid URL'));
  const url = new URL(address);
  const where = new URL(url);
  where.username = '';
  where.password = '';
  try {
    return await fetchPactAt(url, access);
  } catch (cause) {
    return unreadable(where.href, cause);
  }
}

function unreadable(where: string, cause: unknown): UnreadSource {
  const why = `cannot read a pact from ${where}: ${reasonOf(cause)}`;
  return { where, problem: new ToolkitError('no-pact', why, { cause }) };
}

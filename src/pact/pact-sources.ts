import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readWithin } from '../http/collected-bytes.js';
import { limitInWords, limits } from '../http/limits.js';
import { excerpt } from '../report/exchange.js';
import { counted } from '../report/wording.js';
import { reasonOf, ToolkitError } from '../toolkit-error.js';
import { withoutCredentials } from './broker/options.js';
import type { ServerAccess } from './broker/pact-server.js';
import { type FetchedPact, fetchPactAt } from './broker/pacts.js';
import { openPact, type Pact, type PactSource, pactText } from './pact-file.js';

interface UnreadSource {
  readonly where: string;
  readonly problem: ToolkitError;
}

/** What was found in sources, in their order. */
export type FoundPacts = readonly (FetchedPact | UnreadSource)[];

/**
 * The pacts in files and folders, and at URLs. A source that cannot be read does not hide the others.
 *
 * @param sources files, folders, and URLs that begin with `http://` or `https://`. A folder gives the `.json` files in it,
 *   in the order of their names. A file that several sources name is read once.
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

/** The pacts in the files that a path names: a file or a folder. */
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
  if (!(await stat(path)).isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => name.endsWith('.json'));
  if (names.length === 0) throw new Error('the folder has no .json file');
  return names.map((name) => join(path, name)).sort();
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
  try {
    return await fetchPactAt(url, access);
  } catch (cause) {
    return unreadable(withoutCredentials(url).href, cause);
  }
}

function unreadable(where: string, cause: unknown): UnreadSource {
  const why = `cannot read a pact from ${where}: ${reasonOf(cause)}`;
  return { where, problem: new ToolkitError('no-pact', why, { cause }) };
}

/** The name of the provider in pacts, unless the user gives another. */
export const PROVIDER = 'plant-store';

/** A pact that is not used. */
export interface LeftOutPact {
  /** The file or the URL. */
  readonly where: string;
  readonly consumer: string;
  readonly provider: string;
  /** `other-provider`: it is about another provider. `empty`: it has no HTTP interaction, so it proves nothing. */
  readonly reason: 'other-provider' | 'empty';
}

interface SelectedPacts {
  readonly pacts: readonly { readonly source: FetchedPact; readonly pact: Pact }[];
  readonly leftOut: readonly LeftOutPact[];
  readonly unread: readonly UnreadSource[];
}

/**
 * Reads the pacts with one provider. A consumer usually has pacts with several providers in one folder. The interactions of
 * the others are not read.
 *
 * @throws ToolkitError if no pact remains, which names everything that is wrong: `no-pact`, `invalid-pact` or
 *   `wrong-provider`
 */
export function selectPacts(provider: string, found: FoundPacts): SelectedPacts {
  const pacts: SelectedPacts['pacts'][number][] = [];
  const leftOut: LeftOutPact[] = [];
  const unread: UnreadSource[] = [];
  for (const source of found) {
    if ('problem' in source) {
      unread.push(source);
      continue;
    }
    const { text, where } = source;
    try {
      const { read, ...parties } = openPact(text, where);
      const isOther = parties.provider !== provider;
      const pact = isOther ? undefined : read();
      if (pact !== undefined && pact.interactions.length > 0) pacts.push({ source, pact });
      else leftOut.push({ where, ...parties, reason: isOther ? 'other-provider' : 'empty' });
    } catch (problem) {
      if (!(problem instanceof ToolkitError)) throw problem;
      unread.push({ where, problem });
    }
  }
  if (pacts.length === 0) throw nothingLeft(provider, leftOut, unread);
  return { pacts, leftOut, unread };
}

function nothingLeft(
  provider: string,
  leftOut: readonly LeftOutPact[],
  unread: readonly UnreadSource[],
): ToolkitError {
  const empty = leftOut.filter(isEmpty).map(inWords);
  const problems = unread.map(({ problem }) => problem);
  const [first] = problems;
  if (first !== undefined)
    return new ToolkitError(first.code, [...problems.map(reasonOf), ...empty].join('; '), { cause: first });
  if (empty.length > 0) return new ToolkitError('no-pact', empty.join('; '));
  const others = leftOut.map(inWords).join('; ');
  return new ToolkitError(
    'wrong-provider',
    `there is no pact with "${provider}": ${others}. If one of these names is right, name the provider.`,
  );
}

/** Sentences for the notes of a report. */
export function leftOutInWords(leftOut: readonly LeftOutPact[]): string[] {
  return leftOut.map((pact) => `Left out: ${inWords(pact)}.`);
}

/** What of a pact is not HTTP, and so not used: one sentence without its end, or none. */
export function otherTypesInWords(types: readonly string[], where: string): string[] {
  if (types.length === 0) return [];
  const number = counted(types.length, 'interaction');
  const are = types.length === 1 ? 'is' : 'are';
  return [
    `${where} has ${number} that ${are} not HTTP, left out here: ${excerpt([...new Set(types)].join(', '))}`,
  ];
}

function inWords({ where, provider, reason }: LeftOutPact): string {
  return reason === 'empty' ? `${where} has no HTTP interaction` : `${where} is a pact with "${provider}"`;
}

/** Whether a pact has nothing to use, and so proves nothing. */
export function isEmpty({ reason }: LeftOutPact): boolean {
  return reason === 'empty';
}

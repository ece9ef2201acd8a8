import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isHttpUrl } from '../http/address.js';
import { readWithin } from '../http/collected-bytes.js';
import { limitInWords, limits } from '../http/limits.js';
import { reasonOf, ToolkitError } from '../toolkit-error.js';
import { type FetchedPact, PactServers } from './broker/broker.js';
import { type Pact, readPact } from './pact-file.js';

/** The name of the provider in pacts, unless the user gives another. */
export const PROVIDER = 'plant-store';

/** A pact, or why there is none: a sentence without its end. */
export type ReadPact = {
  /** Without text if nothing could be read. */
  readonly source: FetchedPact;
  /** The source, if it is not known. */
  readonly consumer: string;
} & (
  | { readonly pact: Pact; readonly problem?: undefined }
  | { readonly pact?: undefined; readonly problem: string }
);

/** The pacts with a provider. */
export interface FoundPacts {
  readonly pacts: readonly ReadPact[];
  /** Which pacts are with other providers, and so not used: sentences without their ends. */
  readonly leftOut: readonly string[];
}

type Source = FetchedPact | { readonly where: string; readonly problem: string };

/**
 * The pacts in files and folders, and at URLs. A source that cannot be read does not hide the others.
 *
 * @param sources files, folders, and URLs that begin with `http://` or `https://`. A folder gives the `.json` files in it,
 *   in the order of their names. A file that several sources name is read once.
 */
export async function pactsFrom(
  sources: readonly string[],
  servers = new PactServers(undefined),
): Promise<readonly Source[]> {
  const found: Source[] = [];
  for (const source of sources)
    found.push(
      ...(isHttpUrl(source)
        ? [await at(source, () => servers.pactAt(new URL(source)))]
        : await filesAt(source)),
    );
  return [
    ...new Map(found.map((one) => [isHttpUrl(one.where) ? one.where : resolve(one.where), one])).values(),
  ];
}

async function at(source: string, read: () => Promise<FetchedPact>): Promise<Source> {
  // A URL may have a password.
  const where = source.replace(/\/\/[^/@]*@/, '//');
  try {
    return await read();
  } catch (cause) {
    const why = reasonOf(cause);
    const from = why.includes(where) ? '' : ` from ${where}`;
    return { where, problem: `cannot read a pact${from}: ${why}` };
  }
}

/** The pacts in the files that a path names: a file or a folder. */
async function filesAt(path: string): Promise<Source[]> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const names = isFolder ? (await readdir(path)).filter((name) => name.endsWith('.json')) : [];
  const files = isFolder ? names.sort().map((name) => join(path, name)) : [path];
  if (files.length === 0) return [{ where: path, problem: `the folder ${path} has no .json file` }];
  return await Promise.all(files.map((file) => at(file, () => contentOf(file))));
}

/** It is read piece by piece: the size of a pipe is unknown. */
async function contentOf(where: string): Promise<FetchedPact> {
  const bytes = await readWithin(createReadStream(where), limits.pact);
  if (bytes === undefined) throw new Error(`it is longer than ${limitInWords(limits.pact)}`);
  return { where, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
}

/**
 * Reads the pacts with one provider. A consumer usually has pacts with several providers in one folder. The interactions of
 * the others are not read.
 *
 * @throws ToolkitError if no pact remains, which names everything that is wrong: `no-pact`, or `wrong-provider` if all are
 *   about others
 */
export function selectPacts(provider: string, sources: readonly Source[]): FoundPacts {
  if (sources.length === 0)
    throw new ToolkitError('no-pact', 'name at least one pact: a file, a folder, or a URL');
  const pacts: ReadPact[] = [];
  const leftOut: string[] = [];
  for (const source of sources) {
    const { where } = source;
    if ('problem' in source) {
      pacts.push({ source: { where, text: '' }, consumer: where, problem: source.problem });
      continue;
    }
    try {
      const pact = readPact(source.text, where, provider);
      const { consumer } = pact;
      if (pact.provider !== provider) leftOut.push(`${where} is a pact with "${pact.provider}"`);
      else if (pact.interactions.length > 0) pacts.push({ source, consumer, pact });
      else pacts.push({ source, consumer, problem: `${where} has no interaction` });
    } catch (cause) {
      if (!(cause instanceof ToolkitError)) throw cause;
      pacts.push({ source, consumer: where, problem: cause.message });
    }
  }
  if (pacts.some(({ problem }) => problem === undefined)) return { pacts, leftOut };
  const problems = pacts.map(({ problem }) => problem);
  if (problems.length > 0) throw new ToolkitError('no-pact', problems.join('; '));
  throw new ToolkitError(
    'wrong-provider',
    `there is no pact with "${provider}": ${leftOut.join('; ')}. If one of these names is right, name the provider.`,
  );
}

// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this repository. esbuild says where files are from here on. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The licenses of packages whose code may be copied into ours. */
export const ALLOWED = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD'];

/**
 * The license texts and notices of all packages whose code is in bundles.
 *
 * @param {readonly import('esbuild').Metafile[]} metafiles what esbuild says is in each bundle
 * @throws Error if a package has no license, or one that is not allowed
 */
export function licensesOf(metafiles) {
  const folders = new Set(metafiles.flatMap(packagesIn));
  return [...folders]
    .map(describePackage)
    .sort((a, b) => a.title.localeCompare(b.title))
    .map(({ title, text }) => `${title}\n${'-'.repeat(title.length)}\n\n${text.trim()}\n`)
    .join('\n\n');
}

/**
 * The packages that a text of {@link licensesOf} names.
 *
 * @param {string} text
 */
export function packagesNamedIn(text) {
  return [...text.matchAll(/^(\S+) (\S+) \((.+)\)\n-+$/gm)].map(
    ([, name = '', version = '', license = '']) => ({
      name,
      version,
      license,
    }),
  );
}

/**
 * The folders of the packages in a bundle.
 *
 * @param {import('esbuild').Metafile} metafile
 */
function packagesIn({ outputs }) {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .flatMap(([file]) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(resolve(ROOT, file)) ?? []),
  );
}

/** @param {string} folder */
function describePackage(folder) {
  const { name, version, license, licenses, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const id = license ?? licenses?.[0]?.type;
  if (!ALLOWED.includes(id))
    throw new Error(`${folder}: the license ${JSON.stringify(id)} is not in the list`);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const owner = typeof author === 'object' ? author.name : author;
  const text =
    files.length > 0
      ? files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n\n')
      : `${id}. The package has no license text. Its author: ${owner ?? 'not named'}.`;
  return { title: `${name} ${version} (${id})`, text };
}

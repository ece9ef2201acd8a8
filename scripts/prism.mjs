// @ts-check
// Run by `npm run build`, after tsc. It replaces `validation/prism-validators.js`, which imports Prism, by a module that
// contains Prism's validators and the packages that they use, and writes the licenses of all of them beside it. The package
// of Prism would bring 80 MB of other code into every installation, and take twice as long to load.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PRISM = '@stoplight/prism-http';
const FILE = join(ROOT, 'dist/validation/prism-validators.js');

/** The licenses of packages whose code may be copied into ours. */
const ALLOWED = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD'];

/**
 * Replaces the one thing of Node that is used: the extension of a file name. So every bundler takes the module.
 *
 * @type {import('esbuild').Plugin}
 */
const withoutNode = {
  name: 'without-node',
  setup(bundle) {
    bundle.onResolve({ filter: /^path$/ }, () => ({ path: 'path', namespace: 'without-node' }));
    bundle.onLoad({ filter: /^path$/, namespace: 'without-node' }, () => ({
      contents: 'exports.extname = (name) => /[^/](\\.[^./]*)$/.exec(name)?.[1] ?? "";',
    }));
  },
};

/**
 * The name, the version and the license of a package, and its license texts and notices.
 *
 * @param {string} folder
 * @throws Error if the package has no license, or one that is not allowed
 */
function licenseOf(folder) {
  const { name, version, license, licenses, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const id = license ?? licenses?.[0]?.type;
  if (!ALLOWED.includes(id))
    throw new Error(`${folder}: the license ${JSON.stringify(id)} is not in the list`);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0)
    texts.push(
      `${id}. The package has no license text. Its author: ${author?.name ?? author ?? 'not named'}.`,
    );
  const title = `${name} ${version} (${id})`;
  return `${title}\n${'-'.repeat(title.length)}\n\n${texts.join('\n\n')}\n`;
}

const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules', PRISM, 'package.json'), 'utf8'));
const { metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: ['src/validation/prism-validators.ts'],
  outfile: FILE,
  bundle: true,
  metafile: true,
  platform: 'node',
  format: 'esm',
  target: 'es2022',
  logLevel: 'error',
  banner: {
    js:
      `// The validators of ${PRISM} ${version}, and the packages that they use, joined into one file by esbuild.\n` +
      '// Their licenses are in prism-validators.LICENSES.txt.',
  },
  plugins: [withoutNode],
});
const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
const folders = used.flatMap(([file, { bytesInOutput }]) =>
  bytesInOutput === 0 ? [] : (/^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []),
);
const licenses = [...new Set(folders)].map((folder) => licenseOf(join(ROOT, folder)));
writeFileSync(FILE.replace(/\.js$/, '.LICENSES.txt'), licenses.sort().join('\n\n'));

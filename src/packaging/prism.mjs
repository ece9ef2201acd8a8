// @ts-check
// Run by `npm run build`, after tsc. It replaces `validation/prism-validators.js`, which imports Prism, by a module that
// contains Prism's validators and the packages that they use, and writes the licenses of all of them beside it. The package
// of Prism would bring 80 MB of other code into every installation, and take twice as long to load.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { licensesOf, ROOT } from './licenses.mjs';

const PRISM = '@stoplight/prism-http';

const dist = process.argv[2] ?? join(ROOT, 'dist');

/**
 * Imports modules of Node as ES modules: `require` does not exist in one.
 *
 * @type {import('esbuild').Plugin}
 */
const builtinsAsModules = {
  name: 'builtins-as-modules',
  setup(bundle) {
    bundle.onResolve({ filter: /^path$/ }, ({ path, kind }) =>
      kind === 'require-call' ? { path, namespace: 'builtin' } : undefined,
    );
    bundle.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `export * from 'node:${path}';`,
    }));
  },
};

const file = join(dist, 'validation/prism-validators.js');
const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules', PRISM, 'package.json'), 'utf8'));
const { outputFiles, metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: ['src/validation/prism-validators.ts'],
  outfile: file,
  bundle: true,
  write: false,
  metafile: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  banner: {
    js:
      `// The validators of ${PRISM} ${version}, and the packages that they use, joined into one file by esbuild.\n` +
      '// Their licenses are in prism-validators.LICENSES.txt.',
  },
  plugins: [builtinsAsModules],
});
for (const { contents } of outputFiles) writeFileSync(file, contents);
writeFileSync(join(dist, 'validation/prism-validators.LICENSES.txt'), licensesOf([metafile]));

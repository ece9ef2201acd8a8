// @ts-check
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { Script } from 'node:vm';
import { build, transform } from 'esbuild';
import { ROOT } from './licenses.mjs';

/** Sources that the single file cannot use, and what takes their place. */
const REPLACED = new Map([
  ['src/package-files.ts', 'src/packaging/single-file/package-files.ts'],
  ['src/cli/import-module.ts', 'src/packaging/single-file/import-module.ts'],
  ['src/pact/verification/verify.ts', 'src/packaging/single-file/verify.ts'],
]);

/** How code writes the URL of a file of this package. */
const OWN_FILE = /new URL\(\s*'([^']+)',\s*import\.meta\.url,?\s*\)/g;

/**
 * Makes one script of a program and all that it imports, and one of each thread and process that it starts. Collects the other files
 * that it opens.
 *
 * @param {string} entry the source of the program, from the root of the repository
 */
export async function bundleProgram(entry) {
  const program = await scriptOf(entry);
  const metafiles = [program.metafile];
  /** @type {Map<string, string | Buffer>} the files by their paths from the root; of scripts, also V8's code */
  const files = new Map();
  const waiting = [...program.opened];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    if (file.endsWith('.js')) {
      const { script, metafile, opened } = await scriptOf(sourceOf(file));
      const wrapped = `(function (require, module, exports) {${script}\n})`;
      files.set(file, wrapped).set(`${file}.cache`, new Script(wrapped).createCachedData());
      metafiles.push(metafile);
      waiting.push(...opened);
    } else if (file.endsWith('/')) {
      const scripts = await browserScripts(file);
      files.set(file, JSON.stringify([...scripts.keys()]));
      for (const [name, script] of scripts) files.set(`${file}${name}`, script);
    } else {
      files.set(file, readFileSync(join(ROOT, file)));
    }
  }
  return { script: program.script, files, metafiles };
}

/** @param {string} file a script as a URL names it: compiled, or written as JavaScript */
function sourceOf(file) {
  const typescript = file.replace(/\.js$/, '.ts');
  return existsSync(join(ROOT, typescript)) ? typescript : file;
}

/** @param {string} entry */
async function scriptOf(entry) {
  /** @type {Set<string>} */
  const opened = new Set();
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    // A script, not a module: Node 20 runs nothing else from a single file. And such a script cannot import.
    format: 'cjs',
    supported: { 'dynamic-import': false },
    target: 'node20',
    logLevel: 'error',
    plugins: [ownSources(opened)],
  });
  return { script: outputFiles[0]?.text ?? '', metafile, opened };
}

/**
 * The scripts of a page, by name: its sources without their types.
 *
 * @param {string} folder
 */
async function browserScripts(folder) {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.ts'));
  const compiled = names.map(async (name) => {
    const { code } = await transform(readFileSync(join(ROOT, folder, name), 'utf8'), { loader: 'ts' });
    return /** @type {const} */ ([name.replace(/\.ts$/, '.js'), code]);
  });
  return new Map(await Promise.all(compiled));
}

/**
 * Loads our own sources. Each keeps a URL of its own, so that it still says which files it opens.
 *
 * @param {Set<string>} opened gets the paths of these files
 * @returns {import('esbuild').Plugin}
 */
function ownSources(opened) {
  return {
    name: 'own-sources',
    setup(bundle) {
      bundle.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const source = relative(ROOT, path).replaceAll(sep, '/');
        if (!source.startsWith('src/')) return undefined;
        const used = REPLACED.get(source) ?? source;
        const text = readFileSync(join(ROOT, used), 'utf8');
        for (const [, file = ''] of text.matchAll(OWN_FILE))
          opened.add(posix.join(posix.dirname(used), file));
        return {
          contents: text
            // esbuild bundles what `require` names.
            .replaceAll('createRequire(import.meta.url)(', 'require(')
            .replaceAll('import.meta.url', JSON.stringify(`file:///${used}`)),
          resolveDir: dirname(join(ROOT, used)),
          loader: 'ts',
        };
      });
    },
  };
}

// @ts-check
// Run by `npm run build`, after tsc. It joins the validators into one module that needs nothing of Node, for browsers, workers
// and k6.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Joins the validators into one script without imports.
 *
 * @param {'esm' | 'iife'} format a module, or a script that sets the global `plantStore`
 */
export async function portableValidation(format) {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/validation/portable.ts'],
    bundle: true,
    write: false,
    format,
    globalName: 'plantStore',
    target: 'es2022',
    logLevel: 'error',
    plugins: [withoutNode],
  });
  return outputFiles[0]?.text ?? '';
}

/**
 * Converts bytes without Node.
 *
 * @type {import('esbuild').Plugin}
 */
const withoutNode = {
  name: 'without-node',
  setup(bundle) {
    bundle.onResolve({ filter: /^\.\/bytes\.js$/ }, ({ resolveDir }) => ({
      path: join(resolveDir, 'bytes-portable.ts'),
    }));
  },
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = process.argv[2] ?? join(ROOT, 'dist');
  writeFileSync(join(dist, 'validation/portable.bundle.js'), await portableValidation('esm'));
}

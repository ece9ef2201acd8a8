// @ts-check
// `npm run build`: compiles src/ to dist/, copies what is no code, and puts the part of Prism that is used into one file.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** What is read at run time, and is no code. */
const COPIED = ['conformance/report/recipes', 'server/control/page.html'];

process.chdir(ROOT);
rmSync('dist', { recursive: true, force: true });
const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc'], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
for (const path of COPIED) cpSync(`src/${path}`, `dist/${path}`, { recursive: true });
await import('./prism.mjs');

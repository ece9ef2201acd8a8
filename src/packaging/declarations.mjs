// @ts-check
// Run by `npm run build`, after tsc. It removes the declarations that no public declaration imports: nobody can import what
// they declare, and they are two thirds of all.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const dist = join(ROOT, 'dist');
const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** How a declaration names another one. An example in a comment may name a file that is not there. */
const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)\.js'/g;

/** @type {Set<string>} */
const used = new Set();
const waiting = [...JSON.stringify(exports).matchAll(/"\.\/dist\/([^"]+\.d\.ts)"/g)].map(([, file = '']) =>
  join(dist, file),
);
for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
  if (used.has(file) || !existsSync(file)) continue;
  used.add(file);
  for (const [, other = ''] of readFileSync(file, 'utf8').matchAll(IMPORT))
    waiting.push(join(dirname(file), `${other}.d.ts`));
}
for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' }))
  if (name.endsWith('.d.ts') && !used.has(join(dist, name))) rmSync(join(dist, name));

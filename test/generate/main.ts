// `npm run generate`: writes every generated file, or those that are named (see files.ts). Then it writes the figures in pages.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES_WITH_FIGURES, withFigures } from '../docs/figures.js';
import { GENERATED, root } from './files.js';

const named = process.argv.slice(2);
const unknown = named.filter((file) => !GENERATED.some((one) => one.file === file));
if (unknown.length > 0) {
  const files = GENERATED.map(({ file }) => `  ${file}\n`).join('');
  process.stderr.write(`${unknown.join(', ')}: not a generated file. These are:\n${files}`);
  process.exit(2);
}
for (const { file, text } of GENERATED) {
  if (named.length > 0 && !named.includes(file)) continue;
  const path = join(root, file);
  const [before, now] = [readFileSync(path, 'utf8'), await text()];
  if (now !== before) writeFileSync(path, now);
  process.stdout.write(`${file}: ${now === before ? 'unchanged' : 'written'}\n`);
}
for (const file of PAGES_WITH_FIGURES) {
  const path = join(root, file);
  const before = readFileSync(path, 'utf8');
  const now = withFigures(before);
  if (now !== before) {
    writeFileSync(path, now);
    process.stdout.write(`${file}: figures written\n`);
  }
}

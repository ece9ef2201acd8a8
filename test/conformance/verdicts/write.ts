// `npm run verdicts`: checks every fault and every correct provider, one after the other, and writes the table of
// their verdicts. `npm run verdicts -- <part of a name> …` does so for some of them. It takes ten minutes.
import { writeFileSync } from 'node:fs';
import { subjects } from './subjects.js';
import { readTable, TABLE } from './table.js';

const parts = process.argv.slice(2);
const before = readTable();
const lines: string[] = [];
for (const { name, isMissing, check } of subjects) {
  const isChosen = parts.length === 0 || parts.some((part) => name.includes(part));
  if (isMissing && isChosen)
    process.stderr.write(`${name}: not checked, because this machine lacks what it needs\n`);
  const now = isChosen && !isMissing ? await check() : before[name];
  if (now === undefined) continue;
  if (JSON.stringify(now) !== JSON.stringify(before[name]))
    process.stdout.write(`${name}: ${JSON.stringify(now)}\n`);
  // A line for each subject, so that a difference can be read.
  lines.push(`  ${JSON.stringify(name)}: ${JSON.stringify(now)}`);
}
writeFileSync(TABLE, `{\n${lines.join(',\n')}\n}\n`);

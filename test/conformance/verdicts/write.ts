// `npm run verdicts`: checks every fault and every correct provider, a few at once, and writes the table of their
// verdicts. `npm run verdicts -- <part of a name> …` does so for some of them.
import { writeFileSync } from 'node:fs';
import { type Subject, subjects, type Verdicts } from './subjects.js';
import { readTable, TABLE } from './table.js';

/** How many checks run at once: most of them wait, and for different things. */
const AT_ONCE: Readonly<Record<Subject['when'], number>> = { any: 4, waiting: 12, alone: 1 };

const parts = process.argv.slice(2);
const before = readTable();
const found = new Map<Subject, Verdicts>();

function isChanged(subject: Subject): boolean {
  return JSON.stringify(found.get(subject)) !== JSON.stringify(before[subject.name]);
}

async function checkAll(chosen: readonly Subject[], atOnce: number): Promise<void> {
  const left = chosen.values();
  const checkNext = async (): Promise<void> => {
    for (const subject of left) {
      found.set(subject, await subject.check());
      process.stderr.write(`\r${found.size}/${all.length} `);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, checkNext));
}

const named = subjects.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)));
for (const { name } of named.filter(({ isMissing }) => isMissing))
  process.stderr.write(`${name}: not checked, because this machine lacks what it needs\n`);
const all = named.filter(({ isMissing }) => !isMissing);
for (const when of ['any', 'waiting', 'alone'] as const)
  await checkAll(
    all.filter((subject) => subject.when === when),
    AT_ONCE[when],
  );
// What changed is checked once more, alone: other work may have changed it.
await checkAll(all.filter(isChanged), 1);
process.stderr.write('\n');
for (const subject of all.filter(isChanged))
  process.stdout.write(`${subject.name}: ${JSON.stringify(found.get(subject))}\n`);
// A line for each subject, and the lines of before stay where they were, so that a difference can be read.
const now = new Map(subjects.map((subject) => [subject.name, found.get(subject) ?? before[subject.name]]));
const lines = [...new Set([...Object.keys(before), ...now.keys()])].flatMap((name) => {
  const verdicts = now.get(name);
  return verdicts === undefined ? [] : [`  ${JSON.stringify(name)}: ${JSON.stringify(verdicts)}`];
});
writeFileSync(TABLE, `{\n${lines.join(',\n')}\n}\n`);

// `npm run verdicts`: checks every fault and every correct provider, a few at once, and writes the table of their verdicts. With the
// id of a rule, it checks those that a change of this rule may touch; with a part of a name, those of that name.
import { writeFileSync } from 'node:fs';
import { chosenSubjects } from './choose.js';
import { type Subject, subjects, type Verdicts } from './subjects.js';
import { readTable, TABLE } from './table.js';

/** How many checks run at once: most of them wait, and for different things. */
const AT_ONCE: Readonly<Record<Subject['when'], number>> = { any: 4, waiting: 12, alone: 1 };

const before = readTable();
const found = new Map<Subject, Verdicts>();

function isChanged(subject: Subject): boolean {
  return JSON.stringify(found.get(subject)) !== JSON.stringify(before[subject.name]);
}

/** Says how far it is: in place on a terminal, and in a line of its own in a log, but not for each one. */
function tell(): void {
  const { isTTY } = process.stderr;
  const isLast = found.size === all.length;
  if (isTTY) process.stderr.write(`\r${found.size}/${all.length}${isLast ? '\n' : ''}`);
  else if (isLast || found.size % 10 === 0) process.stderr.write(`${found.size}/${all.length}\n`);
}

async function checkAll(chosen: readonly Subject[], atOnce: number, done: () => void): Promise<void> {
  const left = chosen.values();
  const checkNext = async (): Promise<void> => {
    for (const subject of left) {
      found.set(subject, await subject.check());
      done();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, checkNext));
}

const named = chosenSubjects(process.argv.slice(2));
for (const { name } of named.filter(({ isMissing }) => isMissing))
  process.stderr.write(`${name}: not checked, because this machine lacks what it needs\n`);
const all = named.filter(({ isMissing }) => !isMissing);
for (const when of ['any', 'waiting', 'alone'] as const)
  await checkAll(
    all.filter((subject) => subject.when === when),
    AT_ONCE[when],
    tell,
  );
// Other work may have changed it.
const again = all.filter(isChanged);
if (again.length > 0) process.stderr.write(`checking ${again.length} that changed once more, alone\n`);
await checkAll(again, 1, () => {});
const changed = all.filter(isChanged);
for (const subject of changed)
  process.stdout.write(`${subject.name}: ${JSON.stringify(found.get(subject))}\n`);
if (changed.length === 0) process.stdout.write('no verdict changed\n');
// A line for each subject, so that a difference can be read.
const lines = subjects.flatMap((subject) => {
  const now = found.get(subject) ?? before[subject.name];
  return now === undefined ? [] : [`  ${JSON.stringify(subject.name)}: ${JSON.stringify(now)}`];
});
writeFileSync(TABLE, `{\n${lines.join(',\n')}\n}\n`);

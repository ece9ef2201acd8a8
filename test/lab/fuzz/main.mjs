// `npm run fuzz`: gives every reader of untrusted bytes many inputs. See README.md.
import { commandFlags } from '../command-flags.mjs';
import { READERS } from './readers.mjs';
import { fuzz } from './run.mjs';

const HELP = `Usage: npm run fuzz [-- --runs <n>] [--seed <n>] [--only <reader>,…] [--from <n>]

Gives every reader of bytes that anybody may have written many inputs, and compares it with another reader of the same
format. Prints a table. The exit status is 1 if a reader was wrong, threw another error than ours, or took 2 s.

  --runs <n>   inputs for each reader; default 100000
  --seed <n>   other inputs; default 1
  --only <…>   some readers, with commas
  --from <n>   the first input, to make a finding again: --only json --from 7 --runs 1

${Object.entries(READERS)
  .map(([name, { title }]) => `  ${name.padEnd(10)}${title}`)
  .join('\n')}
`;

const { values } = commandFlags(
  {
    options: {
      runs: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      from: { type: 'string', default: '0' },
      only: { type: 'string', default: Object.keys(READERS).join(',') },
      help: { type: 'boolean' },
    },
  },
  HELP,
);
const names = values.only.split(',');
const numbers = { runs: Number(values.runs), seed: Number(values.seed), from: Number(values.from) };
const problem =
  names.filter((name) => !Object.hasOwn(READERS, name)).map((name) => `there is no reader "${name}"`)[0] ??
  Object.entries(numbers)
    .filter(([, number]) => !Number.isSafeInteger(number) || number < 0)
    .map(([name]) => `--${name} must be a whole number`)[0];
if (values.help) {
  process.stdout.write(HELP);
} else if (problem !== undefined) {
  process.stderr.write(`${HELP}\n${problem}\n`);
  process.exitCode = 2;
} else {
  await fuzzAll();
}

async function fuzzAll() {
  const dist = new URL('../../../dist/', import.meta.url).href;
  process.stdout.write(rowOf(['reader', 'inputs', 'accepted', 'rejected', 'slowest', 'time', 'findings']));
  for (const name of names) {
    const start = performance.now();
    const { accepted, rejected, slowestMs, findings } = await fuzz(
      await READERS[name].prepare((file) => import(new URL(file, dist).href)),
      numbers,
    );
    for (const { index, problem, input } of findings)
      process.stderr.write(`${name}, input ${index} of seed ${numbers.seed}: ${problem}\n  ${input}\n`);
    const seconds = ((performance.now() - start) / 1_000).toFixed(0);
    process.stdout.write(
      rowOf([
        ...[name, accepted + rejected, accepted, rejected],
        ...[`${slowestMs.toFixed(0)} ms`, `${seconds} s`, findings.length],
      ]),
    );
    if (findings.length > 0) process.exitCode = 1;
  }
}

function rowOf(cells) {
  return `${cells
    .map((cell) => String(cell).padEnd(10))
    .join('')
    .trimEnd()}\n`;
}

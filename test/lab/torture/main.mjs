// `npm run torture`: attacks the built package from many sides, and prints a table. See ../README.md.
import { commandFlags } from '../command-flags.mjs';
import { PARTS } from './parts.mjs';
import { attempt, tableOf } from './run.mjs';

const HELP = `Usage: npm run torture [-- <part>…] [--scale <number>]

Attacks the built package, and prints a table: how often, the limit, and the worst that was seen. Takes at most 10
minutes. The exit status is 1 if a limit was broken.

  --scale <number>  how many attacks, relative to the usual number; default 1

${Object.entries(PARTS)
  .map(([name, { title }]) => `  ${name.padEnd(16)}${title}`)
  .join('\n')}
`;

const { values, positionals } = commandFlags(
  {
    options: { scale: { type: 'string', default: '1' }, help: { type: 'boolean' } },
    allowPositionals: true,
  },
  HELP,
);
const unknown = positionals.find((name) => !Object.hasOwn(PARTS, name));
if (values.help) {
  process.stdout.write(HELP);
} else if (unknown !== undefined || !(Number(values.scale) > 0)) {
  process.stderr.write(
    `${HELP}\nthere is no ${unknown === undefined ? 'such scale' : `part "${unknown}"`}\n`,
  );
  process.exitCode = 2;
} else {
  const dist = new URL('../../../dist', import.meta.url).pathname;
  const rows = [];
  for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
    process.stderr.write(`${PARTS[name].title} …\n`);
    const row = await attempt(PARTS[name], { dist, scale: Number(values.scale) });
    for (const one of row.broken) process.stderr.write(`  BROKEN ${one}\n`);
    rows.push(row);
  }
  process.stdout.write(tableOf(rows));
  process.exitCode = rows.some(({ broken }) => broken.length > 0) ? 1 : 0;
}

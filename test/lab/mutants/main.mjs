// `npm run mutants`: changes careful providers as standard tools do, and counts which changes a check and other tools notice.
// README.md describes it.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { packagesOf } from '../../packages.mjs';
import { machine } from '../bench/machine.mjs';
import { install } from '../bench/peers/install.mjs';
import { Results } from '../bench/peers/results.mjs';
import { commandFlags } from '../command-flags.mjs';
import { judgedFrom } from './judged.mjs';
import { EACH, mutantsOf } from './mutants.mjs';
import { BUILD, PROVIDERS } from './providers.mjs';
import { runAll } from './run.mjs';
import { verdictOf } from './score.mjs';
import { listOf, tableOfMutants, tableOfTools } from './table.mjs';
import { TOOLS, versionOf } from './tools.mjs';

/** A check ends by its own limit, and may wait for a provider that hangs. */
const CHECK_LIMIT_MS = 300_000;

const HELP = `Usage: npm run mutants [-- <option>…]

Changes five careful providers in ${EACH} places each, runs a check and other tools against every change, and prints what they
notice. Survivors are written to a file, with their diffs and what the probe saw. A run that was stopped goes on where it was.

  --provider <a,b>    only these: ${PROVIDERS.map(({ name }) => name).join(', ')}
  --tool <a,b>        only these: ${[...TOOLS.keys()].join(', ')}
  --sample <number>   the number of mutants of each provider for other tools than the check; default 20
  --mutants <number>  the number of mutants of each provider; default ${EACH}
  --at-once <number>  the number of mutants at once; default: as many as the machine has cores
  --limit <seconds>   end another tool that takes longer; default 60
  --results <file>    each result is a line of JSON in this file; default build/mutants/runs.jsonl
  --fresh             forget the results of earlier runs
  --table             run nothing, and print the tables of what the file has
  --help              show this
`;

const text = { type: 'string' };
const flag = { type: 'boolean', default: false };
const { values } = commandFlags(
  {
    options: {
      provider: { ...text, default: PROVIDERS.map(({ name }) => name).join() },
      tool: { ...text, default: [...TOOLS.keys()].join() },
      sample: { ...text, default: '20' },
      mutants: { ...text, default: String(EACH) },
      'at-once': { ...text, default: String(availableParallelism()) },
      limit: { ...text, default: '60' },
      results: { ...text, default: join(BUILD, 'runs.jsonl') },
      ...{ fresh: flag, table: flag, help: flag },
    },
  },
  HELP,
);

if (values.help) process.stdout.write(HELP);
else {
  const problem = await main();
  if (problem !== undefined) process.stderr.write(`${HELP}\n${problem}\n`);
  if (problem !== undefined) process.exitCode = 2;
}
process.exit();

/** @returns {Promise<string | undefined>} what is wrong with the options or the machine */
async function main() {
  const providers = PROVIDERS.filter(({ name }) => values.provider.split(',').includes(name));
  const keys = values.tool.split(',').filter((key) => TOOLS.has(key));
  if (providers.length < values.provider.split(',').length)
    return `there is no provider "${values.provider}"`;
  if (keys.length < values.tool.split(',').length) return `there is no tool "${values.tool}"`;
  const [most, sample, atOnce, limit] = ['mutants', 'sample', 'at-once', 'limit'].map((name) =>
    Number(values[name]),
  );
  if (![most, sample, atOnce, limit].every((number) => Number.isInteger(number) && number > 0))
    return '--mutants, --sample, --at-once and --limit are whole numbers from 1';

  mkdirSync(BUILD, { recursive: true });
  if (values.fresh) rmSync(values.results, { force: true });
  for (const { name, prepare } of providers) {
    try {
      await prepare();
    } catch (cause) {
      return `${name} cannot be prepared; leave it out with --provider. ${cause.message}`;
    }
  }
  const tools = join(BUILD, 'peers');
  if (keys.some((key) => key !== 'check') && !existsSync(join(tools, 'python/bin/schemathesis')))
    await install(tools);
  if (keys.includes('prism')) await packagesOf('frameworks');

  const drawn = await Promise.all(
    providers.map(async (provider) => ({ provider, mutants: await mutantsOf(provider) })),
  );
  const results = new Results(values.results);
  const jobs = await Promise.all(
    keys.map(async (key) => {
      const tool = TOOLS.get(key);
      return {
        name: tool.name,
        tool,
        most: key === 'check' ? most : sample,
        limitMs: key === 'check' ? CHECK_LIMIT_MS : limit * 1_000,
        ...(await versionOf(key, tool, tools)),
      };
    }),
  );
  if (!values.table) {
    const able = jobs.filter(({ missing }) => missing === undefined);
    await runAll(drawn, able, { results, atOnce, most, tools });
  }
  print(drawn, jobs, { runs: results.runs, most });
  return undefined;
}

function print(drawn, jobs, { runs, most }) {
  const all = judgedFrom(drawn, runs, most);
  const check = jobs.find(({ tool }) => tool === TOOLS.get('check'));
  process.stdout.write(`${machine()}\n\n`);
  if (check !== undefined) printChecked(all, check);
  process.stdout.write(tableOfTools(jobs.flatMap((job) => rowsOf(job, all))));
}

function printChecked(all, check) {
  const checked = all.map(({ provider, mutants }) => ({
    provider,
    mutants: mutants.flatMap((one) => {
      const run = one.runOf(check);
      return run === undefined ? [] : [{ ...one, check: run }];
    }),
  }));
  process.stdout.write(`${tableOfMutants(checked)}\n`);
  const toRead = checked.flatMap(({ mutants }) => mutants.filter(isToRead));
  const isUnread = ({ effect }) => Number(effect === 'unread');
  const list = join(dirname(values.results), 'survivors.txt');
  writeFileSync(list, listOf(toRead.toSorted((a, b) => isUnread(b) - isUnread(a))));
  process.stderr.write(`${toRead.length} mutants are in ${list}\n`);
  for (const { provider, unknown, rightsOf } of all) {
    if (unknown.length > 0)
      process.stderr.write(
        `classification.json has mutants of ${provider.name} that are not drawn: ${unknown}\n`,
      );
    if (!rightsOf(check).some(({ failed, findings }) => failed || findings.length > 0)) continue;
    process.stderr.write(`The check blames ${provider.name}, which should be right\n`);
    process.exitCode = 1;
  }
}

/** Survivors that change something, and what is noticed although the probe sees nothing against the interface. */
function isToRead({ check, effect }) {
  const verdict = verdictOf(check);
  if (verdict === 'not started') return false;
  return verdict === 'survived' ? effect !== 'same' : effect !== 'documented';
}

/** The check has a second line for the sample of the other tools. */
function rowsOf(job, all) {
  const rights = all.flatMap(({ rightsOf }) => rightsOf(job));
  const triedOf = (most) =>
    all.flatMap(({ mutants, rightsOf }) =>
      mutants.slice(0, most).flatMap(({ effect, runOf }) => {
        const run = runOf(job);
        return run?.isStarted && effect !== undefined ? [{ effect, run, rights: rightsOf(job) }] : [];
      }),
    );
  const row = { ...job, tried: triedOf(job.most), rights };
  const sample = Number(values.sample);
  if (job.most <= sample) return [row];
  return [row, { ...row, name: `${job.name}, the sample`, tried: triedOf(sample) }];
}

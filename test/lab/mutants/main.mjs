// `npm run mutants`: changes careful providers as standard tools do, and counts which changes a check and other tools notice.
// README.md describes it.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { packagesOf } from '../../packages.mjs';
import { machine } from '../bench/machine.mjs';
import { install } from '../bench/peers/install.mjs';
import { Results } from '../bench/peers/results.mjs';
import { commandFlags } from '../command-flags.mjs';
import { EACH, mutantsOf } from './mutants.mjs';
import { BUILD, PROVIDERS } from './providers.mjs';
import { nameOf, placeOf, probeName, runAll } from './run.mjs';
import { effectOf, verdictOf } from './score.mjs';
import { listOf, tableOfMutants, tableOfTools } from './table.mjs';
import { TOOLS, versionOf } from './tools.mjs';

const HELP = `Usage: npm run mutants [-- <option>…]

Changes five careful providers in ${EACH} places each, runs a check and other tools against every change, and prints what they
notice. A run that was stopped goes on where it was.

  --provider <a,b>    only these: ${PROVIDERS.map(({ name }) => name).join(', ')}
  --tool <a,b>        only these: ${[...TOOLS.keys()].join(', ')}
  --sample <number>   so many mutants of each provider for other tools than the check; default 20
  --mutants <number>  so many mutants of each provider; default ${EACH}
  --at-once <number>  so many mutants at once; default: as many as the machine has cores
  --limit <seconds>   end a tool that takes longer; default 180
  --results <file>    each result is a line of JSON in this file; default build/mutants/runs.jsonl
  --fresh             forget the results of earlier runs
  --table             run nothing, and print the tables of what the file has
  --survivors         print each survivor too, with its diff and what the probe saw; those to read first
  --unread            print each mutant that is noticed or not, changes something, and is neither judged by the probe nor classified
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
      limit: { ...text, default: '180' },
      results: { ...text, default: join(BUILD, 'runs.jsonl') },
      ...{ fresh: flag, table: flag, survivors: flag, unread: flag, help: flag },
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

/** @returns {Promise<string | undefined>} what is wrong with the options */
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
  for (const { prepare } of providers) await prepare();
  const tools = join(BUILD, 'peers');
  if (keys.some((key) => key !== 'check') && !existsSync(join(tools, 'python'))) await install(tools);
  if (keys.includes('prism')) await packagesOf('frameworks');

  const results = new Results(values.results);
  const jobs = await Promise.all(
    keys.map(async (key) => {
      const tool = TOOLS.get(key);
      return {
        name: tool.name,
        tool,
        most: key === 'check' ? most : sample,
        ...(await versionOf(key, tool, tools)),
      };
    }),
  );
  if (!values.table) {
    const able = jobs.filter(({ missing }) => missing === undefined);
    await runAll(providers, able, { results, atOnce, most, limitMs: limit * 1_000, tools });
  }
  await print(providers, jobs, { runs: results.runs, most });
  return undefined;
}

async function print(providers, jobs, { runs, most }) {
  const known = new Map(runs.map((run) => [keyOf(run.tool, run.provider.kind, run.provider.name), run]));
  const classified = JSON.parse(readFileSync(new URL('classification.json', import.meta.url), 'utf8'));
  const all = await Promise.all(
    providers.map(async (provider) => {
      const place = placeOf(provider);
      const runOf = (tool, id) => known.get(keyOf(tool, place, id));
      const rightsOf = (tool) =>
        [1, 2, 3].map((at) => runOf(tool, `right-${at}`)).filter((run) => run !== undefined);
      const mutants = (await mutantsOf(provider)).slice(0, most).flatMap((mutant) => {
        const probe = runOf(probeName, mutant.id);
        if (probe === undefined) return [];
        const own = classified[provider.name]?.[mutant.id];
        const effect = probe.isStarted ? effectOf(probe, own) : undefined;
        return [{ mutant, probe, effect, sentence: own?.sentence, runOf: (tool) => runOf(tool, mutant.id) }];
      });
      return { provider, mutants, rightsOf };
    }),
  );
  const check = jobs.find(({ tool }) => tool === TOOLS.get('check'));
  const checked = all.map(({ provider, mutants }) => ({
    provider,
    mutants: mutants
      .map((mutant) => ({ ...mutant, check: check === undefined ? undefined : mutant.runOf(nameOf(check)) }))
      .filter((mutant) => mutant.check !== undefined),
  }));
  const judged = checked.flatMap(({ mutants }) => mutants);
  process.stdout.write(
    `${machine()}\n\n${tableOfMutants(checked)}\n${tableOfTools(jobs.flatMap((job) => rowsOf(job, all)))}`,
  );
  const shown = judged.filter(
    ({ check, effect }) =>
      (values.survivors && verdictOf(check) === 'survived' && effect !== 'same') ||
      (values.unread &&
        (effect === 'unread' ||
          (effect === 'same' && !['survived', 'not started'].includes(verdictOf(check))))),
  );
  if (shown.length > 0) process.stdout.write(`\n${listOf(shown)}\n`);
}

/** The check has a second line for the sample of the other tools. */
function rowsOf(job, all) {
  const tool = nameOf(job);
  const rights = all.flatMap(({ rightsOf }) => rightsOf(tool));
  const triedOf = (most) =>
    all.flatMap(({ mutants, rightsOf }) =>
      mutants.slice(0, most).flatMap(({ effect, runOf }) => {
        const run = runOf(tool);
        return run?.isStarted && effect !== undefined ? [{ effect, run, rights: rightsOf(tool) }] : [];
      }),
    );
  const row = { ...job, tried: triedOf(job.most), rights };
  const sample = Number(values.sample);
  return job.most <= sample
    ? [row]
    : [row, { ...row, name: `${job.name}, the sample`, tried: triedOf(sample) }];
}

function keyOf(...parts) {
  return parts.join('\n');
}

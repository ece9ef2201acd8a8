// `npm run mutation -- <part>`: changes the code of a part in many small ways, and runs its tests on each. See README.md.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packagesOf } from '../../packages.mjs';
import { commandFlags } from '../command-flags.mjs';
import { PARTS, RECORDED } from './parts.mjs';
import { sampleOf } from './sample.mjs';

const HELP = `Usage: npm run mutation -- <part> [--one-in <n>] [--seed <n>] [--records <folder>]

Changes the code of a part in many small ways, and runs its tests on each. Prints how many changes they noticed, and
every change that they did not.

  <part>              ${Object.keys(PARTS).join(', ')}
  --one-in <n>        only one block of lines in so many, drawn at random; default 1
  --seed <n>          other blocks; default 1
  --records <folder>  keeps the checks that are judged again, for the next run on the same sources; they take 1.2 GB
`;

/** The unit tests, and those that are only for mutants. */
const IS_QUICK = /(?<!\.(real|all|timing))\.test\.ts$|\.mutation\.ts$/;

const root = fileURLToPath(new URL('../../..', import.meta.url));
process.chdir(root);

const { values, positionals } = commandFlags(
  {
    allowPositionals: true,
    options: {
      'one-in': { type: 'string', default: '1' },
      seed: { type: 'string', default: '1' },
      records: { type: 'string' },
      help: { type: 'boolean' },
    },
  },
  HELP,
);
const [name = '', ...more] = positionals;
const [oneIn, seed] = [Number(values['one-in']), Number(values.seed)];
if (values.help) process.stdout.write(HELP);
else if (!Object.hasOwn(PARTS, name) || more.length > 0) fail('name one part');
else if (![oneIn, seed].every((number) => Number.isSafeInteger(number) && number >= 1))
  fail('--one-in and --seed must be whole numbers from 1');
else await mutate(PARTS[name]);

function fail(/** @type {string} */ problem) {
  process.stderr.write(`${HELP}\n${problem}\n`);
  process.exitCode = 2;
}

async function mutate(/** @type {import('./parts.mjs').Part} */ part) {
  // It finds the Vitest of this repository in the folders above it, so npm need not install another one.
  const tool = await packagesOf('lab/mutation', ['--legacy-peer-deps']);
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-mutation-'));
  try {
    const kept = values.records ?? join(folder, 'records');
    const records = part.needsRecords && !existsSync(kept) ? record(kept) : kept;
    const report = join(folder, 'report.json');
    const config = join(folder, 'stryker.json');
    const sources = filesOf(part.folder).filter(
      (file) => /\.ts$/.test(file) && !/\.generated\.ts$/.test(file),
    );
    const mutated = sampleOf(
      sources.filter((file) => !part.leftOut?.test(file)),
      oneIn,
      seed,
    );
    writeFileSync(config, JSON.stringify(configFor({ tool, mutated, report })));
    const tests = part.tests
      .flatMap((path) => (path.endsWith('.ts') ? [path] : filesOf(path)))
      .filter((file) => IS_QUICK.test(file) && !part.tooSlow?.test(file));
    const env = { ...process.env, MUTATION_TESTS: tests.join(), MUTATION_RECORDS: records };
    const stryker = join(tool, '@stryker-mutator/core/bin/stryker.js');
    const { status } = spawnSync(process.execPath, [stryker, 'run', config], { env, stdio: 'inherit' });
    process.exitCode = status ?? 2;
    if (status === 0) process.stdout.write(summaryOf(JSON.parse(readFileSync(report, 'utf8'))));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @returns {string[]} */
function filesOf(/** @type {string} */ folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .sort();
}

/** Keeps the checks of tests that no mutant runs, because they take minutes. */
function record(/** @type {string} */ records) {
  mkdirSync(records);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const env = {
    ...process.env,
    MUTATION_TESTS: RECORDED.join(),
    MUTATION_RECORDS: records,
    MUTATION_RECORDING: 'yes',
  };
  spawnSync(process.execPath, [vitest, 'run', '--config', 'test/lab/mutation/vitest.config.ts'], {
    env,
    stdio: 'inherit',
  });
  return records;
}

/** @param {{ tool: string, mutated: readonly string[], report: string }} run */
function configFor({ tool, mutated, report }) {
  return {
    mutate: mutated,
    testRunner: 'vitest',
    plugins: [join(tool, '@stryker-mutator/vitest-runner/dist/src/index.js')],
    vitest: { configFile: 'test/lab/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    // What only runs while a file is loaded is data. Each mutant of it would need a process of its own.
    ignoreStatic: true,
    concurrency: 1,
    // On a busy machine, a slow test must not count as an endless loop.
    timeoutMS: 15_000,
    timeoutFactor: 3,
    // TypeScript 7 has no compiler for Stryker to read such a file with.
    tsconfigFile: 'none.json',
    disableTypeChecks: true,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    allowEmpty: true,
  };
}

/**
 * @typedef {object} Mutant
 * @property {string} status
 * @property {string} mutatorName
 * @property {string} replacement
 * @property {{ start: { line: number, column: number }, end: { line: number, column: number } }} location
 */

/** The mutants that were not killed, one a line, and how many there are of each kind. */
function summaryOf(
  /** @type {{ files: Record<string, { source: string, mutants: Mutant[] }> }} */ { files },
) {
  const all = Object.values(files).flatMap(({ mutants }) => mutants);
  const count = (/** @type {string[]} */ ...statuses) =>
    all.filter(({ status }) => statuses.includes(status)).length;
  const judged = count('Killed', 'Timeout', 'Survived', 'NoCoverage');
  const percent = (/** @type {number} */ number) => `${((100 * number) / judged).toFixed(1)} %`;
  const shown = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants
      .filter(({ status }) => ['Survived', 'NoCoverage', 'Timeout'].includes(status))
      .map((mutant) => `${mutant.status} ${file}:${lineOf(source.split('\n'), mutant)}\n`),
  );
  return [
    '\n',
    ...shown,
    `\n${all.length} mutants: ${count('Killed')} killed, ${count('Timeout')} timed out, ${count('Survived')} survived, `,
    `${count('NoCoverage')} without coverage, ${count('Ignored')} ignored, ${count('CompileError', 'RuntimeError')} broken\n`,
    `Score: ${percent(count('Killed'))}; with time-outs ${percent(count('Killed', 'Timeout'))}\n`,
  ].join('');
}

/** `21: a < b => a <= b` */
function lineOf(
  /** @type {readonly string[]} */ lines,
  /** @type {Mutant} */ { replacement, location: { start, end } },
) {
  const first = lines[start.line - 1] ?? '';
  const original =
    start.line === end.line
      ? first.slice(start.column - 1, end.column - 1)
      : `${first.slice(start.column - 1)} … ${end.line - start.line} lines`;
  return `${start.line}: ${original} => ${replacement.replaceAll(/\s+/g, ' ')}`;
}

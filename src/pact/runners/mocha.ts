import { parseArgs } from 'node:util';
import { reasonOf } from '../../toolkit-error.js';
import { type Outcome, PactRun, startedByCommand } from '../consumer/collection.js';

/** The part of Mocha's runner that is used here. Mocha gives it to global fixtures as `this`, except in watch mode. */
export interface MochaRunner {
  readonly suite: { total(): number };
  readonly stats: { readonly tests: number; readonly pending: number };
  readonly failures: number;
}

/** In watch mode, the global fixtures get an empty object. */
type Context = MochaRunner | { readonly suite?: undefined };

/** Arguments with a value, which would be mistaken for a file to run. */
const WITH_VALUE = { type: 'string' } as const;
const OPTIONS = {
  config: WITH_VALUE,
  extension: WITH_VALUE,
  fgrep: { ...WITH_VALUE, short: 'f' },
  file: WITH_VALUE,
  grep: { ...WITH_VALUE, short: 'g' },
  jobs: { ...WITH_VALUE, short: 'j' },
  package: WITH_VALUE,
  reporter: { ...WITH_VALUE, short: 'R' },
  'reporter-option': { ...WITH_VALUE, short: 'O' },
  'reporter-options': WITH_VALUE,
  require: { ...WITH_VALUE, short: 'r' },
  retries: WITH_VALUE,
  slow: { ...WITH_VALUE, short: 's' },
  timeout: { ...WITH_VALUE, short: 't' },
  ui: { ...WITH_VALUE, short: 'u' },
} as const;

/** Arguments that choose tests. */
const CHOICES = ['exclude', 'fgrep', 'grep', 'ignore', 'spec'];

let current: { readonly run: PactRun | undefined; readonly total: number } | undefined;

/**
 * Starts to collect the interactions of all workers of a Mocha run. Mocha calls it before all tests. Name this module in
 * the configuration: `"require": ["plant-store-contract/pact/mocha"]`.
 *
 * What a run does to the pacts: see `src/pact/runners/README.md`. Mocha knows all tests only if the configuration names
 * them in `spec`, and the command line names none.
 */
export function mochaGlobalSetup(this: Context): void {
  const watches = this.suite === undefined;
  const run = PactRun.start(
    watches ? 'Mocha runs in watch mode; `mocha` without --watch writes it' : undefined,
  );
  // `.only` removes the other tests when the run starts. In parallel mode, this process has no tests.
  current = { run, total: watches ? 0 : this.suite.total() };
}

/** Merges the interactions into their pacts. Mocha calls it after all tests. If it cannot merge them, the process fails. */
export function mochaGlobalTeardown(this: Context): void {
  const { run, total = 0 } = current ?? {};
  try {
    process.stderr.write(run?.end(outcomeOf(this, total)) ?? '');
  } catch (problem) {
    process.stderr.write(`${reasonOf(problem)}\n`);
    failAtExit();
  }
}

/** Mocha 11 drops an error of a teardown, and sets the exit status in a listener that it adds later than this one. */
function failAtExit(): void {
  const fail = (): void => {
    process.exitCode = 1;
  };
  process.once('exit', fail);
  process.once('beforeExit', () => process.once('exit', fail));
}

function outcomeOf(runner: Context, total: number): Outcome {
  if (runner.suite === undefined)
    return { failed: true, filesLeftOut: true, testsSkipped: true, testsChosen: true };
  const { stats, failures } = runner;
  return {
    failed: failures > 0,
    filesLeftOut: !startedByCommand('mocha') || namesTests(),
    testsSkipped: stats.pending > 0 || stats.tests < total,
    testsChosen: stats.tests < total,
  };
}

function namesTests(): boolean {
  const args = [...process.argv.slice(2), ...(process.env.MOCHA_OPTIONS ?? '').split(' ')];
  const { values, positionals } = parseArgs({
    args: args.filter((argument) => argument !== ''),
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
  });
  return positionals.length > 0 || CHOICES.some((name) => name in values);
}

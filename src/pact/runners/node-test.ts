import { reasonOf } from '../../toolkit-error.js';
import { PactRun } from '../consumer/collection.js';

/** The part of an event of `node:test` that is used here. */
export interface NodeTestEvent {
  readonly type: string;
  readonly data?: { readonly skip?: string | boolean; readonly todo?: string | boolean };
}

/** Arguments of `node --test` that choose no tests. Any other one may, in this version of Node or in a later one. */
const HARMLESS =
  /^--(experimental-)?test(-(concurrency|coverage.*|force-exit|global-setup|isolation|module-mocks|reporter.*|timeout|update-snapshots))?$/;

/**
 * A reporter of `node --test` that collects the interactions of all test files, and merges them into their pacts at the end:
 * `node --test --test-reporter=spec --test-reporter-destination=stdout
 * --test-reporter=plant-store-contract/pact/node-test --test-reporter-destination=stderr`.
 *
 * What a run does to the pacts: see `src/pact/runners/README.md`. Node knows all tests only if the command line
 * names no file and no pattern.
 *
 * Without this reporter, each file of a run merges by itself, and no interaction ever leaves a pact.
 *
 * @param events what happens in the run
 * @returns what a person must know about the pacts
 */
const report = (events: AsyncIterable<NodeTestEvent>): AsyncGenerator<string, void> => {
  // Node calls this function before it starts the first file, but reads from the generator later. It is an arrow function,
  // because Node calls other functions with `new`.
  const watches = process.execArgv.includes('--watch');
  const run = PactRun.start(
    watches ? 'node --test runs in watch mode; without --watch it writes it' : undefined,
  );
  return textOf(events, run);
};

export default report;

async function* textOf(
  events: AsyncIterable<NodeTestEvent>,
  run: PactRun | undefined,
): AsyncGenerator<string, void> {
  let [failed, testsSkipped] = [false, false];
  for await (const { type, data } of events) {
    if (type === 'test:fail') failed ||= !data?.todo;
    if (type === 'test:pass') testsSkipped ||= Boolean(data?.skip);
    if (type === 'test:watch:drained') yield run?.unchanged() ?? '';
  }
  failed ||= Number(process.exitCode ?? 0) !== 0;
  try {
    const flags = flagsOfTests();
    const testsChosen = flags.some((flag) => /-(?:name-pattern|skip-pattern|only)(?:=|$)/.test(flag));
    yield run?.end({ failed, testsSkipped, testsChosen, filesLeftOut: mayLeaveFilesOut(flags) }) ?? '';
  } catch (problem) {
    process.exitCode = 1;
    yield `${reasonOf(problem)}\n`;
  }
}

function flagsOfTests(): string[] {
  const inVariable = (process.env.NODE_OPTIONS ?? '').split(' ');
  return [...process.execArgv, ...inVariable].filter((argument) => /^--(experimental-)?test/.test(argument));
}

function mayLeaveFilesOut(flags: readonly string[]): boolean {
  return (
    !flags.includes('--test') ||
    process.argv.length > 1 ||
    flags.some((flag) => !HARMLESS.test(flag.replace(/=.*/, '')))
  );
}

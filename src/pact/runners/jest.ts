import { reasonOf } from '../../toolkit-error.js';
import { type Outcome, PactRun, startedByCommand } from '../consumer/collection.js';

/** The part of Jest's global configuration that is used here, in Jest 29 and 30. */
export interface JestConfig {
  readonly watch?: boolean;
  readonly watchAll?: boolean;
  /** Each of these chooses test files. Jest 30 has `testPathPatterns` in place of `testPathPattern`. */
  readonly changedSince?: string;
  readonly filter?: string;
  readonly findRelatedTests?: boolean;
  readonly lastCommit?: boolean;
  readonly nonFlagArgs?: readonly string[];
  readonly onlyChanged?: boolean;
  readonly onlyFailures?: boolean;
  readonly runTestsByPath?: boolean;
  readonly shard?: object;
  readonly testNamePattern?: string;
  readonly testPathPattern?: string;
  readonly testPathPatterns?: { readonly patterns: readonly string[] };
}

/** The part of Jest's results that is used here. */
export interface JestResults {
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
  readonly numPendingTests: number;
  readonly wasInterrupted?: boolean;
}

/** Arguments that change, for one run, which test files the configuration names. */
const ARGUMENTS_FOR_FILES = new Set(
  ['ignoreProjects', 'modulePathIgnorePatterns', 'projects', 'rootDir', 'roots', 'selectProjects'].concat([
    'testMatch',
    'testPathIgnorePatterns',
    'testRegex',
  ]),
);

/**
 * A reporter of Jest that collects the interactions of all workers, and merges them into their pacts at the end. Name this
 * module in the configuration: `reporters: ['default', 'plant-store-contract/pact/jest']`.
 *
 * What a run does to the pacts: see `src/pact/runners/README.md`.
 */
export default class PactReporter {
  readonly #config: JestConfig;
  #run: PactRun | undefined;
  #problem: Error | undefined;

  /** @param config Jest's global configuration */
  constructor(config: JestConfig) {
    this.#config = config;
  }

  /** Jest calls this before it starts its workers. */
  onRunStart(): void {
    const { watch, watchAll } = this.#config;
    const watches = watch === true || watchAll === true;
    this.#run = PactRun.start(
      watches ? 'Jest runs in watch mode; `jest` without --watch writes it' : undefined,
    );
  }

  /** Jest calls this after all tests. */
  onRunComplete(_contexts: unknown, results: JestResults): void {
    try {
      process.stderr.write(this.#run?.end(outcomeOf(this.#config, results)) ?? '');
    } catch (problem) {
      this.#problem = new Error(reasonOf(problem), { cause: problem });
      process.stderr.write(`${this.#problem.message}\n`);
    }
  }

  /** Jest fails the run if this returns an error. */
  getLastError(): Error | undefined {
    return this.#problem;
  }
}

function outcomeOf(config: JestConfig, results: JestResults): Outcome {
  return {
    failed: results.numFailedTests + results.numFailedTestSuites > 0 || results.wasInterrupted === true,
    filesLeftOut: !startedByCommand('jest') || choosesFiles(config) || process.argv.some(changesFiles),
    testsSkipped: results.numPendingTests > 0,
    testsChosen: results.numPendingTests > 0 && Boolean(config.testNamePattern),
  };
}

function choosesFiles(config: JestConfig): boolean {
  const choices = [
    [config.changedSince, config.filter, config.testPathPattern],
    [config.findRelatedTests, config.lastCommit, config.onlyChanged, config.onlyFailures],
    [
      config.runTestsByPath,
      config.shard,
      config.nonFlagArgs?.length,
      config.testPathPatterns?.patterns.length,
    ],
  ];
  return choices.flat().some(Boolean);
}

/** Jest accepts `--testMatch` and `--test-match`, each with or without a value after `=`. */
function changesFiles(argument: string): boolean {
  const [, name = ''] = /^--([\w-]+)/.exec(argument) ?? [];
  return ARGUMENTS_FOR_FILES.has(name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()));
}

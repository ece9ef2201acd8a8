import { reasonOf } from '../../toolkit-error.js';
import { type Outcome, PactRun } from '../consumer/collection.js';

/** The part of Vitest's global-setup argument that is used here. It exists since Vitest 3. */
export interface VitestProject {
  readonly vitest: {
    readonly config: {
      readonly watch?: boolean;
      /** `--project` and `--exclude`: Vitest does not know what they leave out. */
      readonly project?: string | readonly string[];
      readonly cliExclude?: readonly string[];
      readonly testNamePattern?: RegExp;
    };
    readonly state: { getTestModules(): Iterable<TestModule> };
    globTestSpecifications(): Promise<readonly { readonly moduleId: string }[]>;
  };
}

interface TestModule {
  readonly moduleId: string;
  readonly children: {
    allTests(state: 'skipped'): Iterable<{ readonly options: { readonly mode: string } }>;
  };
}

/** Arguments that make Vitest search another folder. */
const ELSEWHERE = /^(--(dir|root)(=|$)|-r)/;

/**
 * Collects the interactions of all workers of a Vitest run, and merges them into their pacts at the end. Name this
 * module in the configuration: `globalSetup: ['plant-store-contract/pact/global-setup']`.
 *
 * What a run does to the pacts: see `src/pact/runners/README.md`.
 *
 * @param project Vitest's argument
 * @returns the teardown function that Vitest calls at the end
 */
export default function setup(project: VitestProject): (() => Promise<void>) | undefined {
  const watches = project.vitest.config.watch === true;
  // If several projects name this setup, it runs once for each, but they are one run.
  const run = PactRun.start(watches ? 'Vitest runs in watch mode; `vitest run` writes it' : undefined);
  if (run === undefined) return undefined;
  return async () => {
    try {
      process.stderr.write(run.end(await outcomeOf(project)));
    } catch (problem) {
      // Vitest would print the error, and exit with 0.
      process.stderr.write(`${reasonOf(problem)}\n`);
      process.exitCode = 1;
    }
  };
}

async function outcomeOf({ vitest }: VitestProject): Promise<Outcome> {
  const { project = [], cliExclude = [], testNamePattern } = vitest.config;
  const modules = [...vitest.state.getTestModules()];
  const ran = new Set(modules.map(({ moduleId }) => moduleId));
  const all = await vitest.globTestSpecifications();
  const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')]);
  const testsSkipped = skipped.some(({ options }) => options.mode !== 'todo');
  return {
    failed: Number(process.exitCode ?? 0) !== 0,
    filesLeftOut:
      process.argv.some((argument) => ELSEWHERE.test(argument)) ||
      [project, cliExclude].flat().length > 0 ||
      all.some(({ moduleId }) => !ran.has(moduleId)),
    testsSkipped,
    testsChosen: testsSkipped && testNamePattern !== undefined,
  };
}

import { reasonOf } from '../../toolkit-error.js';
import { Collection, type RunOutcome } from './collection.js';

/** The part of Vitest's global-setup argument that is used here. It exists since Vitest 3. */
export interface VitestProject {
  readonly vitest: {
    readonly config: {
      readonly watch?: boolean;
      /** `--project` and `--exclude`: Vitest does not know what they leave out. */
      readonly project?: string | readonly string[];
      readonly cliExclude?: readonly string[];
    };
    readonly state: { getTestModules(): Iterable<TestModule> };
    globTestSpecifications(): Promise<readonly { readonly moduleId: string }[]>;
  };
}

/** A test file of a run, as Vitest tells of it. */
export interface TestModule {
  readonly moduleId: string;
  readonly children: {
    allTests(state: 'skipped'): Iterable<{ readonly options: { readonly mode: string } }>;
  };
}

/** Arguments that make Vitest search another folder. */
const ELSEWHERE = /^(--(dir|root)(=|$)|-r)/;

let current: Collection | undefined;

/**
 * Collects the interactions of all workers of a Vitest run, and merges them into their pacts at the end. Name this
 * module in the configuration: `globalSetup: ['plant-store-contract/pact/global-setup']`.
 *
 * Only a run of all tests that passes removes interactions from a pact. A run of some tests keeps the others, and says so
 * on standard error. A run that fails, and watch mode, change no pact.
 *
 * @param project Vitest's argument
 * @returns the teardown function that Vitest calls at the end
 */
export default function setup(project: VitestProject): (() => Promise<void>) | undefined {
  // If several projects name this setup, it runs once for each, but they are one run.
  if (current !== undefined) return undefined;
  const collection = new Collection();
  current = collection;
  return async () => {
    current = undefined;
    try {
      process.stderr.write(collection.finish(await outcomeOf(project)));
    } catch (problem) {
      // Vitest would print the error, and exit with 0.
      process.stderr.write(`${reasonOf(problem)}\n`);
      process.exitCode = 1;
    }
  };
}

async function outcomeOf({ vitest }: VitestProject): Promise<RunOutcome> {
  const { watch = false, project = [], cliExclude = [] } = vitest.config;
  if (watch) return { result: 'failed', why: 'Vitest runs in watch mode; `vitest run` writes it' };
  if (Number(process.exitCode ?? 0) !== 0) return { result: 'failed', why: 'the run failed' };
  const modules = [...vitest.state.getTestModules()];
  const ran = new Set(modules.map(({ moduleId }) => moduleId));
  const all = await vitest.globTestSpecifications();
  const isWhole =
    all.every(({ moduleId }) => ran.has(moduleId)) &&
    [project, cliExclude].flat().length === 0 &&
    !process.argv.some((argument) => ELSEWHERE.test(argument));
  if (!isWhole) return { result: 'partial', why: 'not all test files ran' };
  const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')]);
  if (skipped.some(({ options }) => options.mode !== 'todo'))
    return { result: 'partial', why: 'some tests were skipped' };
  return { result: 'complete', why: '' };
}

import { reasonOf } from '../toolkit-error.js';
import { collectPacts, hasOpenCollection } from './consumer/collection.js';
import { type RunResult, writtenText } from './consumer/write-pacts.js';

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

interface TestModule {
  readonly moduleId: string;
  readonly children: {
    allTests(state: 'skipped'): Iterable<{ readonly options: { readonly mode: string } }>;
  };
}

/**
 * Collects the interactions of all workers of a Vitest run, and merges them into their pacts at the end. Name this
 * module in the configuration: `globalSetup: ['plant-store-contract/pact/global-setup']`.
 *
 * - A run of all tests that passes replaces the pacts. Interactions that no test makes any more are removed.
 * - A run of some tests (a filter, a shard, `.only`, a skipped test) replaces what it made, and keeps the rest.
 * - A run that fails, and a run in watch mode, do not change the pacts.
 *
 * @param project Vitest's argument
 * @returns the teardown function that Vitest calls at the end
 */
export default function setup(project: VitestProject): (() => Promise<void>) | undefined {
  // If several projects name this setup, it runs once for each, but they are one run.
  if (hasOpenCollection()) return undefined;
  const finish = collectPacts();
  return async () => {
    try {
      const { run, why } = await resultOf(project);
      process.stderr.write(writtenText(finish(run), why));
    } catch (problem) {
      // Vitest would print the error, and exit with 0.
      process.stderr.write(`${reasonOf(problem)}\n`);
      process.exitCode = 1;
    } finally {
      finish('failed');
    }
  };
}

async function resultOf({
  vitest,
}: VitestProject): Promise<{ readonly run: RunResult; readonly why: string }> {
  const { config } = vitest;
  if (config.watch === true)
    return { run: 'failed', why: 'Vitest runs in watch mode; `vitest run` writes it' };
  if (Number(process.exitCode ?? 0) !== 0) return { run: 'failed', why: 'the run failed' };
  const leftOut = [config.project ?? [], config.cliExclude ?? []].flat().length > 0;
  const modules = [...vitest.state.getTestModules()];
  const ran = new Set(modules.map(({ moduleId }) => moduleId));
  const all = await vitest.globTestSpecifications();
  if (leftOut || all.some(({ moduleId }) => !ran.has(moduleId)))
    return { run: 'partial', why: 'not all test files ran' };
  const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')]);
  if (skipped.some(({ options }) => options.mode !== 'todo'))
    return { run: 'partial', why: 'some tests were skipped' };
  return { run: 'complete', why: '' };
}

import { collectPacts, hasOpenCollection } from './consumer/collection.js';
import { outcomeText } from './consumer/outcome-text.js';

/** What is used here of what Vitest gives to a global setup, from its version 3 on. */
export interface VitestProject {
  readonly vitest: {
    readonly config: {
      readonly watch?: boolean;
      /** `--project` and `--exclude`: what they leave out is not known of. */
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
 * Collects the interactions of all workers of a Vitest run, and merges them into their pacts when it is over. Name this
 * module in the configuration: `globalSetup: ['plant-store-contract/pact/global-setup']`.
 *
 * - A run of all tests that passes replaces the pacts: what is no longer made is gone.
 * - A run of some of them (a filter, a shard, `.only`, a skipped test) replaces what it made, and keeps the rest.
 * - A run that fails, and one in watch mode, leave the pacts as they are.
 *
 * @param project what Vitest gives
 * @returns what Vitest calls when all is over
 */
export default function setup(project: VitestProject): (() => Promise<void>) | undefined {
  // A setup that several projects name runs once for each, and all of them are one run.
  if (hasOpenCollection()) return undefined;
  const finish = collectPacts();
  return async () => {
    try {
      const { outcome, why } = await outcomeOf(project);
      process.stderr.write(outcomeText(finish(outcome), why));
    } catch (problem) {
      // Vitest would tell it, and exit with 0.
      process.stderr.write(`${problem instanceof Error ? problem.message : String(problem)}\n`);
      process.exitCode = 1;
    } finally {
      finish('failed');
    }
  };
}

async function outcomeOf({
  vitest,
}: VitestProject): Promise<{ outcome: 'complete' | 'partial' | 'failed'; why: string }> {
  const { config } = vitest;
  if (config.watch === true) return { outcome: 'failed', why: 'Vitest watches; `vitest run` writes it' };
  if (Number(process.exitCode ?? 0) !== 0) return { outcome: 'failed', why: 'the run failed' };
  const leftOut = [config.project ?? [], config.cliExclude ?? []].flat().length > 0;
  const modules = [...vitest.state.getTestModules()];
  const ran = new Set(modules.map(({ moduleId }) => moduleId));
  const all = await vitest.globTestSpecifications();
  if (leftOut || all.some(({ moduleId }) => !ran.has(moduleId)))
    return { outcome: 'partial', why: 'not all test files ran' };
  const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')]);
  if (skipped.some(({ options }) => options.mode !== 'todo'))
    return { outcome: 'partial', why: 'some tests were skipped' };
  return { outcome: 'complete', why: '' };
}

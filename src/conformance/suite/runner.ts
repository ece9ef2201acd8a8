import type { TestResult } from './result.js';

/** The function of a test runner that defines a test: `test` or `it` of Vitest, Jest, or node:test. */
export type SuiteTest = (name: string, run: () => Promise<void>, timeoutMs?: number) => unknown;

/** What a runner passes to a test. Vitest and node:test have some of these, Jest has none. */
interface TestContext {
  readonly skip?: (why: string) => void;
  readonly todo?: (why: string) => void;
  readonly annotate?: (text: string, type: string) => Promise<unknown>;
  readonly diagnostic?: (text: string) => void;
}

/** The properties of `test` by which the runners differ. */
interface RunnerFeatures {
  readonly each?: unknown;
  readonly failing?: unknown;
  readonly todo?: unknown;
  readonly skip?: (name: string, run: () => Promise<void>) => unknown;
}

type NodeTest = (name: string, options: { readonly timeout: number }, run: () => Promise<void>) => unknown;

/** One test of a suite. */
export interface SuiteCase {
  readonly name: string;
  readonly timeoutMs: number;
  /** Whether it is known before the check that there is nothing to judge. */
  readonly skipped: boolean;
  result(): Promise<TestResult>;
}

/**
 * Defines a test.
 *
 * @param say called with notes about a test that does not fail, if the runner has no place for them
 */
export function defineTest(
  test: SuiteTest,
  { name, timeoutMs, skipped, result }: SuiteCase,
  say: (text: string) => void,
): void {
  // There must be no parameter: Jest would wait for a callback, and an extended test of Vitest accepts only a
  // destructured one. So the context comes from `arguments`.
  async function run(): Promise<void> {
    // biome-ignore lint/complexity/noArguments: Vitest counts a rest parameter too.
    await settle(name, await result(), Object(arguments[0]) as TestContext, say);
  }
  const { each, failing, todo, skip } = test as RunnerFeatures;
  // Only Jest has `failing`. Jest cannot skip a test that runs, so skip it now.
  if (skipped && failing !== undefined && skip !== undefined) skip(name, run);
  // Only node:test has no `each`. Its timeout is an option.
  else if (todo !== undefined && each === undefined)
    (test as unknown as NodeTest)(name, { timeout: timeoutMs }, run);
  else test(name, run, timeoutMs);
}

async function settle(
  name: string,
  result: TestResult,
  context: TestContext,
  say: (text: string) => void,
): Promise<void> {
  switch (result.kind) {
    case 'failed':
      throw result.error;
    case 'expected-failure':
      // node:test shows the failure of a `todo` test, and the run still passes.
      if (context.todo !== undefined) {
        context.todo(result.text);
        throw result.error;
      }
      return context.skip === undefined ? say(`${name}: ${result.text}`) : context.skip(result.text);
    case 'skipped':
      return context.skip === undefined
        ? say(`${name}: not applicable: ${result.text}`)
        : context.skip(result.text);
    case 'observed':
      if (context.annotate !== undefined) await context.annotate(result.text, 'observed');
      else if (context.diagnostic !== undefined) context.diagnostic(result.text);
      else say(`${name}: ${result.text}`);
  }
}

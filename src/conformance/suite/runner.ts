import type { Outcome } from './outcome.js';

/** The function of a test runner that defines a test: `test` or `it` of Vitest, Jest or node:test. */
export type SuiteTest = (name: string, run: () => Promise<void>, timeoutMs?: number) => unknown;

/** What runners hand to a test: of Vitest and node:test one or the other is there, of Jest nothing. */
interface TestContext {
  readonly skip?: (why: string) => void;
  readonly todo?: (why: string) => void;
  readonly annotate?: (text: string, type: string) => Promise<unknown>;
  readonly diagnostic?: (text: string) => void;
}

/** Beside the call itself, what tells one runner from another. */
interface Marks {
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
  /** Whether it is known beforehand that nothing will be judged. */
  readonly skipped: boolean;
  outcome(): Promise<Outcome>;
}

/**
 * Defines a test.
 *
 * @param say where a runner has no place of its own for what is to be said of a test that does not fail
 */
export function defineTest(
  test: SuiteTest,
  { name, timeoutMs, skipped, outcome }: SuiteCase,
  say: (text: string) => void,
): void {
  // Jest takes a function with a parameter for one that calls back, and a test of Vitest that was extended takes
  // none but a destructured one: so there is no parameter, and what is handed over is looked at all the same.
  async function run(): Promise<void> {
    // biome-ignore lint/complexity/noArguments: a rest parameter is a parameter to Vitest.
    await settle(name, await outcome(), Object(arguments[0]) as TestContext, say);
  }
  const { each, failing, todo, skip } = test as Marks;
  // Only Jest has `failing`, and in Jest no test that runs can be skipped any more.
  if (skipped && failing !== undefined && skip !== undefined) skip(name, run);
  // Of the three, node:test alone has no `each`, and its time-out is an option.
  else if (todo !== undefined && each === undefined)
    (test as unknown as NodeTest)(name, { timeout: timeoutMs }, run);
  else test(name, run, timeoutMs);
}

async function settle(
  name: string,
  outcome: Outcome,
  context: TestContext,
  say: (text: string) => void,
): Promise<void> {
  switch (outcome.kind) {
    case 'failed':
      throw outcome.error;
    case 'known':
      // A failure of a test that is still to do is shown, and fails no run.
      if (context.todo !== undefined) {
        context.todo(outcome.text);
        throw outcome.error;
      }
      return context.skip === undefined ? say(`${name}: ${outcome.text}`) : context.skip(outcome.text);
    case 'skipped':
      return context.skip === undefined
        ? say(`${name}: not applicable: ${outcome.text}`)
        : context.skip(outcome.text);
    case 'seen':
      if (context.annotate !== undefined) await context.annotate(outcome.text, 'observed');
      else if (context.diagnostic !== undefined) context.diagnostic(outcome.text);
      else say(`${name}: ${outcome.text}`);
  }
}

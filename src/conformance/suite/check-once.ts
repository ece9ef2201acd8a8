// From the module, not the globals: a test may have replaced those with fake timers.
import { clearTimeout, setTimeout } from 'node:timers';
import { type TokenOption, tokenOf } from '../../http/token.js';
import { reasonOf, ToolkitError } from '../../toolkit-error.js';
import { checkConformance } from '../check.js';
import type { CheckOptions } from '../options.js';
import type { CheckReport } from '../report/check-report.js';
import { type Provider, tokenFor } from './target.js';

/** Shares of the time that a test may take. The runner's own timeout would not say what was waited for. */
const FOR_CHECK = 0.9;
const FOR_STOPPING = 0.97;

/** What a check needs besides its options. */
export interface OneCheck {
  readonly provider: Provider | Promise<Provider>;
  readonly token: TokenOption | undefined;
  readonly options: Omit<CheckOptions, 'baseUrl' | 'fetch' | 'token'>;
  readonly timeoutMs: number;
  readonly onReport: ((report: CheckReport) => void | Promise<void>) | undefined;
  readonly say: (text: string) => void;
}

/** Starts a provider, checks it, and stops it, within the time that a test may take. */
export async function checkOnce(check: OneCheck): Promise<CheckReport> {
  const limit = timeLimit(check.timeoutMs * FOR_CHECK);
  const stopLimit = timeLimit(check.timeoutMs * FOR_STOPPING);
  try {
    const provider = await started(check, limit);
    const [run] = await Promise.allSettled([runOn(provider, check, limit)]);
    const problem = await stopLimit.wait(provider.stop(), 'it has not stopped').then(
      () => undefined,
      (cause) => `the provider could not be stopped: ${reasonOf(cause)}`,
    );
    if (run.status === 'rejected')
      throw problem === undefined ? run.reason : withStopProblem(run.reason, problem);
    if (problem !== undefined) check.say(problem);
    return run.value;
  } finally {
    limit.end();
    stopLimit.end();
  }
}

async function started(check: OneCheck, limit: TimeLimit): Promise<Provider> {
  const starting = Promise.resolve(check.provider);
  try {
    return await limit.wait(starting, 'the provider has not started');
  } catch (cause) {
    // A provider that starts too late is stopped all the same.
    starting.then((late) => late.stop()).catch(() => {});
    throw cause;
  }
}

async function runOn(provider: Provider, check: OneCheck, limit: TimeLimit): Promise<CheckReport> {
  const option = tokenFor(provider, check.token);
  const first = await limit.wait(tokenOf(option), 'there was no token');
  const token = typeof option === 'function' ? beginningWith(first, option) : first;
  const checking = checkConformance({ prism: false, ...check.options, ...provider.at, token });
  const report = await limit.wait(checking, 'the check has not ended');
  await limit.wait(check.onReport?.(report), '"onReport" has not ended');
  return report;
}

/** The same function, whose first result is known already. */
function beginningWith(first: string, rest: () => string | Promise<string>): () => string | Promise<string> {
  let isFirst = true;
  return () => {
    if (!isFirst) return rest();
    isFirst = false;
    return first;
  };
}

function withStopProblem(cause: unknown, problem: string): ToolkitError {
  const code = cause instanceof ToolkitError ? cause.code : 'provider-not-testable';
  return new ToolkitError(code, `${reasonOf(cause)}\n\nAlso, ${problem}`, { cause });
}

type TimeLimit = ReturnType<typeof timeLimit>;

/** A limit of time for several things that happen one after the other. */
function timeLimit(ms: number) {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return {
    /**
     * Waits for work until the time is over.
     *
     * @param missed what has not happened by then: "the provider has not started"
     * @throws ToolkitError `provider-not-testable`
     */
    async wait<T>(work: T | Promise<T>, missed: string): Promise<T> {
      const late = over.then(() => {
        throw new ToolkitError('provider-not-testable', `${missed} within ${ms / 1_000} s`);
      });
      return await Promise.race([work, late]);
    },
    /** Lets the process end. */
    end: () => clearTimeout(timer),
  };
}

import { type TokenOption, tokenOf } from '../../token-option.js';
import { reasonOf, ToolkitError } from '../../toolkit-error.js';
import { checkConformance } from '../check.js';
import type { CheckOptions } from '../options.js';
import type { Report } from '../reporting/report.js';
import { Deadline } from './deadline.js';
import { type Provider, tokenFor } from './target.js';

/** Shares of the time that a test has. The rest is for its runner, which says nothing of what was waited for. */
const FOR_CHECK = 0.9;
const FOR_STOPPING = 0.97;

/** What a check needs beside its options. */
export interface OneCheck {
  readonly provider: Provider | Promise<Provider>;
  readonly token: TokenOption | undefined;
  readonly options: Omit<CheckOptions, 'baseUrl' | 'fetch' | 'token'>;
  readonly timeoutMs: number;
  readonly onReport: ((report: Report) => void | Promise<void>) | undefined;
  readonly say: (text: string) => void;
}

/** Starts a provider, checks it and stops it, all within the time that a test has. */
export async function checkOnce(check: OneCheck): Promise<Report> {
  const deadline = new Deadline(check.timeoutMs * FOR_CHECK);
  const last = new Deadline(check.timeoutMs * FOR_STOPPING);
  try {
    return await startAndCheck(check, deadline, last);
  } finally {
    deadline.end();
    last.end();
  }
}

async function startAndCheck(check: OneCheck, deadline: Deadline, last: Deadline): Promise<Report> {
  const provider = await startInTime(check, deadline);
  let report: Report;
  try {
    report = await judged(provider, check, deadline);
  } catch (cause) {
    const problem = await problemOfStopping(provider, last);
    throw problem === undefined ? cause : bothOf(cause, problem);
  }
  const problem = await problemOfStopping(provider, last);
  // What was found stands.
  if (problem !== undefined) check.say(problem);
  return report;
}

async function startInTime(check: OneCheck, deadline: Deadline): Promise<Provider> {
  const starting = Promise.resolve(check.provider);
  try {
    return await deadline.meet(starting, 'the provider has not started');
  } catch (cause) {
    // One that comes late is waited for by nobody, and stopped all the same.
    starting.then((late) => late.stop()).catch(() => {});
    throw cause;
  }
}

async function judged(provider: Provider, check: OneCheck, deadline: Deadline): Promise<Report> {
  const token = await deadline.meet(tokenOf(tokenFor(provider, check.token)), 'there was no token');
  const checking = checkConformance({ prism: false, ...check.options, ...provider.at, token });
  const report = await deadline.meet(checking, 'the check has not ended');
  await deadline.meet(check.onReport?.(report), '"onReport" has not ended');
  return report;
}

async function problemOfStopping(provider: Provider, last: Deadline): Promise<string | undefined> {
  try {
    await last.meet(provider.stop(), 'it has not stopped');
    return undefined;
  } catch (cause) {
    return `the provider could not be stopped: ${reasonOf(cause)}`;
  }
}

function bothOf(cause: unknown, problem: string): ToolkitError {
  const code = cause instanceof ToolkitError ? cause.code : 'provider-not-testable';
  return new ToolkitError(code, `${reasonOf(cause)}\n\nBeside that, ${problem}`, { cause });
}

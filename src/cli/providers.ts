import { type ChecksReport, combineReports, type NamedReport } from '../conformance/several/combine.js';
import { visibleInLine } from '../output/escape.js';
import { createRedactor } from '../output/redaction.js';
import type { ReportedExchange } from '../report/exchange.js';
import { invalidOption, ToolkitError } from '../toolkit-error.js';
import { announce, type EveryFlag, printRequests } from './check.js';
import { type Checking, prepareChecking } from './checking.js';
import type { FileProvider } from './config/from-file.js';
import { FAILURES_FILE } from './explore-options.js';
import { neededBaseUrl } from './flags.js';
import { rejectIdle } from './idle-flags.js';
import type { CommandIo } from './io.js';
import { type Progress, startProgress } from './progress.js';
import { type FurtherFile, prepareReports } from './reports.js';
import { tokenFrom } from './token.js';

/** So many providers are checked at once: a check takes as much time of the processor as its provider does. */
const MOST_AT_ONCE = 4;
/** What is for one provider alone. */
const FOR_ONE = ['likeReference', 'replay'] as const;

/** One provider with its check. */
interface Named {
  readonly name: string;
  readonly checking: Checking;
  readonly io: CommandIo;
}

/** Checks several providers at the same time, and writes one report. One that cannot be tested does not stop the others. */
export async function checkProviders(
  providers: readonly FileProvider[],
  flags: EveryFlag,
  io: CommandIo,
): Promise<number> {
  rejectIdle(flags, FOR_ONE, 'is for one provider: pick one with --provider');
  const read = providers.map((provider) => readProvider(provider, io));
  for (const { name, flags: own } of read)
    await about(name, async () => rejectIdle(own, FOR_ONE, 'is for one provider: pick one with --provider'));
  if (flags.dryRun === true) {
    for (const { name, baseUrl, flags: own } of read) {
      io.stdout.write(`# Provider ${name}\n\n`);
      await about(name, () => printRequests(baseUrl, own, io));
    }
    return 0;
  }
  const progress = new SharedProgress(io, read.length);
  const named: Named[] = [];
  for (const [at, { name, baseUrl, flags: own, io: ownIo }] of read.entries()) {
    const watching = { advance: progress.of(at), explored: () => {} };
    const checking = await about(name, () =>
      prepareChecking(baseUrl, () => tokenFrom(own, io), own, ownIo, watching),
    );
    named.push({ name, checking, io: ownIo });
  }
  checkFiles(named);
  const reports = await prepareReports(flags, io, {
    furtherFiles: named.flatMap(({ checking }) => checking.files),
  });
  // Beside other checks, a response may seem to take longer than it does.
  const isTimed = named.some(({ checking }) => checking.given.maxResponseTimeMs !== undefined);
  await progress.start(named.reduce((sum, { checking }) => sum + checking.prepared.plan.requests, 0));
  const further: FurtherFile[] = [];
  const outcomes = await atOnce(isTimed ? 1 : MOST_AT_ONCE, named, (one) => outcomeOf(one, further)).finally(
    () => progress.end(),
  );
  return reports.write(withoutSecrets(combineReports(outcomes), named), further);
}

interface ReadProvider {
  readonly name: string;
  readonly baseUrl: string;
  readonly flags: EveryFlag;
  /** Writes the name of the provider before each line on standard error. */
  readonly io: CommandIo;
}

function readProvider({ name, read }: FileProvider, io: CommandIo): ReadProvider {
  const { stderr } = io;
  const write = (text: string): unknown => stderr.write(`${name}: ${text}`);
  try {
    const { baseUrl, flags } = read();
    const given = flags as EveryFlag;
    const failures = given.failures ?? FAILURES_FILE.replace('.json', `-${name}.json`);
    return {
      name,
      baseUrl: neededBaseUrl(baseUrl),
      flags: given.explore === true ? Object.assign(given, { failures }) : given,
      io: { ...io, stderr: { ...stderr, write } },
    };
  } catch (cause) {
    throw named(name, cause);
  }
}

/** Does something for one provider, whose name is then in the error. */
async function about<T>(name: string, work: () => Promise<T>): Promise<T> {
  return await work().catch((cause) => {
    throw named(name, cause);
  });
}

function named(name: string, cause: unknown): unknown {
  if (!(cause instanceof ToolkitError)) return cause;
  return new ToolkitError(cause.code, `provider ${name}: ${cause.message}`, { cause });
}

/** @throws ToolkitError `invalid-option` if two providers would write one file */
function checkFiles(all: readonly Named[]): void {
  const owners = new Map<string, string>();
  for (const { name, checking } of all)
    for (const file of checking.files) {
      const owner = owners.get(file);
      if (owner !== undefined)
        throw invalidOption(
          `${file} would be written for ${owner} and for ${name}: name a file for each in the options file, or pick one with --provider`,
        );
      owners.set(file, name);
    }
}

async function outcomeOf({ name, checking, io }: Named, further: FurtherFile[]): Promise<NamedReport> {
  const { prepared } = checking;
  const { baseUrl, signal, url } = prepared.settings;
  if (signal.aborted) return { name, baseUrl, problem: 'the command was stopped before its check began' };
  const begin = async (): Promise<() => void> => {
    announce(url, prepared.plan, io);
    return () => {};
  };
  try {
    return await checking.run(begin, async (checked) => {
      further.push(...checked.further);
      return { name, report: checked.report };
    });
  } catch (cause) {
    if (!(cause instanceof ToolkitError)) throw cause;
    // The end of what the provider wrote may be below the first line.
    const [problem = '', ...rest] = cause.message.split('\n');
    if (rest.length > 0) io.stderr.write(`${cause.message}\n`);
    return { name, baseUrl, problem: visibleInLine(problem) };
  }
}

/** Does work for every item, and for so many at once. All have ended when it ends, even if one throws. */
async function atOnce<T, R>(
  most: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: PromiseSettledResult<R>[] = [];
  const waiting = [...items.entries()];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, item] = next;
      [results[at]] = await Promise.allSettled([work(item)]);
    }
  };
  await Promise.all(Array.from({ length: most }, worker));
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/** One bar for all checks. */
class SharedProgress {
  private readonly done: number[];
  private readonly planned: number[];
  private bar: Progress | undefined;

  constructor(
    private readonly io: CommandIo,
    count: number,
  ) {
    this.done = Array<number>(count).fill(0);
    this.planned = Array<number>(count).fill(0);
  }

  /** What the check at this place calls. */
  of(at: number): (sent: number, planned: number) => void {
    return (sent, planned) => {
      this.done[at] = sent;
      this.planned[at] = planned;
      this.bar?.advance(sumOf(this.done), sumOf(this.planned));
    };
  }

  async start(total: number): Promise<void> {
    this.bar = await startProgress(this.io, total);
  }

  end(): void {
    this.bar?.end();
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

/** A provider may show the token of another one: each report is without its own secrets only. */
function withoutSecrets(report: ChecksReport, all: readonly Named[]): ChecksReport {
  const secrets = all.flatMap(({ checking }) => checking.secrets());
  const redactor = createRedactor(secrets.map((value) => ({ value, shown: '[secret]' })));
  const { exchanges = [], ...shown } = report;
  return {
    ...redactor.data(shown),
    exchanges: exchanges.map(({ request, response, ...exchange }) => ({
      ...redactor.data(exchange),
      request: { ...redactor.data(request), ...messageOf(request) },
      ...(response !== undefined && { response: { ...response, ...messageOf(response) } }),
    })),
  };
  /** Here even a short secret is no word of this package. */
  function messageOf({ headers, body }: ReportedMessage): ReportedMessage {
    return { headers: redactor.fields(headers), body: { ...body, text: redactor.message(body.text) } };
  }
}

type ReportedMessage = Pick<ReportedExchange['request'], 'headers' | 'body'>;

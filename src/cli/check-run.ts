import type { ExploreProgress } from '../conformance/exploring/options.js';
import type { CheckOptions } from '../conformance/options.js';
import type { Plan } from '../conformance/prepare.js';
import type { CheckReport } from '../conformance/report/check-report.js';
import type { Tokens } from '../conformance/session/tokens.js';
import { counted } from '../report/wording.js';
import { type CommandIo, isWatched } from './io.js';
import type { StartAgain } from './start/awaited-provider.js';

/** A check that is ready to run. */
interface CheckRun {
  /** Says what it will do, and shows how far it is. */
  run(tokens: Tokens, startAgain?: StartAgain): Promise<CheckReport>;
}

/**
 * Prepares a check.
 *
 * @param options without a signal, it stops when the command is asked to end
 * @throws ToolkitError `invalid-option`, naming the option
 */
export async function prepareRun(options: Omit<CheckOptions, 'token'>, io: CommandIo): Promise<CheckRun> {
  const [{ runCheck }, { prepareCheck }] = await Promise.all([
    import('../conformance/check.js'),
    import('../conformance/prepare.js'),
  ]);
  let progress: ProgressLine | undefined;
  let [sent, created] = [0, 0];
  const known = (): string => `${counted(sent, 'request')} sent, ${counted(created, 'plant')} created`;
  const prepared = prepareCheck({
    ...options,
    signal: options.signal ?? stopSignal(io, known),
    ...(options.explore !== undefined && {
      explore: {
        ...options.explore,
        onProgress: (now) => progress?.show(explored(now, prepared.settings.explore?.timeMs ?? 0)),
      },
    }),
    onExchange: ({ index, response }, planned) => {
      sent = index + 1;
      if (response?.status === 200) created++;
      progress?.show(requestsSent(sent, planned));
    },
  });
  return {
    async run(tokens, startAgain) {
      announce(prepared.settings.url, prepared.plan, io);
      progress = startProgress(io);
      progress.show(requestsSent(0, prepared.plan.requests));
      return await runCheck(prepared, tokens, startAgain).finally(() => progress?.end());
    },
  };
}

/** Says what a check will do. It goes to standard error: standard output holds the report alone. */
function announce(url: URL, { requests, again, plants, more }: Plan, io: CommandIo): void {
  io.stderr.write(
    `checking ${url.href} with ${requests} requests (up to ${again} retries); creates ${plants} to ${plants + more} plants, more if bad requests are accepted\n`,
  );
}

/** A line that shows how far a command is. */
interface ProgressLine {
  /** Shows another text, soon. */
  show(text: string): void;
  /** Erases the line. */
  end(): void;
}

const ERASE = '\r\u001b[K';
const EVERY_MS = 50;

/** Draws the line on standard error if a person may be watching; otherwise nothing. */
function startProgress({ stderr, env }: CommandIo): ProgressLine {
  if (!isWatched(stderr, env)) return { show() {}, end() {} };
  let [drawn, latest] = ['', ''];
  const draw = (): void => {
    if (latest !== drawn) stderr.write(`${ERASE}${latest}`);
    drawn = latest;
  };
  const timer = setInterval(draw, EVERY_MS).unref();
  return {
    show(text) {
      latest = text;
      if (drawn === '') draw();
    },
    end() {
      clearInterval(timer);
      stderr.write(ERASE);
    },
  };
}

const WIDTH = 40;

/** How far a check is, as a bar. */
function requestsSent(done: number, total: number): string {
  const full = Math.min(WIDTH, Math.floor((WIDTH * done) / total));
  return `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${done} of ${total} requests`;
}

/** How far exploring is. */
function explored({ requests, findings, elapsedMs }: ExploreProgress, timeMs: number): string {
  const rate = Math.round(requests / (elapsedMs / 1_000));
  const seconds = Math.max(0, Math.ceil((timeMs - elapsedMs) / 1_000));
  return `exploring: ${rate} requests a second, ${seconds} s remaining, ${counted(findings, 'failure')}`;
}

/**
 * Aborts when the command is asked to end. It first says what is known, in a line on standard error: on a busy machine
 * the process may have to end before there is a report.
 *
 * @param known what is known so far, without a full stop
 */
export function stopSignal(io: CommandIo, known: () => string): AbortSignal {
  const stop = new AbortController();
  void io.untilStopped().then(() => {
    io.stderr.write(`stopping: ${known()}\n`);
    stop.abort();
  });
  return stop.signal;
}

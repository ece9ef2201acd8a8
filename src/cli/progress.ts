import type { ExploreProgress } from '../conformance/exploring/options.js';
import { counted } from '../report/wording.js';
import { type CommandIo, isWatched } from './io.js';

/** A line that shows how far a command is. */
export interface ProgressLine {
  /** Shows another text, soon. */
  show(text: string): void;
  /** Erases the line. */
  end(): void;
}

const ERASE = '\r\u001b[K';
const EVERY_MS = 50;

/** Draws the line on standard error if a person may be watching; otherwise nothing. */
export function startProgress({ stderr, env }: CommandIo): ProgressLine {
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
export function requestsSent(done: number, total: number): string {
  const full = Math.min(WIDTH, Math.floor((WIDTH * done) / total));
  return `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${done} of ${total} requests`;
}

/** How far exploring is. */
export function explored({ requests, findings, elapsedMs }: ExploreProgress, timeMs: number): string {
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
